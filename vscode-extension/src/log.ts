// What the extension and the program say, for whoever looks for what went wrong.

import * as vscode from 'vscode';

export type Log = vscode.LogOutputChannel;

export function createLog(): Log {
  return vscode.window.createOutputChannel('Pathfinder', { log: true });
}

/** What an error says, in words. */
export function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
