// The commands of the palette: each asks the program once, and shows what it answers.

import * as vscode from 'vscode';

import type { Client } from './client';
import { fixFile, fixWorkspace } from './fixing';
import { Hint, type Log, words } from './log';
import { findFile, resolvePath, resolveText, showBroken } from './picks';
import type { Reindexed, Root } from './protocol';
import type { StatusItem } from './status';

/** Registers all of them. What goes wrong in one is shown, with the log one click away. */
export function registerCommands(client: Client, status: StatusItem, log: Log): vscode.Disposable[] {
  // The names without a verb's object (`pathfinder.resolve`) are the program's own, which the client registers.
  const all: Record<string, (argument?: unknown) => unknown> = {
    resolvePath: (text) => resolvePath(client, typeof text === 'string' ? text : ''),
    findFile: (text) => findFile(client, typeof text === 'string' ? text : ''),
    fixFile: () => fixFile(client),
    fixWorkspace: (how) => fixWorkspace(client, (how as { preview?: boolean } | undefined)?.preview ?? true),
    showBroken: () => showBroken(),
    resolveClipboard: async () => resolveText(client, await vscode.env.clipboard.readText(), 'The clipboard'),
    resolveTerminalSelection: async () => resolveText(client, await terminalSelection(), 'The selection in the terminal'),
    reindexWorkspace: () => reindex(client),
    showStatus: () => showStatus(client, status),
    restart: () => client.restart(),
    openLog: () => log.show(),
  };
  return Object.entries(all).map(([name, run]) =>
    vscode.commands.registerCommand(`pathfinder.${name}`, async (argument?: unknown) => {
      try {
        return await run(argument);
      } catch (error) {
        if (error instanceof Hint) {
          void vscode.window.showInformationMessage(`Pathfinder: ${error.message}`);
          return undefined;
        }
        log.error(`${name}: ${words(error)}`);
        const way = 'Open Log';
        void vscode.window.showErrorMessage(`Pathfinder: ${words(error)}`, way).then((chosen) => chosen === way && log.show());
        return undefined;
      }
    }),
  );
}

/** The text that is selected in a terminal. Extensions can only have it copied; what was in the clipboard is put back. */
async function terminalSelection(): Promise<string> {
  const before = await vscode.env.clipboard.readText();
  // Else what was copied before would be taken for the selection where there is none.
  await vscode.env.clipboard.writeText('');
  await vscode.commands.executeCommand('workbench.action.terminal.copySelection');
  const selected = await vscode.env.clipboard.readText();
  await vscode.env.clipboard.writeText(before);
  return selected;
}

async function reindex(client: Client): Promise<void> {
  const title = 'Pathfinder: reading all directories again';
  const done = await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, () =>
    client.request<Reindexed>('pathfinder/reindex'),
  );
  vscode.window.setStatusBarMessage(`Pathfinder: ${done.files} files in ${done.directories} directories, ${done.elapsed_ms} ms`, SHOWN_MS);
}

/** Long enough to be read. */
const SHOWN_MS = 8_000;

interface Way extends vscode.QuickPickItem {
  readonly command?: string;
}

async function showStatus(client: Client, status: StatusItem): Promise<void> {
  const { binary } = client;
  const { roots } = await client.request<{ roots: Root[] }>('pathfinder/roots').catch(() => ({ roots: [] as Root[] }));
  const items: Way[] = [
    { label: status.view.text, detail: status.view.tooltip, command: 'pathfinder.showBroken' },
    ...roots.map(({ path, files, directories, state }): Way => ({
      label: `$(root-folder) ${path}`,
      detail: `${files} files, ${directories} directories, ${state}`,
    })),
    binary
      ? { label: `$(terminal) pathfinder ${binary.version}`, detail: `${binary.path} (${FROM[binary.from]})` }
      : { label: '$(terminal) no program', detail: 'Name one in the settings', command: 'workbench.action.openSettings' },
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    { label: '$(wand) Fix All Broken Paths in Workspace…', command: 'pathfinder.fixWorkspace' },
    { label: '$(refresh) Reindex', command: 'pathfinder.reindexWorkspace' },
    { label: '$(debug-restart) Restart', command: 'pathfinder.restart' },
    { label: '$(output) Open Log', command: 'pathfinder.openLog' },
  ];
  const chosen = await vscode.window.showQuickPick(items, { title: 'Pathfinder' });
  if (chosen?.command) await vscode.commands.executeCommand(chosen.command);
}

const FROM = { setting: 'from the setting pathfinder.path', extension: 'came with the extension', PATH: 'found on the PATH', download: 'downloaded' } as const;
