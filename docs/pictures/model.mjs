// The stand-in for an agent's model of tests/hooks, as a program: model.mjs PATH. It reads PATH by the agent's tool, and then
// repeats what it was told of that. Prints its address.

import { model } from '../../tests/hooks/model.mjs';

const path = process.argv[2];
const repeat = {
  get text() {
    const told = [];
    // In the order in which it was told: the last message has the tool's result, and what a hook added.
    const collect = (value) => {
      if (typeof value === 'string') told.push(value);
      else if (value && typeof value === 'object') Object.values(value).forEach(collect);
    };
    collect(asked.at(-1).messages);
    const line = told.join('\n').split('\n').findLast((line) => /does not exist/.test(line));
    return line?.replaceAll(/<[^>]*>/g, '') ?? 'nothing was said';
  },
};
const { at, asked } = await model({ after() {} }, [{ tool: 'Read', args: { file_path: path } }, repeat]);
console.log(at);
