// The settings that the extension itself follows. All others are asked for by the program.

import * as vscode from 'vscode';

export const SECTION = 'pathfinder';

/** What decides which program is run, and how. After a change of it the program is started again. */
export const OF_THE_PROGRAM = ['path', 'log', 'cacheDir'] as const;

const all = () => vscode.workspace.getConfiguration(SECTION);

export const wantsTerminalLinks = (): boolean => all().get('terminalLinks', true);
export const wantsDiagnostics = (): boolean => all().get('diagnostics', true);
export const wantsWorkspaceDiagnostics = (): boolean => all().get('workspaceDiagnostics', true);
export const wantsMcp = (): boolean => all().get('mcp', true);

/** The program that the user's or the workspace's settings name; empty if neither does. */
export const namedProgram = (): string => all().get('path', '').trim();

/** The setting in a file of settings, which may have comments. */
const NAMED = /"pathfinder\.path"\s*:\s*("(?:[^"\\]|\\.)+")/;

/**
 * The program that an untrusted workspace names. The editor acts as if there was no
 * such setting, so that it is read from the files: the user should know why it is not followed. Some forks do follow it.
 */
export async function untrustedProgram(): Promise<string | undefined> {
  if (vscode.workspace.isTrusted) return undefined;
  const said = all().inspect<string>('path');
  const named = [said?.workspaceValue, said?.workspaceFolderValue].find((value) => typeof value === 'string' && value.trim());
  if (named) return named.trim();
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  const files = [...workspaceFolders.map(({ uri }) => vscode.Uri.joinPath(uri, '.vscode/settings.json')), ...(workspaceFile ? [workspaceFile] : [])];
  for (const file of files) {
    try {
      const literal = NAMED.exec(new TextDecoder().decode(await vscode.workspace.fs.readFile(file)))?.[1];
      if (literal) return String(JSON.parse(literal));
    } catch {
      // There is none, or it is no JSON: then the editor does not follow it either.
    }
  }
  return undefined;
}

/** The program that was named outside of the workspace. */
export const programOfTheUser = (): string => (all().inspect<string>('path')?.globalValue ?? '').trim();

/** What the program finds in its environment. */
export function environment(): Record<string, string> {
  const cache = all().get('cacheDir', '').trim();
  return { PATHFINDER_LOG: all().get('log', 'warn'), ...(cache && { PATHFINDER_CACHE_DIR: cache }) };
}

/** Directories of the workspace. */
export const folders = (): string[] =>
  (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
