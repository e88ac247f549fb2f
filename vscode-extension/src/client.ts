// The program as a language server: started, watched over, started again after it has crashed, and given up in plain words.

import * as vscode from 'vscode';
import { type Binary, NoBinary, find } from './binary';
import { type Conversation, begin, end } from './conversation';
import { Doubles } from './doubles';
import { downloaded } from './download';
import { waysToInstall } from './installing';
import { type Log, words } from './log';
import type { Root, Status } from './protocol';
import { Renames } from './renames';
import { OF_THE_PROGRAM, SECTION, namedProgram, programOfTheUser, untrustedProgram } from './settings';

/** Pauses before each restart after a crash. A program that crashes after the last pause is broken. */
const PAUSES_MS = [500, 2_000, 5_000, 15_000] as const;
/** After so long without a crash the count starts anew. */
const HEALTHY_MS = 180_000;

export type State =
  | { readonly is: 'starting' }
  | { readonly is: 'running'; readonly status: Status }
  | { readonly is: 'waiting'; readonly crashes: number }
  | { readonly is: 'stopped'; readonly why: string };

export class Client implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  /** What is left out because other extensions have it. */
  readonly doubles = new Doubles();
  readonly #renames = new Renames();
  readonly #subscriptions: vscode.Disposable[] = [this.#changed, this.doubles, this.#renames];
  #language: Conversation | undefined;
  #binary: Binary | undefined;
  #state: State = { is: 'starting' };
  #crashes: number[] = [];
  #again: NodeJS.Timeout | undefined;
  /** What was said to be not run: once is enough. */
  #refused: string | undefined;
  /** Goes up with each start and end: what an earlier one still says is not listened to. */
  #turn = 0;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: Log,
  ) {
    this.#subscriptions.push(
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (OF_THE_PROGRAM.some((name) => change.affectsConfiguration(`${SECTION}.${name}`))) void this.restart();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => void this.restart()),
    );
  }

  /** Says that state, program or status are others than before. */
  readonly onDidChange = this.#changed.event;

  get state(): State {
    return this.#state;
  }

  /** The program that runs, or ran last. */
  get binary(): Binary | undefined {
    return this.#binary;
  }

  /** The path of the program that was downloaded for this version of the extension. */
  get downloaded(): string {
    return downloaded(this.context.globalStorageUri.fsPath, String(this.context.extension.packageJSON.version));
  }

  /** The program to be run. Throws if there is none. */
  async program(): Promise<Binary> {
    const refused = await untrustedProgram();
    if (refused !== undefined) this.#sayRefused(refused);
    const named = refused === undefined ? namedProgram() : programOfTheUser();
    return find({ named, extension: this.context.extensionPath, downloaded: this.downloaded, env: process.env });
  }

  /** Starts it. What goes wrong is said to the user, and in `state`. */
  async start(): Promise<void> {
    const turn = ++this.#turn;
    const isOver = () => turn !== this.#turn;
    this.#release();
    this.#become({ is: 'starting' });
    try {
      const binary = await this.program();
      if (isOver()) return;
      this.#binary = binary;
      this.log.info(`starting ${binary.path} ${binary.version} (${binary.from})`);
      const middleware = { ...this.doubles.middleware, workspace: this.#renames.middleware };
      const language = begin(binary, this.log, middleware, () => {
        if (!isOver()) this.#crashed();
      });
      this.#language = language;
      this.doubles.follow(language.client);
      let wasReady = false;
      language.client.onNotification('pathfinder/status', (status: Status) => {
        if (isOver()) return;
        this.#become({ is: 'running', status });
        if (status.state !== 'ready' || wasReady) return;
        wasReady = true;
        void this.#logReady(status);
      });
      await language.client.start();
    } catch (error) {
      if (isOver()) return;
      this.log.error(words(error));
      if (error instanceof NoBinary) this.#giveUp(error.message, error.isMissing);
      else this.#crashed();
    }
  }

  async restart(): Promise<void> {
    this.#crashes = [];
    await this.#end();
    await this.start();
  }

  /** Sends a request. Throws, in words for people, when it is not running. */
  async request<T>(method: string, params?: unknown): Promise<T> {
    const language = this.#language?.client;
    if (!language?.isRunning()) throw new Error(`pathfinder is not running${this.#state.is === 'stopped' ? `: ${this.#state.why}` : ' yet'}`);
    // What is given is sent, also if it is undefined: as a list of one nothing.
    return params === undefined ? language.sendRequest<T>(method) : language.sendRequest<T>(method, params);
  }

  /** An edit as the program sends it → one of the editor. */
  async edit(edit: unknown): Promise<vscode.WorkspaceEdit | undefined> {
    return this.#language?.client.protocol2CodeConverter.asWorkspaceEdit(edit as never);
  }

  /** What the program calls a file. */
  named(uri: vscode.Uri): string {
    return this.#language?.client.code2ProtocolConverter.asUri(uri) ?? uri.toString();
  }

  /** Where a path that it has answered is. */
  async uri(path: string, root?: string): Promise<vscode.Uri | undefined> {
    if (root === undefined) {
      const { roots } = await this.request<{ roots: Root[] }>('pathfinder/roots');
      root = roots[0]?.path;
    }
    return root === undefined ? undefined : vscode.Uri.joinPath(vscode.Uri.file(root), path);
  }

  dispose(): Promise<void> {
    for (const subscription of this.#subscriptions.splice(0)) subscription.dispose();
    return this.#end();
  }

  /** What a healthy session is asked for when something is reported. */
  async #logReady({ version, files }: Status): Promise<void> {
    const { roots } = await this.request<{ roots: Root[] }>('pathfinder/roots').catch(() => ({ roots: [] as Root[] }));
    const names = roots.map(({ path }) => path).join(', ') || 'none';
    this.log.info(`ready: version ${version}, program ${this.#binary?.path ?? ''}, roots ${names}, ${files} files`);
  }

  #crashed(): void {
    const turn = ++this.#turn;
    const now = Date.now();
    this.#crashes = [...this.#crashes.filter((at) => now - at < HEALTHY_MS), now];
    this.#release();
    const count = this.#crashes.length;
    const pause = PAUSES_MS[count - 1];
    if (pause === undefined) {
      this.#giveUp(`${this.#binary?.path ?? 'the program'} has crashed ${count} times in a row. The log may say why.`);
      return;
    }
    this.log.warn(`it has ended unexpectedly (${count}); it is started again in ${pause} ms`);
    this.#become({ is: 'waiting', crashes: count });
    this.#again = setTimeout(() => {
      if (turn === this.#turn) void this.start();
    }, pause);
  }

  #giveUp(why: string, isMissing = false): void {
    this.#release();
    this.#become({ is: 'stopped', why });
    this.#offer('error', `Pathfinder: ${why}`, {
      ...(isMissing
        ? waysToInstall(this.context, this.log, () => this.restart())
        : { 'Open Settings': () => vscode.commands.executeCommand('workbench.action.openSettings', 'pathfinder.path'), 'Open Log': () => this.log.show() }),
      'Try Again': () => this.restart(),
    });
  }

  #sayRefused(named: string): void {
    if (this.#refused === named) return;
    this.#refused = named;
    this.log.warn(`not run, as this workspace is not trusted: ${named}`);
    this.#offer('warning', `Pathfinder: this workspace names a program of its own, ${named}. It is not run, as the workspace is not trusted.`, {
      'Manage Workspace Trust': () => vscode.commands.executeCommand('workbench.trust.manage'),
    });
  }

  #offer(kind: 'error' | 'warning', message: string, ways: Record<string, () => unknown>): void {
    const show = kind === 'error' ? vscode.window.showErrorMessage : vscode.window.showWarningMessage;
    void show(message, ...Object.keys(ways)).then((chosen) => (chosen === undefined ? undefined : ways[chosen]?.()));
  }

  #become(state: State): void {
    this.#state = state;
    this.#changed.fire();
  }

  /** Lets go of a client that has ended. */
  #release(): void {
    const language = this.#language;
    this.#language = undefined;
    // One that never came up throws.
    if (language) void end(language).catch(() => undefined);
  }

  async #end(): Promise<void> {
    this.#turn += 1;
    clearTimeout(this.#again);
    const language = this.#language;
    this.#language = undefined;
    try {
      if (language) await end(language);
    } catch (error) {
      this.log.debug(`it did not end well: ${words(error)}`);
    }
  }
}
