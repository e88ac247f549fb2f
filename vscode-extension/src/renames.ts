// Saves the files that a rename has changed, as the editor does after its own refactorings.

import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient/node';

type Workspace = NonNullable<Middleware['workspace']>;

/** How long the editor may take to apply an edit after a rename. */
const APPLIED_MS = 5_000;
const PAUSE_MS = 50;

export class Renames implements vscode.Disposable {
  /** Files that were saved before the rename, with what its edit changes in them: by their names before it. */
  #changing = new Set<string>();
  readonly #subscription = vscode.workspace.onDidRenameFiles(({ files }) => void this.#save(files));

  readonly middleware: Workspace = {
    willRenameFiles: async (event, next: (event: vscode.FileWillRenameEvent) => Thenable<vscode.WorkspaceEdit | null | undefined>) => {
      const edit = await next(event);
      const dirty = new Set(vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty).map(({ uri }) => uri.toString()));
      // What the user has not saved yet stays so.
      const clean = edit?.entries().filter(([uri, edits]) => edits.length > 0 && !dirty.has(uri.toString())) ?? [];
      this.#changing = new Set(clean.map(([uri]) => uri.toString()));
      return edit;
    },
  };

  dispose(): void {
    this.#subscription.dispose();
  }

  async #save(files: readonly { readonly oldUri: vscode.Uri; readonly newUri: vscode.Uri }[]): Promise<void> {
    const changing = this.#changing;
    this.#changing = new Set();
    if (changing.size === 0 || !vscode.workspace.getConfiguration('files').get('refactoring.autoSave', true)) return;
    const renamed = (uri: string): string => {
      const moved = files.find(({ oldUri }) => uri === oldUri.toString() || uri.startsWith(`${oldUri}/`));
      return moved ? `${moved.newUri}${uri.slice(moved.oldUri.toString().length)}` : uri;
    };
    const left = new Set([...changing].map(renamed));
    for (const end = Date.now() + APPLIED_MS; left.size > 0 && Date.now() < end; ) {
      for (const document of vscode.workspace.textDocuments) {
        const key = document.uri.toString();
        if (left.has(key) && document.isDirty && (await document.save())) left.delete(key);
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

