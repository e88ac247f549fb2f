// The MCP server, started by VS Code, and its tools, invoked as an agent does.

const assert = require('node:assert/strict');
const vscode = require('vscode');
const { ID, api, at, processes, ready, run, until } = require('./window.cjs');

const tools = () => vscode.lm.tools.filter(({ name }) => /pathfinder/.test(name));

exports['its tools are there'] = async () => {
  const { binary } = await ready();
  await api();
  const servers = `${ID}/pathfinder`;
  await until('tools', async () => {
    if (tools().length >= 4) return true;
    await run('workbench.mcp.startServer', `${servers}/pathfinder`).then(undefined, () => undefined);
    await run('workbench.mcp.startServer', servers).then(undefined, () => undefined);
    return false;
  });
  const names = tools().map(({ name }) => name).join(' ');
  for (const tool of ['path_resolve', 'tool_retry_with_resolve', 'roots_list', 'reindex_paths']) assert.ok(names.includes(tool), names);
  assert.ok(processes(binary.path, 'mcp').length > 0, 'it is the same program');
};

const invoke = async (tool, input) => {
  const { name } = tools().find(({ name }) => name.endsWith(tool));
  const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  return content.map((part) => part.value).join('\n');
};

exports['a path is resolved for the agent'] = async () => {
  assert.match(await invoke('path_resolve', { failed_path: 'docs/instal.md', op: 'read' }), /docs\/install\.md/);
};

exports['a file is read for the agent, and the roots are those of the window'] = async () => {
  assert.match(await invoke('tool_retry_with_resolve', { failed_path: 'docs/instal.md', op: 'read' }), /# Install/);
  assert.ok((await invoke('roots_list', {})).includes(at('').slice(0, -1)));
};
