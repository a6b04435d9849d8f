#!/bin/bash
# Builds targets and shows how far it is (progress.sh): minutes of silence look like a hang. When the build fails, the
# compiler's messages are shown without the build's own, and a sentence. What was built stays, so that the next build goes on
# where this one stopped.
#
#   build_target.sh BUILD_TREE TARGETS SENTENCE [LABEL]     TARGETS: one word, or several in quotes
#
# Exit codes: 0 built, 1 not, 3 not, because a disk is full or may not be written.
set -u
source harness/setup/progress.sh
source harness/setup/obstacles.sh
source harness/setup/put_back.sh
tree=$1 sentence=$3 label=${4:-building}
read -ra targets <<<"$2"
may_write build/setup || exit 3
log=build/setup/${targets[0]}.log

set -o pipefail
touch_put_back "$tree"
plan_build "$tree" "${targets[@]}"
# A pipe to a process, not a variable: the readers' counts live there.
cmake --build "$tree" --target "${targets[@]}" 2>&1 | tee "$log" 2>/dev/null | show_progress "$label" $usual read_ninja && exit
explain_full_disk "$log" "$tree" && exit 3
[ -n "$sentence" ] || exit 1
grep -v -e '^\[[0-9]*/[0-9]*\]' -e '^ninja: ' -e '^FAILED: ' -e '^cd /.* && ' -e '^ *from <command-line>:$' "$log" >&2
tell_of_metrics <"$log" >&2
echo "$sentence" >&2
exit 1
