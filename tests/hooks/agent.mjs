// A project, an agent that is set up by `pathfinder hook install`, and a stand-in for its model: what the model is told then.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { homely, tree } from '../mcp/tree.mjs';
import { model } from './model.mjs';

/** The server that is tested. */
export const BINARY = process.env.PATHFINDER_BIN ?? join(import.meta.dirname, '../../target/debug/pathfinder');
const PACKAGES = process.env.PATHFINDER_HOOK_PACKAGES;

/** A program of the packages. */
export function installed(name) {
  assert.ok(PACKAGES, 'PATHFINDER_HOOK_PACKAGES is not set: tests/run sets it');
  return join(PACKAGES, 'node_modules', name);
}

/** How long an agent may take on a machine that does much else. */
export const TIMEOUT_MS = 240_000;

const PROJECT = `
  src/find/stream.rs: fn stream() {}\\nfn other() {}\\n
  api/handler.py: def one(): pass
  web/handler.py: def two(): pass
  cli/handler.py: def three(): pass
  README.md: hello
`;

/** How each agent is started on a prompt, with a model at this address. Nothing of this machine's user has a part in it. */
export const AGENTS = {
  'claude-code': (at) => ({
    command: ['@anthropic-ai/claude-code-linux-x64/claude', '-p', '--permission-mode', 'default'],
    env: { ANTHROPIC_BASE_URL: at, ANTHROPIC_API_KEY: 'none', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' },
  }),
  cline: (at) => ({
    command: ['@cline/cli-linux-x64/bin/cline'],
    // The provider is set by a command of its own.
    before: ['@cline/cli-linux-x64/bin/cline', 'auth', 'openai-compatible', '--apikey', 'none', '--modelid', 'stub', '--baseurl', `${at}/v1`],
    // It has no variable that turns off its telemetry: nothing answers at this proxy.
    env: { CLINE_NO_AUTO_UPDATE: '1', HTTPS_PROXY: 'http://127.0.0.1:9', HTTP_PROXY: 'http://127.0.0.1:9', NO_PROXY: '127.0.0.1' },
  }),
  codex: (at) => ({
    command: ['.bin/codex', 'exec', '--skip-git-repo-check', '--dangerously-bypass-hook-trust'],
    files: {
      '.codex/config.toml':
        'model = "stub"\nmodel_provider = "stub"\napproval_policy = "never"\nsandbox_mode = "danger-full-access"\n' +
        `[model_providers.stub]\nname = "stub"\nbase_url = "${at}/v1"\nwire_api = "responses"\n`,
    },
  }),
  copilot: (at) => ({
    command: ['@github/copilot-linux-x64/copilot', '--allow-all-tools', '--allow-all-paths', '-p'],
    env: { COPILOT_PROVIDER_BASE_URL: `${at}/v1`, COPILOT_PROVIDER_API_KEY: 'none', COPILOT_MODEL: 'gpt-4o', COPILOT_OFFLINE: 'true' },
  }),
  gemini: (at) => ({
    command: ['.bin/gemini', '--yolo', '-m', 'gemini-2.5-flash', '-p'],
    env: { GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: at, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    files: {
      '.gemini/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' } },
        telemetry: { enabled: false },
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
      }),
    },
  }),
  opencode: (at) => ({
    command: ['opencode-linux-x64-baseline/bin/opencode', 'run'],
    env: { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' },
    files: {
      '.config/opencode/opencode.json': JSON.stringify({
        model: 'stub/stub',
        permission: { '*': 'allow' },
        provider: {
          stub: { npm: '@ai-sdk/openai-compatible', options: { baseURL: `${at}/v1`, apiKey: 'none' }, models: { stub: { tool_call: true } } },
        },
      }),
    },
  }),
};

/** As `ran`, but gives only what the model was told. */
export async function told(t, agent, prompt, steps) {
  const { said } = await ran(t, agent, prompt, steps);
  return said;
}

/**
 * Runs an agent on a prompt. The model calls tools as `steps` says, a function of the root; then it ends. Gives what the model was
 * told in the end (`said`), as one text, from the prompt on, and where things are kept (`cache`).
 */
export async function ran(t, agent, prompt, steps) {
  const laid = tree(t, PROJECT);
  const env = homely(laid);
  execFileSync('git', ['init', '--quiet'], { cwd: laid.root, env });
  const calls = steps(laid.root);
  const { at, asked } = await model(t, [...calls, { text: 'done' }]);
  const { command, before, env: more = {}, files = {} } = AGENTS[agent](at);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(laid.home, name)), { recursive: true });
    writeFileSync(join(laid.home, name), text);
  }
  if (before) execFileSync(installed(before[0]), before.slice(1), { cwd: laid.root, env: { ...env, ...more }, stdio: 'pipe' });
  execFileSync(BINARY, ['hook', 'install', agent], { cwd: laid.root, env });
  const [program, ...args] = command;
  const child = spawn(installed(program), [...args, prompt], {
    cwd: laid.root,
    env: { ...env, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  // What it has started goes with it.
  const kill = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  };
  laid.users.push(async () => kill());
  const out = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => out.push(chunk));
  const timer = setTimeout(kill, TIMEOUT_MS);
  const [status, signal] = await once(child, 'close');
  clearTimeout(timer);
  const printed = Buffer.concat(out).toString();
  assert.equal(status ?? signal, 0, printed);
  assert.equal(asked.length, calls.length + 1, `the model was asked ${asked.length} times\n${printed}`);
  const texts = [];
  collect(asked.at(-1).messages ?? asked.at(-1).input ?? asked.at(-1).contents, texts);
  // Tests see the places that they have made, not where they are.
  const all = texts.join('\n').replaceAll(laid.root, 'ROOT');
  const from = all.lastIndexOf(prompt);
  assert.ok(from >= 0, `the prompt is not there\n${all.slice(-2000)}`);
  return { said: all.slice(from), cache: env.PATHFINDER_CACHE_DIR };
}

/** All texts in a value, in their order. */
function collect(value, texts) {
  if (typeof value === 'string') texts.push(value);
  else if (Array.isArray(value)) for (const one of value) collect(one, texts);
  else if (value && typeof value === 'object') for (const one of Object.values(value)) collect(one, texts);
}

/** Asserts that a text has these, each behind the one before. */
export function has(text, ...parts) {
  let from = 0;
  for (const part of parts) {
    const at = text.indexOf(part, from);
    assert.ok(at >= 0, `${JSON.stringify(part)} is not there\n${text.slice(0, 6000)}`);
    from = at + part.length;
  }
}
