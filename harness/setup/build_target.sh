#!/bin/bash
# Builds targets; when that fails, the compiler's messages are shown without the build's own, and a sentence. On a terminal
# the build's count of steps stands in one line meanwhile: minutes of silence look like a hang.
#
#   build_target.sh BUILD_TREE TARGETS SENTENCE     TARGETS: one word, or several in quotes
set -u
read -ra targets <<<"$2"
log=build/setup/${targets[0]}.log
mkdir -p build/setup

show_steps() {
  local line
  while IFS= read -r line; do
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] && printf '\r\e[Kbuilding, step %s of %s' "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" >&2
  done
  printf '\r\e[K' >&2
}

# A criterion of a metric that there is not: g++ names file and line, and then, at length, a list that could not be made of it.
tell_of_metrics() {
  local word="['‘]([a-z_]+)['’]" line
  while IFS= read -r line; do
    [[ $line =~ ^(.*lab\.cpp:[0-9]+):[0-9]+:\ error:\ $word\ is\ not\ a\ member\ of\ .simtlab::metric ]] || continue
    local where=${BASH_REMATCH[1]} name=${BASH_REMATCH[2]} nearest=''
    [[ $line =~ did\ you\ mean\ $word ]] && nearest=" Did you mean metric::${BASH_REMATCH[1]}?"
    echo "$where: a criterion asks for metric::$name, and there is no such metric.$nearest docs/lab-criteria.md lists all of them."
  done <"$log" | sort -u >&2
}

set -o pipefail
if [ -t 2 ]; then
  cmake --build "$1" --target "${targets[@]}" 2>&1 | tee "$log" | show_steps && exit
else
  cmake --build "$1" --target "${targets[@]}" >"$log" 2>&1 && exit
fi
[ -n "$3" ] || exit 1
grep -v -e '^\[[0-9]*/[0-9]*\]' -e '^ninja: ' -e '^FAILED: ' -e '^cd /.* && ' -e '^ *from <command-line>:$' "$log" >&2
tell_of_metrics
echo "$3" >&2
exit 1
