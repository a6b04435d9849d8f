#!/bin/bash
# Whether archives of the emulator are whole together: none calls a function of the emulator that no other one has.
#
#   missing_names.sh LD NM OBJECT ARCHIVE...     OBJECT: where the linked whole may be written
set -eu
ld=$1 nm=$2 whole=$3
shift 3
"$ld" -r --whole-archive "$@" -o "$whole"
missing=$("$nm" --undefined-only --demangle "$whole" | sed -n 's/^ *U \(simtlab::.*\)/\1/p')
rm -f "$whole"
[ -z "$missing" ] || { printf 'no archive has these functions; harness/emulator/sass/absent.cpp stands for the engine sass:\n%s\n' "$missing"; exit 1; }
