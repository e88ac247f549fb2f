// Commands that fix all high-confidence broken paths, in a file or in the workspace.

import * as vscode from 'vscode';

import type { Client } from './client';
import { Hint } from './log';

interface Counts {
  readonly files: number;
  readonly paths: number;
}

/** Answer of `pathfinder.fixAll` to a dry run. */
interface Plan extends Counts {
  readonly edit: unknown;
}

const METHOD = 'workspace/executeCommand';

async function planned(client: Client, what: { uri?: string }): Promise<{ plan: Plan; edit: vscode.WorkspaceEdit | undefined }> {
  const plan = await client.request<Plan>(METHOD, { command: 'pathfinder.fixAll', arguments: [{ ...what, dryRun: true }] });
  return { plan, edit: plan.paths > 0 ? await client.edit(plan.edit) : undefined };
}

export async function fixFile(client: Client): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.uri.scheme !== 'file') {
    throw new Hint('no file is open in the editor. Open the one whose paths are to be fixed.');
  }
  const { plan, edit } = await planned(client, { uri: client.named(document.uri) });
  if (!edit) return nothing('in this file');
  // Not saved: in an open text the user sees what has changed, and undoes it.
  await applied(edit, false);
  said(plan);
}

/** With a preview each change can be looked at and left out. */
export async function fixWorkspace(client: Client, preview: boolean): Promise<void> {
  const { plan, edit } = await planned(client, {});
  if (!edit) return nothing('in this workspace');
  const chosen = preview ? await confirmed(edit) : { edit, plan };
  if (!chosen) return;
  await applied(chosen.edit, true);
  said(chosen.plan);
}

async function applied(edit: vscode.WorkspaceEdit, isRefactoring: boolean): Promise<void> {
  // As part of a refactoring files are saved, unless `files.refactoring.autoSave` says otherwise.
  if (!(await vscode.workspace.applyEdit(edit, { isRefactoring }))) {
    throw new Error('the editor did not apply the changes. A file may have changed meanwhile: try again.');
  }
  // The editor does so for several files only.
  if (isRefactoring && edit.size === 1 && vscode.workspace.getConfiguration('files').get('refactoring.autoSave', true)) {
    for (const [uri] of edit.entries()) await (await vscode.workspace.openTextDocument(uri)).save();
  }
}

interface Change extends vscode.QuickPickItem {
  readonly uri: vscode.Uri;
  readonly edit: vscode.TextEdit;
}

/**
 * Lists all changes, and gives those that are left. Not the editor's own preview: it begins with nothing chosen, and all of these
 * are sure.
 */
async function confirmed(edit: vscode.WorkspaceEdit): Promise<{ edit: vscode.WorkspaceEdit; plan: Counts } | undefined> {
  const changes: Change[] = [];
  for (const [uri, edits] of edit.entries()) {
    const lines = await linesOf(uri);
    for (const edit of edits) {
      const { start, end } = edit.range;
      const before = start.line === end.line ? (lines[start.line] ?? '').slice(start.character, end.character) : '…';
      const place = `${vscode.workspace.asRelativePath(uri)}:${start.line + 1}`;
      // Two lines: of a long one the end, which is what differs, would not be seen.
      changes.push({ label: place, detail: `${before} → ${edit.newText}`, picked: true, uri, edit });
    }
  }
  const chosen = await vscode.window.showQuickPick(changes, {
    title: `Fix ${changes.length} broken paths?`,
    placeHolder: 'Leave out what is to stay; Enter changes the others and saves them',
    canPickMany: true,
    matchOnDetail: true,
    ignoreFocusOut: true,
  });
  if (!chosen?.length) return undefined;
  const left = new vscode.WorkspaceEdit();
  for (const { uri, edit } of chosen) left.replace(uri, edit.range, edit.newText);
  return { edit: left, plan: { paths: chosen.length, files: left.size } };
}

/** The lines of a file as the editor has them. The file is not opened, because open events of hundreds of files reach all extensions. */
async function linesOf(uri: vscode.Uri): Promise<string[]> {
  const open = vscode.workspace.textDocuments.find((it) => it.uri.toString() === uri.toString());
  const text = open?.getText() ?? new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  return text.split(/\r\n|\n|\r/);
}

const nothing = (where: string): void => {
  void vscode.window.showInformationMessage(`Pathfinder: no broken path ${where} has a high-confidence fix.`);
};

/** Long enough to be read. */
const SHOWN_MS = 8_000;

const said = ({ paths, files }: Counts): void => {
  vscode.window.setStatusBarMessage(`Pathfinder: ${paths} ${paths === 1 ? 'path' : 'paths'} changed in ${files} ${files === 1 ? 'file' : 'files'}`, SHOWN_MS);
};
