#!/bin/sh
# entry_names.sh NM OBJECT FILE: writes into FILE which of a submission's names stay global when its objects are closed
# (objcopy --keep-global-symbols): the entry, which a lab's OBJECT calls without defining it, a function in no namespace;
# and `main`, so that the linker tells of a second one.
set -e
{
  "$1" -u -P "$2" | sed -n 's/^\(_Z[0-9][^ ]*\) .*/\1/p'
  echo main
} >"$3"
