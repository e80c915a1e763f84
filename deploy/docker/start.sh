#!/bin/sh
# A serving container creates its store and key at the first start. With --no-init it does not: in compose.yaml, one
# container creates the store for all.
if [ "$1" = serve ] && ! printf '%s\n' "$@" | grep -qx -e --no-init; then
  sav init --yes >&2 || exit
fi
# exec, so that SIGTERM reaches it: it then ends within 10 s.
exec sav "$@"
