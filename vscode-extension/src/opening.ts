// Opening what was found: files in an editor, directories in the explorer.

import * as vscode from 'vscode';

/** Opens a file at a line and column as people count them, from 1. */
export async function openAt(uri: vscode.Uri, line?: number, column?: number): Promise<void> {
  const { type } = await vscode.workspace.fs.stat(uri);
  if (type & vscode.FileType.Directory) {
    await vscode.commands.executeCommand('revealInExplorer', uri);
    return;
  }
  const at = new vscode.Position(Math.max((line ?? 1) - 1, 0), Math.max((column ?? 1) - 1, 0));
  // Not only texts can be meant: images and notebooks have editors of their own.
  await vscode.commands.executeCommand('vscode.open', uri, line === undefined ? {} : { selection: new vscode.Range(at, at) });
}
