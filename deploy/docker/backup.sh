#!/bin/sh
# backup.sh DIRECTORY: makes a verified backup each night at 02:00 UTC, and keeps 14. If one fails, it logs the reason and tries
# again the next night; the alert SavNoBackup reports it.
while sleep $((86400 - ($(date +%s) - 7200) % 86400)); do
  sav backup --to "$1/" --keep 14 --json
done
