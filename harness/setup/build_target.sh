#!/bin/bash
# Builds one target in silence; when that fails, the compiler's messages are shown without the build's own, and a sentence.
#
#   build_target.sh BUILD_TREE TARGET SENTENCE
set -u
log=build/setup/$2.log
mkdir -p build/setup
cmake --build "$1" --target "$2" >"$log" 2>&1 && exit
grep -v -e '^\[[0-9]*/[0-9]*\]' -e '^ninja: ' -e '^FAILED: ' -e '^cd /.* && ' -e '^ *from <command-line>:$' "$log" >&2
echo "$3" >&2
exit 1
