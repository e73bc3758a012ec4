#!/bin/sh
# Makes a backup in the directory $1, checks it by restoring it, copies it with COPY_COMMAND if that is
# set, and then forgets backups older than KEEP_DAYS (14). Run it in the folder of the release, with the
# variables of the server. Any failure ends it with a code other than 0, before anything is forgotten.
set -eu
directory=$1
node=$(command -v node_modules/node/bin/node || command -v node)
file="$directory/marketplace-$(date -u +%Y%m%dT%H%M%SZ).backup"
"$node" src/process/cli/main.ts backup "$file"
"$node" src/process/cli/main.ts backup verify "$file"
if [ -n "${COPY_COMMAND:-}" ]; then sh -c "$COPY_COMMAND" backup "$file"; fi
find "$directory" -maxdepth 1 -type f -name 'marketplace-*.backup' -mtime "+${KEEP_DAYS:-14}" -delete
