// With approval on, the user also approves calls that the hook rewrote, and sees the rewritten form.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { homely, tree } from '../mcp/tree.mjs';
import { BINARY, installed } from './agent.mjs';
import { codex } from './codex.mjs';
import { model } from './model.mjs';

const APPROVAL = 'item/commandExecution/requestApproval';

for (const decision of ['accept', 'decline']) {
  test(`Codex: its user is asked, and says ${decision}`, async (t) => {
    const laid = tree(t, 'src/find/stream.rs: fn stream() {}');
    const env = homely(laid);
    execFileSync('git', ['init', '--quiet'], { cwd: laid.root, env });
    // Out of the sandbox: nothing may run so without being asked for.
    const args = { cmd: 'cat src/fnd/stream.rs', sandbox_permissions: 'require_escalated', justification: 'to see it' };
    const { at, asked } = await model(t, [{ tool: 'exec_command', args }, { text: 'done' }]);
    mkdirSync(join(laid.home, '.codex'));
    writeFileSync(
      join(laid.home, '.codex/config.toml'),
      'model = "stub"\nmodel_provider = "stub"\napproval_policy = "on-request"\nsandbox_mode = "read-only"\n' +
        `[model_providers.stub]\nname = "stub"\nbase_url = "${at}/v1"\nwire_api = "responses"\n`,
    );
    execFileSync(BINARY, ['hook', 'install', 'codex'], { cwd: laid.root, env });
    const approvals = [];
    const decide = (method, { command }) => {
      approvals.push([method, command]);
      return { decision };
    };
    const { ask, told } = await codex(laid, [installed('.bin/codex')], { cwd: laid.root, env }, decide);
    // The user has looked at the hooks and trusts them.
    const { data } = await ask('hooks/list', { cwds: [laid.root] });
    const trust = ({ key, currentHash }) => ({ keyPath: 'hooks.state', value: { [key]: { trusted_hash: currentHash } }, mergeStrategy: 'upsert' });
    assert.ok(data[0].hooks.length > 0);
    await ask('config/batchWrite', { edits: data[0].hooks.map(trust), reloadUserConfig: true });
    const { thread } = await ask('thread/start', { cwd: laid.root, ephemeral: true });
    await ask('turn/start', { threadId: thread.id, input: [{ type: 'text', text: 'look' }] });
    await told('turn/completed');
    assert.deepEqual(approvals, [[APPROVAL, "/bin/bash -lc 'cat src/find/stream.rs'"]]);
    const said = JSON.stringify(asked.slice(1));
    assert.equal(said.includes('fn stream() {}'), decision === 'accept', said);
  });
}
