#!/bin/sh
# `serve` creates the store at the first start, and a key unless there is one. With --no-init it creates neither, for
# containers that share a store (compose.yaml).
if [ "$1" = serve ] && ! printf '%s\n' "$@" | grep -qx -e --no-init; then
  sav init --yes >&2 || exit
fi
# SIGTERM must reach sav itself, which then ends within 10 s.
exec sav "$@"
