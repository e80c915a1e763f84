#!/bin/sh
# install.sh PACKED TARGET: installs the command from the packages in PACKED, without files that only a build or another
# platform needs.
set -eu
packed=$(cd "$1" && pwd)
mkdir -p "$2"
cd "$2"
echo '{ "private": true }' > package.json
npm install --omit=dev --ignore-scripts --no-audit --no-fund "$packed"/*.tgz
rm -rf node_modules/better-sqlite3/deps node_modules/better-sqlite3/src
find node_modules/better-sqlite3/prebuilds -name '*.node' ! -name "linux*-$(node -p process.arch).node" -delete
# Types and source maps are not needed at run time.
find node_modules \( -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.map' \) -delete
