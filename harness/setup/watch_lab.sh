#!/bin/bash
# Builds and tests one lab again at each save of a file of its folder, until Ctrl-C: the verdict first, then what changed since the
# run before, then the part to look at. The comparison is the judge's, of two facts documents; the older one outlives the watch.
#
#   watch_lab.sh BUILD_TREE LAB     exit code 0 after Ctrl-C, 1 when the lab's folder goes away
#
# inotifywait (package inotify-tools) tells of saves. Without it, and on file systems that tell it nothing (a Windows drive in WSL,
# a network's), or with SIMTLAB_WATCH=poll, the files are looked at twice a second.
set -u
tree=$1
lab=$2
folder=labs/$lab
results=$tree/labs/$lab
job= watcher=

red= yellow= dim= plain=
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then red=$'\e[31m' yellow=$'\e[33m' dim=$'\e[2m' plain=$'\e[0m'; fi

# A run is a process group of its own, so that it ends with all that it started.
stop_run() {
  [ -n "$job" ] || return 0
  kill -TERM -- "-$job" 2>/dev/null
  wait "$job" 2>/dev/null
  job=
}

leave() {
  trap '' INT TERM HUP
  sleep 0.2  # make, which gets Ctrl-C too, complains where it finds no child any more
  stop_run
  [ -z "$watcher" ] || kill "$watcher" 2>/dev/null
  [ ! -t 1 ] || printf '\r\e[K'
  echo "stopped watching $folder"
  exit "${1:-0}"
}
trap 'leave 0' INT TERM HUP

# ---- What happens to the folder --------------------------------------------------------------------------------------

# Content and name of each source; nothing while kernel.cu is not there, as between the two steps of an editor's save.
sources() {
  [ -f "$folder/kernel.cu" ] || return 0
  cksum "$folder"/*.cu "$folder"/*.cuh "$folder"/*.h "$folder"/*.cpp 2>/dev/null
}

poll() {
  local before now
  before=$(sources)
  while sleep 0.5; do
    [ -d "$folder" ] || { echo 'DELETE_SELF'; return; }
    now=$(sources)
    [ "$now" = "$before" ] || echo 'MODIFY kernel.cu'
    before=$now
  done
}

# Why inotifywait cannot be asked; nothing where it can.
reason_to_poll() {
  local system
  [ "${SIMTLAB_WATCH:-}" != poll ] || { echo 'SIMTLAB_WATCH=poll asks for it'; return; }
  command -v inotifywait >/dev/null 2>&1 || { echo 'inotifywait is missing (sudo apt-get install -y inotify-tools)'; return; }
  system=$(stat -f -c %T "$folder")
  case $system in
    nfs* | smb* | cifs | 9p | v9fs | fuse* | drvfs) echo "a file system like this one ($system) does not tell of saves" ;;
  esac
}

start_polling() {
  echo "${dim}looking for saves twice a second: $1$plain"
  exec 3< <(poll)
  watcher=$!
}

start_watcher() {
  local reason line
  reason=$(reason_to_poll)
  if [ -n "$reason" ]; then
    start_polling "$reason"
    return
  fi
  exec 3< <(exec inotifywait -m -e close_write,moved_to,moved_from,create,delete,delete_self,move_self --format '%e %f' "$folder" 2>&1)
  watcher=$!
  reason=
  while IFS= read -r line <&3; do
    [[ $line != 'Watches established.' ]] || return 0
    [[ $line == 'Setting up watches.'* ]] || reason=$line
  done
  start_polling "inotifywait says: ${reason:-nothing}"
}

# ---- One run -----------------------------------------------------------------------------------------------------------

heading() {
  local width=80 text
  text="$(date +%H:%M:%S)  $lab "
  [ ! -t 1 ] || width=$(stty size 2>/dev/null </dev/tty | cut -d ' ' -f 2)
  [ "${width:-0}" -ge 20 ] || width=80
  while [ ${#text} -lt "$width" ]; do text+='-'; done
  printf '\n%s%s%s\n' "$dim" "${text:0:width}" "$plain"
}

# What g++ and simtcc said of the last build, without the build's own words; build_target.sh has kept all of it.
compiler_messages() {
  grep -v -e '^\[[0-9]*/[0-9]*\]' -e '^ninja: ' -e '^FAILED: ' -e '^cd /.* && ' -e '^ *from <command-line>:$' "build/setup/lab_$lab.log"
}

judge() {
  local words code warnings
  mapfile -t words <"$results/judge.words"
  "$results/judge-$lab" "${words[@]}" --facts "$results/watched.json" --changes
  code=$?
  [ $code -le 1 ] || printf '%sFAIL%s  the judge itself ended with code %s; show your instructor what it says\n' "$red" "$plain" "$code"
  warnings=$(compiler_messages | sed -n '/: warning: /,$p')
  [ -z "$warnings" ] || printf '\n%snote%s  it compiles, with warnings that may explain this:\n%s\n' "$yellow" "$plain" "$warnings"
}

run() {
  local begin=$EPOCHREALTIME code
  [ ! -t 1 ] || printf '%sbuilding%s' "$dim" "$plain"
  harness/setup/build_target.sh "$tree" "lab_$lab" '' >/dev/null 2>&1
  code=$?
  [ ! -t 1 ] || printf '\r\e[K'
  heading
  if [ $code = 0 ]; then
    judge
  else
    printf '%sFAIL%s  it does not compile\n\n' "$red" "$plain"
    compiler_messages
  fi
  awk -v from="$begin" -v to="$EPOCHREALTIME" -v dim="$dim" -v plain="$plain" \
    'BEGIN { printf "%s%.1f s; waiting for the next save, Ctrl-C ends%s\n", dim, to - from, plain }'
}

start_run() {
  set -m
  run &
  job=$!
  set +m
}

# ---- The watch -----------------------------------------------------------------------------------------------------------

if [ ! -x "$results/judge-$lab" ]; then
  harness/setup/build_target.sh "$tree" "judge-$lab simtlab_emulator_headers" 'what the tests need does not build, which is no fault of yours' || exit 1
fi
start_watcher
seen=$(sources)
start_run
while true; do
  # Ctrl-C at the moment of a verdict is heard when bash is back from reading: a read that waits for a save would keep it.
  read -r -t 1 event name <&3
  code=$?
  [ $code -le 128 ] || continue
  if [ $code != 0 ]; then
    [ -d "$folder" ] || { echo "$folder is not there any more"; leave 1; }
    start_watcher
    event= name=kernel.cu
  fi
  case $event in *DELETE_SELF* | *MOVE_SELF* | *IGNORED*) echo "$folder is not there any more"; leave 1 ;; esac
  case $name in *.cu | *.cuh | *.h | *.cpp) ;; *) continue ;; esac
  while read -r -t 0.1 event name <&3; do :; done  # an editor's save is several events; several saves are one run
  [ -d "$folder" ] || { echo "$folder is not there any more"; leave 1; }
  now=$(sources)
  [ -n "$now" ] || { sleep 0.4; now=$(sources); }
  [ "$now" != "$seen" ] || continue
  seen=$now
  stop_run
  if [ -z "$now" ]; then
    heading
    echo "$folder/kernel.cu is not there; waiting until it is back"
  else
    start_run
  fi
done
