// One entry where another extension gives the same: a compiler's diagnostic, its completion, its link.

import * as vscode from 'vscode';
import { DocumentDiagnosticRequest, type LanguageClient, type Middleware, vsdiag } from 'vscode-languageclient/node';

/** Source of the program's own diagnostics. */
export const SOURCE = 'pathfinder';

/** How long others may change their diagnostics before ours are looked at again: they come in bursts. */
const PAUSE_MS = 100;

/**
 * Codes of diagnostics that say that a path is broken, whatever the language of their message: TypeScript's, Pyright's,
 * rust-analyzer's and rustc's, clangd's, those of VS Code's Markdown, and of ESLint's import rules.
 */
const BROKEN_CODES: ReadonlySet<string> = new Set([
  '2306', '2307', '2732', '2792', '5083', '6053',
  'reportMissingImports', 'reportMissingModuleSource',
  'unresolved-module', 'E0583',
  'pp_file_not_found',
  'link.no-such-file', 'link.no-such-header-in-file', 'link.no-such-header-in-own-file',
  'import/no-unresolved', 'import-x/no-unresolved', 'n/no-missing-import', 'n/no-missing-require',
]);
/** What others say of a path that is broken. A spelling or a style at the same place is another matter. */
const BROKEN_WORDS = /\b(cannot|can't|could not|unable to) (find|resolve|import|be resolved)\b|could not be (found|resolved)|\bunresolved\b|\bnot found\b|\bno such (file|module)\b|\bdoes not exist\b/i;

/** Whether another extension says that a path is broken. */
export function saysBroken({ source, severity, code, message }: vscode.Diagnostic): boolean {
  if (source === SOURCE || severity > vscode.DiagnosticSeverity.Warning) return false;
  const value = String(typeof code === 'object' ? code.value : (code ?? ''));
  return BROKEN_CODES.has(value) || BROKEN_WORDS.test(message);
}

const keyOf = (target: vscode.TextDocument | vscode.Uri): string => (target instanceof vscode.Uri ? target : target.uri).toString();

/** What another extension says of the same place. */
const others = (uri: vscode.Uri, range: vscode.Range): vscode.Diagnostic[] =>
  vscode.languages.getDiagnostics(uri).filter((it) => saysBroken(it) && it.range.intersection(range) !== undefined);

/** A completion's name, as it is compared: what ends in a slash or an extension for one provider does not for another. */
const nameOf = ({ label }: vscode.CompletionItem): string => (typeof label === 'string' ? label : label.label).replace(/[\\/]$/, '');
const isSameName = (a: string, b: string): boolean => a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`);
/** Kinds that other providers give to paths; a word of the text is none. */
const PATH_KINDS = [vscode.CompletionItemKind.File, vscode.CompletionItemKind.Folder, vscode.CompletionItemKind.Module];

export class Doubles implements vscode.Disposable {
  /** All diagnostics of the program by document, and the number of them that are left out. */
  readonly #all = new Map<string, { readonly items: vscode.Diagnostic[]; hidden: number }>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable[];
  /** Documents whose other providers are being asked: the program's own gives nothing meanwhile. */
  readonly #asking = new Set<string>();
  #client: LanguageClient | undefined;
  #pause: NodeJS.Timeout | undefined;

  constructor() {
    this.#subscriptions = [
      this.#changed,
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        const isOther = (uri: vscode.Uri): boolean => {
          const known = this.#all.get(uri.toString());
          return known !== undefined && known.hidden !== known.items.length - this.#shown(uri, known.items).length;
        };
        if (!uris.some(isOther)) return;
        clearTimeout(this.#pause);
        this.#pause = setTimeout(() => this.#pull(), PAUSE_MS);
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (this.#all.delete(uri.toString())) this.#changed.fire();
      }),
    ];
  }

  /** Says that the number of diagnostics that are left out may have changed. */
  readonly onDidChange = this.#changed.event;

  /** How many are left out because another extension reports them. */
  get hidden(): number {
    return [...this.#all.values()].reduce((sum, { hidden }) => sum + hidden, 0);
  }

  /** Follows a client, whose middleware is `middleware`. */
  follow(client: LanguageClient): void {
    this.#client = client;
    this.#all.clear();
  }

  readonly middleware: Middleware = {
    provideDiagnostics: async (document, _previous, token, next) => {
      // Always whole: what is left out may change although the program's answer is the same.
      const report = await next(document, undefined, token);
      if (report?.kind !== vsdiag.DocumentDiagnosticReportKind.full) return report;
      const items = this.#shown(document instanceof vscode.Uri ? document : document.uri, report.items);
      this.#all.set(keyOf(document), { items: report.items, hidden: report.items.length - items.length });
      this.#changed.fire();
      return { ...report, items };
    },
    // With an error or a link of its own at a place, a hover says the same once more.
    provideHover: (document, position, token, next) => {
      const own = vscode.languages.getDiagnostics(document.uri).some(({ source, range }) => source === SOURCE && range.contains(position));
      return own ? undefined : next(document, position, token);
    },
    provideDocumentLinks: async (document, token, next) => {
      const key = `link ${keyOf(document)}`;
      if (this.#asking.has(key)) return [];
      const own = await next(document, token);
      if (!own?.length) return own;
      const given = await this.#ask<vscode.DocumentLink[]>(key, 'vscode.executeLinkProvider', document.uri);
      return own.filter(({ range }) => !given?.some((it) => it.range.intersection(range) !== undefined));
    },
    provideCompletionItem: async (document, position, context, token, next) => {
      const key = `completion ${keyOf(document)}`;
      if (this.#asking.has(key)) return [];
      const own = await next(document, position, context, token);
      const items = Array.isArray(own) ? own : own?.items;
      if (!items?.length) return own;
      const list = await this.#ask<vscode.CompletionList>(key, 'vscode.executeCompletionItemProvider', document.uri, position);
      const given = (list?.items ?? []).filter(({ kind }) => kind !== undefined && PATH_KINDS.includes(kind)).map(nameOf);
      const left = items.filter((item) => !given.some((name) => isSameName(name, nameOf(item))));
      return Array.isArray(own) ? left : new vscode.CompletionList(left, own?.isIncomplete);
    },
  };

  dispose(): void {
    clearTimeout(this.#pause);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #shown(uri: vscode.Uri, items: readonly vscode.Diagnostic[]): vscode.Diagnostic[] {
    return items.filter(({ range }) => others(uri, range).length === 0);
  }

  /** Has the client ask for the diagnostics of all open documents again. */
  #pull(): void {
    const feature = this.#client?.isRunning() ? this.#client.getFeature(DocumentDiagnosticRequest.method) : undefined;
    for (const document of vscode.workspace.textDocuments) {
      const provider = feature?.getProvider(document);
      if (!provider) continue;
      // One asks for all documents.
      provider.onDidChangeDiagnosticsEmitter.fire();
      return;
    }
  }

  async #ask<T>(key: string, command: string, ...args: unknown[]): Promise<T | undefined> {
    this.#asking.add(key);
    try {
      return await vscode.commands.executeCommand<T>(command, ...args);
    } catch {
      // Another extension's fault: then nothing is known of it.
      return undefined;
    } finally {
      this.#asking.delete(key);
    }
  }
}
