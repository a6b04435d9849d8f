#!/bin/bash
# Makes every table of solutions/ anew, each from the one before it: ladders.md, ladders-h200.md, steps.md, carry-over.md.
#
#   simtlab verify --json >verify.json; solutions/tables.sh verify.json     after a criterion, a variant or the emulator has changed
#   solutions/tables.sh                                                     the scores stay as ladders.md has them
set -eu
cd "$(dirname "$0")/.."
python=.venv/bin/python
made=$(mktemp)
trap 'rm -f "$made"' EXIT

# A table stays as it was where its script fails.
make_table() {
  local table=solutions/$1
  shift
  "$@" >"$made"
  cat "$made" >"$table"
}

[ $# = 0 ] || make_table ladders.md $python solutions/ladders.py "$@"
make_table ladders-h200.md $python solutions/ladders_gpu.py solutions/devices/h200-*.json
make_table steps.md $python solutions/steps.py
make_table carry-over.md $python solutions/carry_over.py solutions/devices/h100-*.json -- solutions/devices/h200-*.json
