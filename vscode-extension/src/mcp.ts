// The tools of `pathfinder mcp`, for the agent of the editor.

import * as vscode from 'vscode';

import type { Client } from './client';
import { type Log, words } from './log';
import { SECTION, environment, folders, wantsMcp } from './settings';

/** As in package.json, without which registering it is an error. */
const ID = 'pathfinder';

/** What newer editors have (VS Code from 1.101 on), and what this extension does without in others. */
interface Newer {
  readonly lm?: {
    registerMcpServerDefinitionProvider?(id: string, provider: Provider): vscode.Disposable;
  };
  readonly McpStdioServerDefinition?: new (label: string, command: string, args: string[], env: Record<string, string>, version: string) => unknown;
}

interface Provider {
  readonly onDidChangeMcpServerDefinitions: vscode.Event<void>;
  provideMcpServerDefinitions(): Promise<unknown[]>;
}

export function registerMcp(client: Client, log: Log): vscode.Disposable[] {
  const { lm, McpStdioServerDefinition: Definition } = vscode as unknown as Newer;
  if (!lm?.registerMcpServerDefinitionProvider || !Definition) {
    log.info('this editor cannot be given MCP servers by extensions; docs/mcp.md of pathfinder says how to enter it by hand');
    return [];
  }
  const changed = new vscode.EventEmitter<void>();
  let program = client.binary?.path;
  const provider: Provider = {
    onDidChangeMcpServerDefinitions: changed.event,
    provideMcpServerDefinitions: async () => {
      const roots = folders();
      if (!wantsMcp() || roots.length === 0) return [];
      try {
        const binary = await client.program();
        const args = ['mcp', ...roots.flatMap((root) => ['--root', root])];
        return [new Definition('pathfinder', binary.path, args, environment(), binary.version)];
      } catch (error) {
        // The client has said it to the user.
        log.warn(`no MCP server: ${words(error)}`);
        return [];
      }
    },
  };
  const subscriptions = [
    changed,
    vscode.workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(SECTION)) changed.fire();
    }),
    client.onDidChange(() => {
      if (client.binary?.path === program) return;
      program = client.binary?.path;
      changed.fire();
    }),
  ];
  try {
    subscriptions.push(lm.registerMcpServerDefinitionProvider(ID, provider));
  } catch (error) {
    // VS Code 1.100 has the function, and looks for another key in package.json.
    log.info(`this editor does not take MCP servers of extensions: ${words(error)}`);
  }
  return subscriptions;
}
