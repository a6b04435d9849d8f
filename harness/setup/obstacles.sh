# Sourced. What keeps a set-up from going on and is no fault of simtlab: a full disk, a folder that may not be written. Each
# sentence names the object, the reason and the next step.

# The folder that is full, of those given and the one for temporary files, or nothing. A disk with less than 1 MB counts.
full_folder() {
  local folder free
  for folder in "$@" "${TMPDIR:-/tmp}"; do
    free=$(df --output=avail -k "$folder" 2>/dev/null | tail -n 1)
    if [ -n "$free" ] && [ "$free" -lt 1024 ]; then
      echo "$folder"
      return
    fi
  done
}

# explain_full_disk LOG FOLDER...: says that a disk is full, if that is why something failed. Exit code 0: said.
# LOG `-`: that is known already.
explain_full_disk() {
  local log=$1 full named
  shift
  full=$(full_folder "$@")
  if [ -z "$full" ] && [ "$log" != - ] && ! grep -qiE 'no space left on device|disk quota exceeded' "$log" 2>/dev/null; then
    return 1
  fi
  named=${full:-$1}
  {
    echo "There is no room left on the disk of $named ($(df -h --output=avail,size "$named" 2>/dev/null | awk 'NR == 2 { print $1 " of " $2 " are free now" }'))."
    echo "Make room there (what simtlab builds takes about 1 GB), or copy this folder to a larger disk; TMPDIR names another"
    echo "place for temporary files. Then type the same again: it goes on where it stopped."
  } >&2
}

# Says so and returns 1 where the folder may not be written.
may_write() {
  local folder=$1 reason
  reason=$( { mkdir -p "$folder" && : >"$folder/.writable" && rm "$folder/.writable"; } 2>&1) && return 0
  case $reason in
    *'No space left'* | *'quota exceeded'*) explain_full_disk - "$PWD"; return 1 ;;
    *'Read-only file system'*) reason='it is on a file system that is mounted read-only' ;;
    *'Permission denied'*) reason="it belongs to $(stat -c %U "$PWD") and you are $(id -un)" ;;
    *) reason=${reason##*: } ;;
  esac
  {
    echo "$PWD/$folder cannot be written: $reason."
    echo "Everything that is built goes there. Copy this folder to a place of yours, and go on there:"
    echo "  cp -r '$PWD' ~/simtlab && cd ~/simtlab"
  } >&2
  return 1
}

# tell_of_metrics <MESSAGES: a criterion of a metric that there is not. g++ names file and line, and then, at length, a list
# that could not be made of it.
tell_of_metrics() {
  local word="['‘]([a-z_]+)['’]" line
  while IFS= read -r line; do
    [[ $line =~ ^(.*lab\.cpp:[0-9]+):[0-9]+:\ error:\ $word\ is\ not\ a\ member\ of\ .simtlab::metric ]] || continue
    local where=${BASH_REMATCH[1]} name=${BASH_REMATCH[2]} nearest=''
    [[ $line =~ did\ you\ mean\ $word ]] && nearest=" Did you mean metric::${BASH_REMATCH[1]}?"
    echo "$where: a criterion asks for metric::$name, and there is no such metric.$nearest docs/lab-criteria.md lists all of them."
  done | sort -u
}
