// The buttons of the message that there is no program: download one, choose one, or read the page about installing it.

import * as vscode from 'vscode';

import { download, isReleased } from './download';
import { type Log, words } from './log';
import { SECTION } from './settings';

/** The buttons of the message. `restart` starts the program that is there afterwards. */
export function waysToInstall(context: vscode.ExtensionContext, log: Log, restart: () => Promise<void>): Record<string, () => unknown> {
  const version = String(context.extension.packageJSON.version);
  const explain = { 'How to Install': () => vscode.commands.executeCommand('markdown.showPreview', vscode.Uri.joinPath(context.extensionUri, 'media/install.md')) };
  const get = async (): Promise<void> => {
    try {
      await withProgress(version, (signal) => download(context.globalStorageUri.fsPath, version, signal), log);
    } catch (error) {
      log.error(words(error));
      await offer(`Pathfinder: ${words(error)}`, { 'Try Again': get, ...explain });
      return;
    }
    await restart();
  };
  return { ...(isReleased() && { [`Download ${version}`]: get }), 'Choose Program…': choose, ...explain };
}

/** Shows what goes on. A download that the user cancels is an error, as one that fails: nothing is installed. */
function withProgress(version: string, run: (signal: AbortSignal) => Promise<string>, log: Log): Thenable<void> {
  const title = `Pathfinder: downloading version ${version}`;
  return vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title, cancellable: true }, async (_, token) => {
    const abort = new AbortController();
    token.onCancellationRequested(() => abort.abort(new Error('it was cancelled')));
    log.info(`downloaded ${await run(abort.signal)}`);
  });
}

async function offer(message: string, ways: Record<string, () => unknown>): Promise<void> {
  const chosen = await vscode.window.showErrorMessage(message, ...Object.keys(ways));
  if (chosen !== undefined) await ways[chosen]?.();
}

/** Has the user name a program. The setting starts it, and a wrong one is told. */
async function choose(): Promise<void> {
  const [file] = (await vscode.window.showOpenDialog({ title: 'The program pathfinder', openLabel: 'Use This Program' })) ?? [];
  if (file) await vscode.workspace.getConfiguration(SECTION).update('path', file.fsPath, vscode.ConfigurationTarget.Global);
}
