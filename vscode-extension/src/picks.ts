// Lists to choose from: what a path may have meant, files that were found, paths that are broken.

import * as vscode from 'vscode';

import type { Client } from './client';
import { Hint, words } from './log';
import { openAt } from './opening';
import type { Candidate, Found, Resolved } from './protocol';
import { mentions } from './terminal';

/** As many as one looks through. */
const LISTED = 20;
/** Part of the best score that a candidate needs to be listed: others only share a few letters with the path. */
const LEAST_PART = 0.5;
/** A pause in typing after which it is asked: an answer takes milliseconds, a flicker at each letter is of no use. */
const PAUSE_MS = 40;

interface Item extends vscode.QuickPickItem {
  readonly candidate?: Candidate;
  /** From 1. */
  readonly line?: number | undefined;
}

interface Query {
  readonly title: string;
  readonly placeholder: string;
  readonly value: string;
  /** What is listed for a text, best first. */
  ask(text: string): Promise<Item[]>;
}

interface Choice {
  readonly candidate: Candidate;
  readonly text: string;
  readonly line?: number | undefined;
}

/** Shows a list that follows the typed text, and returns the chosen item. */
function chosen({ title, placeholder, value, ask }: Query): Promise<Choice | undefined> {
  return new Promise((resolve) => {
    const pick = vscode.window.createQuickPick<Item>();
    Object.assign(pick, { title, placeholder, value, ignoreFocusOut: true });
    let turn = 0;
    let pause: NodeJS.Timeout | undefined;
    const update = async (): Promise<void> => {
      const mine = ++turn;
      const text = pick.value.trim();
      pick.busy = true;
      const items = text ? await ask(text).catch((error): Item[] => [{ label: `$(error) ${words(error)}`, alwaysShow: true }]) : [];
      // What was asked for before may be answered later.
      if (mine !== turn) return;
      pick.items = items;
      pick.busy = false;
    };
    pick.onDidChangeValue(() => {
      clearTimeout(pause);
      pause = setTimeout(() => void update(), PAUSE_MS);
    });
    pick.onDidAccept(() => {
      const [item] = pick.selectedItems;
      if (!item?.candidate) return;
      resolve({ candidate: item.candidate, text: pick.value, line: item.line });
      pick.hide();
    });
    pick.onDidHide(() => {
      clearTimeout(pause);
      turn += 1;
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
    void update();
  });
}

const nothing = (why: string): Item[] => [{ label: '$(search-stop) Nothing', detail: why, alwaysShow: true }];

/** The editor would leave out what does not have the letters that were typed: a wrong path has others. */
const item = ({ path, score, root }: Candidate, more: { description?: string; detail?: string }): Item => ({
  label: path,
  ...(more.description && { description: more.description }),
  alwaysShow: true,
  candidate: { path, score, ...(root !== undefined && { root }) },
  ...(more.detail !== undefined && { detail: more.detail }),
});

/** The file in the active editor, to which a relative path may be relative. */
function fromFile(): { from_file?: string } {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri?.scheme === 'file' ? { from_file: uri.fsPath } : {};
}

async function asked(client: Client, text: string): Promise<Resolved> {
  const answer = await client.request<Resolved>('pathfinder/resolve', { failed_path: text, op: 'read', limit: LISTED, ...fromFile() });
  if (answer.status === 'error') throw new Error(answer.message ?? 'it could not be answered');
  return answer;
}

function listed(answer: Resolved): Item[] {
  const { path, root, why, confidence } = answer;
  const of = (candidate: Candidate, first: boolean): Item => {
    const sure = confidence !== undefined ? `${Math.round(confidence * 100)} %` : '';
    return item(candidate, first ? { description: sure, ...(why && { detail: why }) } : {});
  };
  const all = answer.candidates ?? [];
  const best = Math.max(...all.map(({ score }) => score));
  const candidates = all.filter(({ score }) => score >= best * LEAST_PART);
  const same = (it: Candidate) => it.path === path && it.root === root;
  // What is there exactly so is no candidate.
  if (path !== undefined && !candidates.some(same)) candidates.unshift({ path, score: 100, ...(root !== undefined && { root }) });
  return candidates.length > 0 ? candidates.map((it, at) => of(it, at === 0)) : nothing(why ?? 'no similar path exists');
}

async function opened(client: Client, { path, root }: Candidate, text: string): Promise<void> {
  const uri = await client.uri(path, root);
  const [said] = mentions(text);
  if (uri) await openAt(uri, said?.line, said?.column);
}

export async function resolvePath(client: Client, value: string): Promise<void> {
  const ask = async (text: string) => listed(await asked(client, text));
  const choice = await chosen({ title: 'Resolve Path', placeholder: 'A path that does not exist: from a log, a stack trace, another machine', value, ask });
  if (choice) await opened(client, choice.candidate, choice.text);
}

/** Opens what a text surely means, and else lists what it may mean. */
export async function resolveText(client: Client, text: string, whose: string): Promise<void> {
  const line = text.split('\n').find((line) => line.trim())?.trim();
  if (!line) throw new Hint(`${whose} has no text. Copy or select a path first.`);
  const answer = await asked(client, line);
  if (answer.path === undefined) return resolvePath(client, line);
  await opened(client, { path: answer.path, score: 100, ...(answer.root !== undefined && { root: answer.root }) }, line);
}

export async function findFile(client: Client, value: string): Promise<void> {
  const ask = async (query: string): Promise<Item[]> => {
    const { results } = await client.request<Found>('pathfinder/find', { query, limit: LISTED });
    return results.length > 0 ? results.map((it) => ({ ...item(it, it.why ? { detail: it.why } : {}), line: it.line })) : nothing('no file is like that');
  };
  const choice = await chosen({ title: 'Find File', placeholder: 'A part of a path, or a few words', value, ask });
  const uri = choice && (await client.uri(choice.candidate.path, choice.candidate.root));
  if (uri) await openAt(uri, choice.line);
}

interface Broken extends vscode.QuickPickItem {
  readonly uri?: vscode.Uri;
  readonly range?: vscode.Range;
}

/** All that is reported, most of it first by file. */
export async function showBroken(): Promise<void> {
  const all = vscode.languages.getDiagnostics().flatMap(([uri, list]): Broken[] => {
    const own = list.filter(({ source }) => source === 'pathfinder');
    return own.map(({ message, range }) => ({
      label: `$(link) ${message}`,
      description: `${vscode.workspace.asRelativePath(uri)}:${range.start.line + 1}`,
      uri,
      range,
    }));
  });
  if (all.length === 0) {
    void vscode.window.showInformationMessage('Pathfinder: no broken paths are known in this workspace.');
    return;
  }
  all.sort((a, b) => (a.description ?? '').localeCompare(b.description ?? '', undefined, { numeric: true }));
  const items: Broken[] = [{ label: '$(list-tree) Open the Problems view' }, { label: '', kind: vscode.QuickPickItemKind.Separator }, ...all];
  const choice = await vscode.window.showQuickPick(items, { title: `${all.length} broken paths`, matchOnDescription: true });
  if (!choice) return;
  if (choice.uri) await vscode.window.showTextDocument(choice.uri, choice.range ? { selection: choice.range } : {});
  else await vscode.commands.executeCommand('workbench.actions.view.problems');
}
