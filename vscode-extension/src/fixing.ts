// Mending all broken paths of which it is sure what was meant.

import * as vscode from 'vscode';

import type { Client } from './client';

/** What `pathfinder.fixAll` answers when it is only to plan. */
interface Plan {
  readonly files: number;
  readonly paths: number;
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
    throw new Error('no file is open in the editor. Open the one whose paths are to be fixed.');
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
  await applied(preview ? toConfirm(edit) : edit, true);
  if (!preview) said(plan);
}

async function applied(edit: vscode.WorkspaceEdit, isRefactoring: boolean): Promise<void> {
  // As part of a refactoring files are saved, unless `files.refactoring.autoSave` says otherwise.
  if (await vscode.workspace.applyEdit(edit, { isRefactoring })) return;
  if (isRefactoring) return; // Declined in the preview.
  throw new Error('the editor did not apply the changes. The file may have changed meanwhile: try again.');
}

function toConfirm(edit: vscode.WorkspaceEdit): vscode.WorkspaceEdit {
  const asked = new vscode.WorkspaceEdit();
  for (const [uri, edits] of edit.entries()) {
    for (const { range, newText } of edits) asked.replace(uri, range, newText, { needsConfirmation: true, label: 'Paths that lead nowhere' });
  }
  return asked;
}

const nothing = (where: string): void => {
  void vscode.window.showInformationMessage(`Pathfinder: no path ${where} is both broken and sure to be mended right.`);
};

/** Long enough to be read. */
const SHOWN_MS = 8_000;

const said = ({ paths, files }: Plan): void => {
  vscode.window.setStatusBarMessage(`Pathfinder: ${paths} paths changed in ${files} ${files === 1 ? 'file' : 'files'}`, SHOWN_MS);
};
