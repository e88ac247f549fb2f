// A stand-in for a model on the loopback device: it says what it is told to say, in the four ways in which agents ask, and writes
// down what it is asked. So agents run for real without an account.

import { createServer } from 'node:http';

/**
 * `steps` are what it answers, in turn: `{ tool, args }` for a call, `{ text }` to end with. Gives its address, and `asked`: the
 * bodies of the requests that were answered by a step.
 */
export async function model(t, steps) {
  const asked = [];
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = chunks.length ? JSON.parse(Buffer.concat(chunks).toString()) : {};
    const way = WAYS.find(({ path }) => path.test(request.url));
    if (request.method !== 'POST' || !way) {
      response.writeHead(request.method === 'POST' ? 404 : 200, { 'content-type': 'application/json' });
      response.end('{"data":[]}');
      return;
    }
    // What has no tools is no turn of the conversation: a title is asked for, or a summary.
    const turn = way.tools(body).length > 0;
    const step = turn ? (steps[asked.length] ?? { text: 'done' }) : { text: 'a title' };
    if (turn) asked.push(body);
    way.answer(response, step, body, asked.length);
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { at: `http://127.0.0.1:${server.address().port}`, asked };
}

function stream(response) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  return {
    event: (data, name) => response.write(`${name ? `event: ${name}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`),
    end: () => response.end(),
  };
}

const WAYS = [
  {
    // OpenAI's responses: Codex.
    path: /\/responses/,
    tools: ({ tools }) => tools ?? [],
    answer: (response, { tool, args, text }, _body, n) => {
      const { event, end } = stream(response);
      const item = tool
        ? { type: 'function_call', id: `f${n}`, call_id: `c${n}`, name: tool, arguments: JSON.stringify(args) }
        : { type: 'message', role: 'assistant', id: `m${n}`, content: [{ type: 'output_text', text }] };
      const usage = { input_tokens: 1, input_tokens_details: null, output_tokens: 1, output_tokens_details: null, total_tokens: 2 };
      event({ type: 'response.created', response: { id: `r${n}` } }, 'response.created');
      event({ type: 'response.output_item.done', item }, 'response.output_item.done');
      event({ type: 'response.completed', response: { id: `r${n}`, usage } }, 'response.completed');
      end();
    },
  },
  {
    // OpenAI's chat completions: opencode, Copilot.
    path: /\/chat\/completions/,
    tools: ({ tools }) => tools ?? [],
    answer: (response, { tool, args, text }, { model, stream: streamed }, n) => {
      const call = { index: 0, id: `c${n}`, type: 'function', function: { name: tool, arguments: JSON.stringify(args) } };
      const said = { role: 'assistant', content: tool ? null : text, ...(tool && { tool_calls: [call] }) };
      const finish = tool ? 'tool_calls' : 'stop';
      const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
      const base = { id: `r${n}`, created: 1, model };
      if (!streamed) {
        response.writeHead(200, { 'content-type': 'application/json' });
        const choices = [{ index: 0, message: said, finish_reason: finish }];
        response.end(JSON.stringify({ ...base, object: 'chat.completion', choices, usage }));
        return;
      }
      const { event, end } = stream(response);
      const chunk = (delta, finish_reason) => ({ ...base, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] });
      event(chunk(said, null));
      event({ ...chunk({}, finish), usage });
      event('[DONE]');
      end();
    },
  },
  {
    // Anthropic's messages: Claude Code.
    path: /\/messages(\?|$)/,
    tools: ({ tools }) => tools ?? [],
    answer: (response, { tool, args, text }, { model }, n) => {
      const { event, end } = stream(response);
      const send = (data) => event(data, data.type);
      const usage = { input_tokens: 1, output_tokens: 1 };
      const message = { id: `m${n}`, type: 'message', role: 'assistant', model, content: [], stop_reason: null, stop_sequence: null, usage };
      send({ type: 'message_start', message });
      const block = tool ? { type: 'tool_use', id: `toolu_${n}`, name: tool, input: {} } : { type: 'text', text: '' };
      send({ type: 'content_block_start', index: 0, content_block: block });
      const delta = tool ? { type: 'input_json_delta', partial_json: JSON.stringify(args) } : { type: 'text_delta', text };
      send({ type: 'content_block_delta', index: 0, delta });
      send({ type: 'content_block_stop', index: 0 });
      send({ type: 'message_delta', delta: { stop_reason: tool ? 'tool_use' : 'end_turn', stop_sequence: null }, usage });
      send({ type: 'message_stop' });
      end();
    },
  },
  {
    // Google's contents: Gemini CLI.
    path: /:(streamG|g)enerateContent/,
    tools: ({ tools }) => (tools ?? []).flatMap(({ functionDeclarations }) => functionDeclarations ?? []),
    answer: (response, { tool, args, text }, _body) => {
      const part = tool ? { functionCall: { name: tool, args } } : { text };
      const candidates = [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }];
      const { event, end } = stream(response);
      event({ candidates, usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 } });
      end();
    },
  },
];
