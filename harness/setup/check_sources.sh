#!/bin/bash
# Compiles each CUDA source for the emulator, and leaves nothing behind. With --run those that have a main are run, too: each
# is a program of one file, without arguments. Fails when a source does not compile or a program ends with another code
# than 0; after an error finding that is 86 (docs/reports.md).
#
#   check_sources.sh [--run] [OPTION OF SIMTCC ...] FILE.cu ...     an option's value in the same word: -Iinclude
set -u
simtcc=$("$(dirname "$0")/find_simtcc.sh")/simtcc || exit 1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

run=no options=() files=()
for word in "$@"; do
  case $word in
    --run) run=yes ;;
    -*) options+=("$word") ;;
    *) files+=("$word") ;;
  esac
done

has_main() { nm --defined-only "$1" | grep -q ' T main$'; }

check() {
  "$simtcc" "${options[@]}" -c "$1" -o "$folder/source.o" || return
  [ $run = yes ] && has_main "$folder/source.o" || return 0
  if ! "$simtcc" "${options[@]}" "$folder/source.o" -o "$folder/program"; then
    echo "$1: the program does not link. --run is for programs of one file; leave this one out of it" >&2
    return 1
  fi
  "$folder/program" </dev/null
  local code=$?
  [ $code = 0 ] || echo "$1: the program ends with exit code $code" >&2
  return $code
}

failed=0
for file in "${files[@]}"; do
  check "$file" || failed=1
done
exit $failed
