// What a rename changes: without the files that another extension changes, and saved as the editor does after its own refactorings.

import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient/node';

type Workspace = NonNullable<Middleware['workspace']>;

/** How long the editor may take to apply an edit after a rename. */
const APPLIED_MS = 5_000;
const PAUSE_MS = 50;

/**
 * Extensions that change the files of their language themselves when such files are renamed. The editor joins all edits into one, and
 * refuses it where two of them change the same text: then nothing would be changed. Extensions that wait until the files have their new
 * names (TypeScript, Svelte) look at what is left, and need no place here.
 */
const CHANGED_BY_OTHERS: readonly (readonly [files: RegExp, extension: string])[] = [
  [/\.dart$/, 'Dart-Code.dart-code'],
  [/\.java$/, 'redhat.java'],
  [/\.pyi?$/, 'ms-python.vscode-pylance'],
  [/\.rs$/, 'rust-lang.rust-analyzer'],
  [/\.(scala|sc)$/, 'scalameta.metals'],
];

/** The part of the program's edit that no other extension makes. The program changes only texts. */
function ownPart(edit: vscode.WorkspaceEdit, renamed: vscode.FileWillRenameEvent['files']): vscode.WorkspaceEdit {
  // A name without an ending may be a directory with files of any language.
  const concerns = (files: RegExp): boolean => renamed.some(({ oldUri: { path } }) => files.test(path) || !/\.[^/]*$/.test(path));
  const others = CHANGED_BY_OTHERS.filter(([files, id]) => concerns(files) && vscode.extensions.getExtension(id)?.isActive === true);
  const own = new vscode.WorkspaceEdit();
  for (const [uri, edits] of edit.entries()) if (!others.some(([files]) => files.test(uri.path))) own.set(uri, edits);
  return own;
}

export class Renames implements vscode.Disposable {
  /** Files that were saved before the rename, with what its edit changes in them: by their names before it. */
  #changing = new Set<string>();
  readonly #subscription = vscode.workspace.onDidRenameFiles(({ files }) => void this.#save(files));

  readonly middleware: Workspace = {
    willRenameFiles: async (event, next: (event: vscode.FileWillRenameEvent) => Thenable<vscode.WorkspaceEdit | null | undefined>) => {
      const all = await next(event);
      const edit = all && ownPart(all, event.files);
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

