// The status bar item: state of the program and number of broken paths.

import * as vscode from 'vscode';

import type { Client, State } from './client';
import { SOURCE } from './doubles';
import { SECTION, wantsDiagnostics, wantsWorkspaceDiagnostics } from './settings';

/** Left of the editor's own, beside problems. */
const PRIORITY = 10;

export interface View {
  readonly text: string;
  readonly tooltip: string;
  readonly is: 'plain' | 'warning' | 'error';
}

/** What the Problems view shows of the program, and what is left out of it. */
export interface Counts {
  readonly broken: number;
  /** Files that have any. */
  readonly files: number;
  /** Reported by other extensions too, and shown as theirs. */
  readonly hidden: number;
}

const NAME = 'Pathfinder';
const some = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/** Text and tooltip for a state. */
export function view(state: State, { broken, files, hidden }: Counts): View {
  const plain = (icon: string, tooltip: string, more = ''): View => ({ text: `$(${icon}) ${NAME}${more}`, tooltip, is: 'plain' });
  switch (state.is) {
    case 'starting':
      return plain('sync~spin', 'Pathfinder is starting');
    case 'waiting':
      return { text: `$(warning) ${NAME}`, tooltip: `Pathfinder crashed (${state.crashes}) and restarts`, is: 'warning' };
    case 'stopped':
      return { text: `$(error) ${NAME}`, tooltip: `Pathfinder is not running: ${state.why}`, is: 'error' };
    case 'running':
  }
  const { status } = state;
  const other = hidden > 0 ? `; ${hidden} more that other extensions report` : '';
  const found = `${some(broken, 'broken path')} in ${some(files, 'file')}${other}`;
  switch (status.state) {
    case 'indexing':
      return plain('sync~spin', 'Pathfinder is indexing the workspace', ': indexing');
    case 'checking':
      return plain('sync~spin', `Pathfinder is checking ${status.files} files; so far ${found}`, ': checking');
    case 'failed':
      return { text: `$(error) ${NAME}`, tooltip: `Pathfinder cannot read the workspace: ${status.message ?? 'see the log'}`, is: 'error' };
    case 'ready': {
      if (!wantsDiagnostics()) return plain('circle-slash', 'Broken paths are not reported: the setting pathfinder.diagnostics is off', ': off');
      if (status.files === 0) return plain('check', 'No files to check. Open a folder or a file.');
      const covered = wantsWorkspaceDiagnostics() ? `all ${status.files} files of the workspace` : 'open files only';
      return broken === 0
        ? plain('check', `No broken paths${other}. Checked: ${covered}`)
        : plain('link', `${found}. Checked: ${covered}`, `: ${broken} broken`);
    }
  }
}

/** Counts as the Problems view does, so that both say the same. */
function counted(hidden: number): Counts {
  let [broken, files] = [0, 0];
  for (const [, list] of vscode.languages.getDiagnostics()) {
    const own = list.filter(({ source }) => source === SOURCE).length;
    broken += own;
    files += own > 0 ? 1 : 0;
  }
  return { broken, files, hidden };
}

/** Others change their diagnostics in bursts, and each count looks at all. */
const COUNT_MS = 100;

export class StatusItem implements vscode.Disposable {
  readonly #item = vscode.window.createStatusBarItem('pathfinder.status', vscode.StatusBarAlignment.Left, PRIORITY);
  readonly #subscription: vscode.Disposable;
  #late: NodeJS.Timeout | undefined;
  #view: View;

  constructor(client: Client) {
    this.#item.name = 'Pathfinder';
    this.#item.command = 'pathfinder.showStatus';
    const now = () => view(client.state, counted(client.doubles.hidden));
    this.#view = now();
    const update = () => this.#show(now());
    const soon = () => (this.#late ??= setTimeout(() => ((this.#late = undefined), update()), COUNT_MS));
    this.#subscription = vscode.Disposable.from(
      client.onDidChange(update),
      client.doubles.onDidChange(soon),
      vscode.languages.onDidChangeDiagnostics(soon),
      vscode.workspace.onDidChangeConfiguration((change) => change.affectsConfiguration(SECTION) && update()),
    );
    update();
    this.#item.show();
  }

  /** The text and tooltip on display. */
  get view(): View {
    return this.#view;
  }

  dispose(): void {
    clearTimeout(this.#late);
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
