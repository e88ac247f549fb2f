// One process of the program, and the language client that speaks with it, from their beginning to their end.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';

import * as vscode from 'vscode';
import { CloseAction, ErrorAction, type InitializeParams, LanguageClient, type Middleware, RevealOutputChannelOn } from 'vscode-languageclient/node';

import type { Binary } from './binary';
import { type Log, words } from './log';
import { SECTION, environment } from './settings';

/** How long the program may take to end by itself. */
const END_MS = 2_000;

export interface Conversation {
  readonly client: LanguageClient;
  readonly process: ChildProcess;
}

class QuietClient extends LanguageClient {
  /** Shows nothing of its own: each crash would be three messages, none with a way out. All of it is in the log. */
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }

  /** Forks have other names, and the same watcher of files, which the program relies on where it knows it by the name. */
  protected override fillInitializeParams(params: InitializeParams): void {
    super.fillInitializeParams(params);
    params.clientInfo = { name: `Visual Studio Code (${vscode.env.appName})`, version: vscode.version };
  }
}

/** Begins one. `crashed` is called when it ends without having been asked to, perhaps more than once. */
export function begin(binary: Binary, log: Log, middleware: Middleware, crashed: () => void): Conversation {
  const env = { ...process.env, ...environment() };
  // Beside itself, not in the workspace: what it works on it is told.
  const child = spawn(binary.path, ['lsp'], { env, cwd: dirname(binary.path), windowsHide: true });
  child.on('error', (error) => {
    log.error(words(error));
    crashed();
  });
  const client = new QuietClient(SECTION, 'Pathfinder', () => Promise.resolve(child), {
    documentSelector: [{ scheme: 'file' }],
    outputChannel: log,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationFailedHandler: () => false,
    // The status bar shows progress: one item for it is enough.
    middleware: { ...middleware, handleWorkDoneProgress: () => {} },
    // The client's own way of starting again has no pauses, and ends without a way out.
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => {
        crashed();
        return { action: CloseAction.DoNotRestart, handled: true };
      },
    },
  });
  return { client, process: child };
}

/** Ends one, well if it can be, and in any case. */
export async function end({ client, process }: Conversation): Promise<void> {
  try {
    await client.dispose(END_MS);
  } finally {
    // It still writes down what was used. One that does not answer is not ended by its client.
    if (process.pid !== undefined && process.exitCode === null && process.signalCode === null) {
      const late = setTimeout(() => process.kill('SIGKILL'), END_MS);
      await once(process, 'exit');
      clearTimeout(late);
    }
  }
}
