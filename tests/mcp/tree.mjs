// A directory to work in: a tree laid out from a text, secrets outside of it, and a home.

import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Contents of the file outside of the root. It must never be seen in anything that a server says. */
export const SECRET = 'SECRET-OF-ANOTHER-PROJECT';

/**
 * Lays out `text` below `root`. A line is `name`, `name: contents` (with \n), `name/` or `name -> target`.
 * All of it is removed when the test `t` is over.
 */
export function tree(t, text) {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'pathfinder-mcp-')));
  const root = join(place, 'root');
  const made = {
    place,
    root,
    home: join(place, 'home'),
    outside: join(place, 'outside'),
    at: (name) => join(root, name),
    /** What has to end before all of it is removed. */
    users: [],
    /** One more line of the text. */
    add: (line) => lay(root, line),
  };
  t.after(async () => {
    await Promise.all(made.users.map((end) => end()));
    // What was ended may still write for a moment, such as an editor's own children. The synchronous form does not look again at
    // what is in a directory when it tries again.
    await rm(place, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
  for (const directory of [root, made.home, made.outside]) mkdirSync(directory);
  writeFileSync(join(made.outside, 'passwords.txt'), SECRET);
  for (const line of text.split('\n')) if (line.trim()) lay(root, line.trim());
  return made;
}

function lay(root, line) {
  const [, name, sign, rest] = /^(.*?)(?:( -> |: |:$)(.*))?$/.exec(line);
  const path = join(root, name);
  if (name.endsWith('/')) {
    mkdirSync(path, { recursive: true });
    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  if (sign === ' -> ') symlinkSync(rest, path);
  else writeFileSync(path, (rest ?? '').replaceAll('\\n', '\n'));
}

/** The environment of a program in the home of `laid`, without variables of the test's user; `path` is its `PATH`. */
export const homely = (laid, path = process.env.PATH) => ({
  PATH: path,
  HOME: laid.home,
  TMPDIR: laid.place,
  LANG: 'C.UTF-8',
  TERM: 'xterm-256color',
  SHELL: '/bin/sh',
  PATHFINDER_CACHE_DIR: join(laid.place, 'cache'),
});
