// Begins in VS Code's extension host: runs the suites that are named, one test after the other, and writes down how each ended.

const { appendFileSync } = require('node:fs');

const { SETUP, within } = require('./window.cjs');

exports.run = async () => {
  const { suites, results } = SETUP;
  let failed = 0;
  for (const suite of suites) {
    for (const [name, test] of Object.entries(require(`./${suite}.cjs`))) {
      const result = { name: `${suite}: ${name}` };
      const start = Date.now();
      try {
        await within(test());
      } catch (error) {
        failed += 1;
        result.error = error.stack ?? String(error);
      }
      result.ms = Date.now() - start;
      appendFileSync(results, `${JSON.stringify(result)}\n`);
    }
  }
  if (failed > 0) throw new Error(`${failed} failed`);
};
