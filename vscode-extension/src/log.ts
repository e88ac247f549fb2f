// The log of the extension and the program.

import * as vscode from 'vscode';

export type Log = vscode.LogOutputChannel;

export function createLog(): Log {
  return vscode.window.createOutputChannel('Pathfinder', { log: true });
}

/** What a command cannot do without, as an empty clipboard: the user is told so, and it is no error. */
export class Hint extends Error {}

/** What an error says, in words. */
export function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
