# Sourced. A filter for the output of a long program: shows what it is at, percent, and seconds left. On a terminal that is
# one line that changes; elsewhere, as in the log of a CI run, a line every ten seconds.
#
#   source harness/setup/progress.sh
#   program | show_progress LABEL USUAL_SECONDS READER
#
# READER is a function that gets each line of the program and sets `at` (what it is doing) and `permille` (how much is done,
# by the usual share of each of its steps). Before anything is done, the time left is what it usually takes, on two cores.
# SIMTLAB_PROGRESS_SECONDS is the time between two lines where there is no terminal.

at= permille=0

show_progress() {
  local label=$1 usual=$2 reader=$3 begin=$SECONDS every=${SIMTLAB_PROGRESS_SECONDS:-10} line part= said='' before='' next code
  next=$((SECONDS + every)) at= permille=0
  while :; do
    IFS= read -r -t 1 line
    code=$?
    if [ $code -gt 128 ]; then  # nothing new in a second; what of a line came is kept
      part+=$line
    else
      [ $code = 0 ] || [ -n "$part$line" ] || break
      "$reader" "$part$line"
      part=
      [ $code = 0 ] || break
    fi
    said="$label: $(progress_words $((SECONDS - begin)) "$usual")"
    if [ -t 2 ]; then
      [ "$said" = "$before" ] || printf '\r\e[K%s' "${said:0:$((${progress_columns:=$(terminal_columns)} - 1))}" >&2
      before=$said
    elif [ $SECONDS -ge $next ]; then
      printf '%s\n' "$said" >&2
      next=$((SECONDS + every))
    fi
  done
  [ ! -t 2 ] || printf '\r\e[K' >&2
}

# progress_words ELAPSED USUAL: "step 3 of 40, 8 %, about 50 s left"
progress_words() {
  local left words=${at:+$at, }
  if [ $permille -ge 20 ] && [ $1 -ge 2 ]; then
    left=$(($1 * (1000 - permille) / permille))
  else
    left=$(($2 - $1))
  fi
  words+="$((permille / 10)) %"
  if [ $2 = 0 ] && [ $permille -lt 20 ]; then  # nobody knows
    echo "$words, $1 s so far"
  elif [ $left -gt 0 ]; then
    echo "$words, about $left s left"
  elif [ $permille -ge 900 ]; then
    echo "$words, nearly done"
  else
    echo "$words, $1 s so far, longer than usual"
  fi
}

terminal_columns() {
  local size
  size=$(stty size 2>/dev/null <&2) && [ "${size#* }" -gt 20 ] 2>/dev/null && echo "${size#* }" || echo 80
}

# The usual seconds of a step of the build, by what ninja calls it.
step_seconds=() step_patterns=()
read_step_seconds() {
  local seconds pattern
  while read -r seconds pattern; do
    case $seconds in '' | '#'*) continue ;; esac
    step_seconds+=("$seconds") step_patterns+=("$pattern")
  done <harness/setup/step_seconds.txt
}

# Sets `tenths`, of a second.
tenths_of() {
  local i
  for i in "${!step_patterns[@]}"; do
    # shellcheck disable=SC2053  # the right side is a pattern
    if [[ $1 == ${step_patterns[i]} ]]; then
      tenths=$((10#${step_seconds[i]/./}))
      return
    fi
  done
  tenths=10
}

# plan_build TREE TARGET...: sets what `read_ninja` measures by, and `usual` to the seconds on two cores. Objects that are not
# there yet are known by name (a dry run of ninja would stop at CMake's look for new files); of the other steps the number is
# told when the build begins, and they are short.
planned_objects=0 planned_tenths=0 done_tenths=0 tenths=0 usual=0
short_tenths=5
plan_build() {
  local tree=$1 line
  shift
  [ ${#step_patterns[@]} -gt 0 ] || read_step_seconds
  planned_objects=0 planned_tenths=0 done_tenths=0
  while IFS= read -r line; do
    [[ $line =~ \ -o\ ([^\ ]+\.o)\  ]] && [ ! -f "$tree/${BASH_REMATCH[1]}" ] || continue
    planned_objects=$((planned_objects + 1))
    tenths_of "Building CXX object ${BASH_REMATCH[1]}"
    planned_tenths=$((planned_tenths + tenths))
  done < <(ninja -C "$tree" -t commands "$@" 2>/dev/null)
  usual=$((planned_tenths / 20))
}

# A reader for ninja's lines.
read_ninja() {
  [[ $1 =~ ^\[([0-9]+)/([0-9]+)\]\ (.*)$ ]] || return 0
  at="step ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]}"
  local step=${BASH_REMATCH[1]} steps=${BASH_REMATCH[2]} all
  [ "$steps" -gt 2 ] || return 0  # CMake's look for new files
  tenths_of "${BASH_REMATCH[3]}"
  done_tenths=$((done_tenths + tenths))
  all=$((planned_tenths + (steps > planned_objects ? short_tenths * (steps - planned_objects) : 0)))
  # Where most of it is there and only outdated, every step counts the same.
  if [ $((2 * planned_objects)) -ge "$steps" ]; then permille=$((1000 * done_tenths / all)); else permille=$((1000 * step / steps)); fi
  [ $permille -lt 1000 ] || permille=990
  [ "$step" != "$steps" ] || permille=1000
}
