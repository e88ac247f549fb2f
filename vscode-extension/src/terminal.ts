// A wrong path that is printed in a terminal is a link to the file that was meant.

import * as vscode from 'vscode';

import type { Client } from './client';
import { openAt } from './opening';
import type { Resolved } from './protocol';
import { wantsTerminalLinks } from './settings';

/** A line that is longer was not printed for people. */
const LINE_MAX = 2_000;
/** Paths that are asked for in one line. */
const PATHS_MAX = 8;
/** Answers that are kept while lines are pointed at. What is printed again is asked for again after that many others. */
const KEPT_MAX = 200;
/** How long an answer is kept: a file may come or go. */
const KEPT_MS = 5_000;

export interface Link extends vscode.TerminalLink {
  readonly target: vscode.Uri;
  readonly line: number | undefined;
  readonly column: number | undefined;
}

/** A text in a line of a terminal that looks like a path. */
export interface Mention {
  readonly path: string;
  readonly start: number;
  /** With what says which line is meant. */
  readonly length: number;
  readonly line?: number;
  readonly column?: number;
}

/**
 * Quotes, brackets and spaces end a path, and so does what stands behind a sentence. A place can follow: `:12:5`, `(12,5)`,
 * `", line 12`.
 */
const PATH = /(?:\b[A-Za-z]:(?=[\\/]))?[^\s"'`<>|:;,()[\]{}*?=]+/gu;
const PLACE = /^(?::(\d+)(?::(\d+))?|\((\d+)(?:,\s*(\d+))?\)|["'],? line (\d+))/;
/** An ending has letters: `1.2` is a number and `v1.2.3` a version. */
const ENDING = /[^./\\]\.[A-Za-z][A-Za-z0-9]{0,9}$/;

export function mentions(line: string): Mention[] {
  const found: Mention[] = [];
  if (line.length > LINE_MAX) return found;
  for (const match of line.matchAll(PATH)) {
    const path = match[0].replace(/[.!…]+$/u, '');
    const start = match.index;
    const isUrl = /^[\\/]{2}/.test(path) && line[start - 1] === ':';
    if (isUrl || !ENDING.test(path)) continue;
    const place = PLACE.exec(line.slice(start + path.length));
    const [at, column] = place ? [place[1] ?? place[3] ?? place[5], place[2] ?? place[4]] : [];
    // A name alone is as likely a word of a sentence (`node.js`) or a host, unless it says which line is meant.
    if (!/[\\/]/.test(path) && at === undefined) continue;
    found.push({
      path,
      start,
      length: path.length + (place && !place[5] ? place[0].length : 0),
      ...(at !== undefined && { line: Number(at) }),
      ...(column !== undefined && { column: Number(column) }),
    });
    if (found.length === PATHS_MAX) break;
  }
  return found;
}

export class TerminalLinks implements vscode.TerminalLinkProvider<Link> {
  readonly #kept = new Map<string, { readonly at: number; readonly uri: Promise<Target | undefined> }>();

  constructor(private readonly client: Client) {}

  async provideTerminalLinks({ line, terminal }: vscode.TerminalLinkContext, token: vscode.CancellationToken): Promise<Link[]> {
    if (!wantsTerminalLinks() || this.client.state.is !== 'running') return [];
    const cwd = terminal.shellIntegration?.cwd;
    const links = await Promise.all(
      mentions(line).map(async ({ path, start, length, line, column }): Promise<Link | undefined> => {
        const target = await this.#target(path, cwd);
        if (!target) return undefined;
        return { startIndex: start, length, tooltip: `Open ${target.shown} (${target.why})`, target: target.uri, line, column };
      }),
    );
    return token.isCancellationRequested ? [] : links.filter((link) => link !== undefined);
  }

  async handleTerminalLink(link: Link): Promise<void> {
    await openAt(link.target, link.line, link.column);
  }

  /** Where a wrong path was meant to lead; nothing if it is right, or if it is not sure. */
  #target(path: string, cwd: vscode.Uri | undefined): Promise<Target | undefined> {
    const key = `${cwd?.toString() ?? ''}\n${path}`;
    const now = Date.now();
    const known = this.#kept.get(key);
    if (known && now - known.at < KEPT_MS) return known.uri;
    if (this.#kept.size >= KEPT_MAX) this.#kept.clear();
    const uri = this.#asked(path, cwd).catch(() => undefined);
    this.#kept.set(key, { at: now, uri });
    return uri;
  }

  async #asked(path: string, cwd: vscode.Uri | undefined): Promise<Target | undefined> {
    // What is there, seen from where the terminal is, the editor links by itself.
    if (cwd?.scheme === 'file' && (await isThere(vscode.Uri.joinPath(cwd, path)))) return undefined;
    const answer = await this.client.request<Resolved>('pathfinder/resolve', { failed_path: path, op: 'stat', limit: 1 });
    if (answer.status !== 'resolved' || answer.path === undefined) return undefined;
    const uri = await this.client.uri(answer.path, answer.root);
    return uri && { uri, shown: answer.path, why: answer.why ?? 'what was meant' };
  }
}

interface Target {
  readonly uri: vscode.Uri;
  readonly shown: string;
  readonly why: string;
}

const isThere = async (uri: vscode.Uri): Promise<boolean> => {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
};
