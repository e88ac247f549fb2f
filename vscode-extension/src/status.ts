// The status bar item: state of the program and number of broken paths.

import * as vscode from 'vscode';

import type { Client, State } from './client';

/** Left of the editor's own, beside problems. */
const PRIORITY = 10;

export interface View {
  readonly text: string;
  readonly tooltip: string;
  readonly is: 'plain' | 'warning' | 'error';
}

/** Text and tooltip for a state. */
export function view(state: State): View {
  const plain = (text: string, tooltip: string): View => ({ text, tooltip, is: 'plain' });
  switch (state.is) {
    case 'starting':
      return plain('$(sync~spin) Paths', 'Pathfinder is starting');
    case 'waiting':
      return { text: '$(warning) Paths', tooltip: `Pathfinder crashed (${state.crashes}) and restarts`, is: 'warning' };
    case 'stopped':
      return { text: '$(error) Paths', tooltip: `Pathfinder is not running: ${state.why}`, is: 'error' };
    case 'running':
  }
  const { status } = state;
  const broken = `${status.broken} broken ${status.broken === 1 ? 'path' : 'paths'}`;
  switch (status.state) {
    case 'indexing':
      return plain('$(sync~spin) Indexing paths', 'Pathfinder is indexing the workspace');
    case 'checking':
      return plain('$(sync~spin) Checking paths', `Pathfinder is checking ${status.files} files; so far ${broken}`);
    case 'failed':
      return { text: '$(error) Paths', tooltip: `Pathfinder cannot read the workspace: ${status.message ?? 'see the log'}`, is: 'error' };
    case 'ready':
      if (status.files === 0) return plain('$(check) Paths', 'No files to check. Open a folder or a file.');
      return status.broken === 0
        ? plain('$(check) Paths', `No broken paths in ${status.files} files`)
        : plain(`$(link) ${broken}`, `${broken} in ${status.files} files`);
  }
}

export class StatusItem implements vscode.Disposable {
  readonly #item = vscode.window.createStatusBarItem('pathfinder.status', vscode.StatusBarAlignment.Left, PRIORITY);
  readonly #subscription: vscode.Disposable;
  #view: View;

  constructor(client: Client) {
    this.#item.name = 'Pathfinder';
    this.#item.command = 'pathfinder.showStatus';
    this.#view = view(client.state);
    const update = () => this.#show(view(client.state));
    this.#subscription = client.onDidChange(update);
    update();
    this.#item.show();
  }

  /** The text and tooltip on display. */
  get view(): View {
    return this.#view;
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#item.dispose();
  }

  #show(view: View): void {
    this.#view = view;
    this.#item.text = view.text;
    this.#item.tooltip = view.tooltip;
    this.#item.backgroundColor = view.is === 'plain' ? undefined : new vscode.ThemeColor(`statusBarItem.${view.is}Background`);
  }
}
