#!/bin/sh
# A container that serves makes its store and its key at its first start, also for a key that it is given. With --no-init
# it makes nothing: where a store of several containers is made by one of them (compose.yaml).
if [ "$1" = serve ] && ! printf '%s\n' "$@" | grep -qx -e --no-init; then
  sav init --yes >&2 || exit
fi
# One process: SIGTERM reaches it and ends it within 10 s.
exec sav "$@"
