// Where the editor comes in: everything is put together here, and nothing else happens here.

import * as vscode from 'vscode';

import { Client } from './client';
import { registerCommands } from './commands';
import { createLog } from './log';
import { registerMcp } from './mcp';
import { StatusItem } from './status';
import { TerminalLinks } from './terminal';

/** What other extensions, and tests, can ask of this one. */
export interface Api {
  readonly client: Client;
  readonly status: StatusItem;
  readonly terminalLinks: TerminalLinks;
}

export async function activate(context: vscode.ExtensionContext): Promise<Api> {
  const log = createLog();
  const client = new Client(context, log);
  const status = new StatusItem(client);
  const terminalLinks = new TerminalLinks(client);
  context.subscriptions.push(
    log,
    status,
    vscode.window.registerTerminalLinkProvider(terminalLinks),
    ...registerCommands(client, status, log),
    ...registerMcp(client, log),
    // Last, so that it is ended first: what is asked of it finds it ended, and not half gone.
    client,
  );
  // Not waited for: a program that does not start must not keep the commands from being there.
  void client.start();
  return { client, status, terminalLinks };
}

export function deactivate(): void {
  // What is in the subscriptions is disposed of by the editor.
}
