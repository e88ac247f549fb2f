#!/usr/bin/env bash
# The project of the README's examples and of most pictures, in a new folder: shop.sh FOLDER
# Its commits are the same each time, since the output names one of them.
set -euo pipefail

mkdir -p "$1/docs" "$1/src/components"
cd "$1"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 TZ=UTC
export GIT_AUTHOR_NAME=shop GIT_AUTHOR_EMAIL=shop@example.com GIT_COMMITTER_NAME=shop GIT_COMMITTER_EMAIL=shop@example.com
commit() { GIT_AUTHOR_DATE="2026-11-23T0$1:00:00Z" GIT_COMMITTER_DATE="2026-11-23T0$1:00:00Z" git commit --quiet --all --message "$2"; }

cat >README.md <<'END'
# Shop

Read the [setup](docs/setup.md).
END
cat >src/main.ts <<'END'
import { Button } from './components/Buton';

document.querySelector('main')?.append(document.createElement(Button));
END
echo "export const Button = 'button';" >src/components/Button.tsx
printf '# Setup\n\nRun `npm install`.\n' >docs/setup.md
git init --quiet --initial-branch=main
git add --all
commit 8 "begin"
mkdir docs/guide
git mv docs/setup.md docs/guide/installation.md
commit 9 "docs: move the setup"
