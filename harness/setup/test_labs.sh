#!/bin/bash
# Runs the CTest tests of the labs named (of all labs when none is) and shows them to a student: one line per test, and
# under it what the judge has to say. CTest itself shows the output of failed tests only, but here the counters of a
# right solution are the lesson. A build's output appears only when it fails.
#
#   test_labs.sh BUILD_TREE [LAB...]     exit code: that of ctest, 0 when every test passed
set -u
source harness/setup/obstacles.sh
source harness/setup/put_back.sh
tree=$1
shift
touch_put_back "$tree"
selection=(-L '^lab$')
if [ $# -gt 0 ]; then
  names=$(printf '|%s' "$@")
  selection+=(-R "^(${names#|})\\.")
fi

green= red= yellow= dim= plain=
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then green=$'\e[32m' red=$'\e[31m' yellow=$'\e[33m' dim=$'\e[2m' plain=$'\e[0m'; fi
live=
[ -t 1 ] && live=1
tests=0 failures=0 output=() last= next= case= rebuilt= rules=() ending= explained=
errors=0 has_thread= first_correct=
declare -A right safe score counted  # by lab
source harness/setup/home_python.sh
source harness/setup/points_at_home.sh

# CTest's own words about how it starts a test, and doctest's frame: no lesson in them.
is_noise() {
  case $1 in
    'Test command: '* | 'Working Directory: '* | 'Environment variables: '* | 'Test timeout computed to be: '*) ;;
    '['[0-9]*/[0-9]*'] '* | 'FAILED: '* | 'ninja: '* | 'cd /'*' && '* | *' from <command-line>:') ;;  # the compiler's words stay
    '[doctest] '* | '==='* | 'ninja: no work to do.' | 'Entering directory'*) ;;
    *) [[ $1 =~ ^\ [A-Z_]+= ]] ;;  # the environment variables, one per line
  esac
}

show_output() {
  local line
  for line in ${output[@]+"${output[@]}"}; do printf '      %s\n' "$line"; done
}

# What is no student's takes minutes the first time, and after the course has changed it: it is built before the tests, so
# that its steps can be shown. The student's own file is built by its own test, which tells what the compiler says of it.
harness_targets() {
  local backend lab
  backend=$(sed -n 's/^SIMTLAB_CHOSEN_BACKEND:INTERNAL=//p' "$tree/CMakeCache.txt" 2>/dev/null)
  backend=${backend:-emulator}
  echo "simtlab_runner_$backend" "simtlab_runner_main_$backend"
  [ "$backend" != emulator ] || echo simtcc simtlab_emulator_sealed simtlab_emulator_boundary simtlab_emulator_headers
  for lab in "$@"; do echo "judge-$lab" "entries-$lab-$backend"; done
}

is_harness_built() {
  [ -f "$tree/emulator/simtlab_emulator.o" ] && [ -f "$tree/harness.stamp" ] &&
    [ -z "$(find harness/ -regex '.*[.]\(h\|cpp\|def\|cmake\)\|.*/CMakeLists.txt' -newer "$tree/harness.stamp" -print -quit)" ]
}

if ! is_harness_built; then
  [ -f "$tree/emulator/simtlab_emulator.o" ] ||
    echo 'building the emulator and the tests; this first time takes a minute or two on two cores, from then on seconds'
  names=("$@")
  [ $# -gt 0 ] || for folder in labs/[0-9]*/; do names+=("$(basename "$folder")"); done
  harness/setup/build_target.sh "$tree" "$(harness_targets "${names[@]}" | tr '\n' ' ')" ''
  case $? in
    0) touch "$tree/harness.stamp" ;;
    3) exit 1 ;;
  esac
fi

show_lab() {
  [ "$1" = "$last" ] || printf '\n%s\n' "$1"
  last=$1
}

show_start() {  # show_start NAME: on a terminal, what is running now; the result overwrites it
  show_lab "${1%.*}"
  [ -z "$live" ] || printf '  %s....  %-8s%s' "$dim" "${1##*.}" "$plain"
}

# What helps most: the compiler's first message before anything, then to begin, then what is unsafe, then the smallest
# wrong case, then the counters.
note_next_step() {
  if [ "$1" = allowed ]; then
    next=${next:-forbidden}
  elif [ "$1" = build ]; then
    next=compiler
    first=$(printf '%s\n' ${output[@]+"${output[@]}"} | grep -m 1 -E '(error|Error)[: ]')
    [[ $first == *harness/* && $first != *labs/* ]] && next=ours
    if [[ $first == *lab.cpp:* ]]; then
      next=specification
      printf '%s\n' "${output[@]}" | tell_of_metrics
    fi
    [[ "${output[*]-}" == *'No space left on device'* ]] && next=disk
  elif [[ "${output[*]-}" == *'this is no fault of your program'* ]]; then
    next=here
  elif [[ "$next" != compiler && "$next" != ours && "$next" != specification && "$next" != disk ]] && [[ "${output[*]-}" == *'No output element of any case was written'* ]]; then
    next=begin
  elif [ "$next" = forbidden ]; then
    :
  elif [ "$1" = correct ] && [[ "${output[*]-}" == *'mend what is said of the case'* ]]; then
    next=said
  elif [ -z "$next" ]; then
    next=profile  # at the benchmark's size; what is unsafe at ragged edges alone is not there
    if [ "$1" = safe ] || [[ "${output[*]-}" == *'start with what safe reports'* ]]; then
      next=unsafe
    elif [ "$1" = correct ]; then
      case=$(printf '%s\n' ${output[@]+"${output[@]}"} | sed -nE 's/^ *(wrong answer|crash|timeout)  +([^(]*[^( ]).*/\2/p' | head -n 1)
      [ -z "$case" ] || next=wrong
    fi
  fi
}

# What the lab may have a hint for: rules of findings, then how the first case failed that did. Wrong values that the judge
# has explained need no guess beside the explanation: grading/simtlab/home/hints.py has the same words, from judge/decide/.
names_the_cause='This is what comes out (if|with)|The result is 0, and every element|look swapped|swapped in the grid'
names_the_cause+='|The grid needs more blocks|rounds down|Launch more blocks|has no first value|plus that of the call before'
names_the_cause+="|number above zero|float above zero|another of the input's values|number of its elements"
names_the_cause+='|are numbers of elements|out begins at byte|they leave out|The width used for|rows were stored'
note_rule() {  # note_rule RULE REST: the rest of a finding's first line, " of a, b in kernel (3 times)"
  local names=$2 name
  errors=$((errors + 1))
  [[ $names = ' of '* ]] || names=
  names=${names#' of '} names=${names%% in *} names=${names%% (*}
  [ -n "$names" ] || rules+=("$1")
  while [ -n "$names" ]; do
    name=${names%%, *}
    rules+=("$1=$name")
    [[ $names = *', '* ]] || break
    names=${names#*, }
  done
}
note_situations() {
  local line words
  read -ra words <<<"${output[*]-}"
  [[ $1 != correct || ! "${words[*]-}" =~ $names_the_cause ]] || explained=yes
  for line in ${output[@]+"${output[@]}"}; do
    if [[ $1 = safe && $line =~ ^\ *error\ ([a-z-]+)(.*)$ ]]; then
      note_rule "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
    elif [[ $1 = safe && $line = *'First mend what correct says'* ]]; then
      first_correct=yes
    elif [[ $1 = safe && $errors = 1 && $line = *'thread ('*' of block '* ]]; then
      has_thread=yes
    elif [[ $1 = correct && -z $ending && $line =~ ^\ *(unsolved|wrong answer|crash|timeout|memory limit|output limit)($|\ ) ]]; then
      ending=${BASH_REMATCH[1]/ /_}
    fi
  done
  [ "$1" != build ] || ending=compile_error
  [ "$1" != allowed ] || ending=${ending:-forbidden}
}

# The compiler's warnings about the student's file, below its own lab. Ninja does not build again what has not changed, so
# they are kept until it does.
show_warnings() {  # show_warnings LAB
  local kept=$tree/labs/$1/warnings.txt warnings
  warnings=$(printf '%s\n' ${output[@]+"${output[@]}"} | sed -n '/: warning: /,$p')
  if [ -n "$rebuilt$warnings" ]; then
    mkdir -p "${kept%/*}" && printf '%s' "$warnings" >"$kept"
  elif [ -s "$kept" ]; then
    warnings=$(<"$kept")
  fi
  [ -n "$warnings" ] || return 0
  printf '  %snote%s  build    compiles, with warnings that may explain what follows\n' "$yellow" "$plain"
  printf '%s\n' "$warnings" | sed 's/^/      /'
}

note_points() {  # note_points LAB STEP WORD
  local line
  case $2 in
    correct) [ "$3" != Passed ] || right[$1]=yes ;;
    safe) [ "$3" != Passed ] || safe[$1]=yes ;;
    fast)
      for line in ${output[@]+"${output[@]}"}; do
        [[ $line =~ score\ ([0-9.]+)\ of\ 100 ]] && score[$1]=${BASH_REMATCH[1]} && return
      done
      ;;
  esac
}

show_result() {  # show_result NAME WORD SECONDS
  local word=$2 seconds=$3 step=${1##*.}
  [ -z "$live" ] || printf '\r\e[K'
  show_lab "${1%.*}"
  note_points "${1%.*}" "$step" "$word"
  case $word in
    Passed)
      if [ "$step" = build ]; then
        show_warnings "${1%.*}"
        return
      fi
      [ "$step" != allowed ] || return 0
      tests=$((tests + 1))
      printf '  %spass%s  %-8s %s%s s%s\n' "$green" "$plain" "$step" "$dim" "$seconds" "$plain"
      show_output
      ;;
    Skipped)  # the grader looks, and we could not
      printf '  %snote%s  %-8s\n' "$yellow" "$plain" "$step"
      show_output
      ;;
    'Not Run') [ "$step" != allowed ] || return 0; printf '  %s----%s  %-8s not run, because the build failed\n' "$dim" "$plain" "$step" ;;
    *)
      tests=$((tests + 1)) failures=$((failures + 1))
      [ "$word" = Failed ] && word=
      note_next_step "$step"
      note_situations "$step"
      printf '  %sFAIL%s  %-8s %s%s s%s%s\n' "$red" "$plain" "$step" "$dim" "$seconds" "$plain" "${word:+  $word}"
      show_output
      ;;
  esac
}

result='^ *[0-9]+/[0-9]+ Test +#[0-9]+: ([^ ]+) \.*(\*\*\*)? *([A-Za-z][A-Za-z ]*[A-Za-z])[^0-9]* ([0-9.]+) sec'
status=1
while IFS= read -r line; do
  if [[ $line =~ ^exit\ code\ ([0-9]+)$ ]]; then
    status=${BASH_REMATCH[1]}
  elif [[ $line =~ $result ]]; then
    show_result "${BASH_REMATCH[1]}" "${BASH_REMATCH[3]}" "${BASH_REMATCH[4]}"
    output=() rebuilt=
  elif [[ $line =~ ^\ +Start\ +[0-9]+:\ (.+)$ ]]; then
    show_start "${BASH_REMATCH[1]}"
  elif [[ $line =~ ^[0-9]+:\ ?(.*)$ ]]; then
    said=${BASH_REMATCH[1]}
    [[ $said == *'] Building '*' with kernel.cu'* ]] && rebuilt=yes
    is_noise "$said" || output+=("$said")
  elif [[ $line == 'No tests were found'* ]]; then
    echo "no lab has tests in $tree; is labs/ empty?"
  fi
done < <(ctest --test-dir "$tree" "${selection[@]}" --verbose --no-tests=error 2>&1; echo "exit code $?")

echo
if [ $failures -gt 0 ] && [ $# = 1 ] && [ -d grading/simtlab/home ]; then
  [ "$ending$explained" != wrong_answeryes ] || ending=
  [ "$explained$first_correct" != yesyes ] || rules=()
  at_home hint "labs/$1" ${rules[@]+"${rules[@]}"} $ending | sed '/^there is no Python/d'
fi
if [ $tests = 0 ] && [ "$status" = 0 ]; then status=1; fi
if [ $failures -gt 0 ]; then
  number=${1:-NN}
  case $next in
    disk) advice='make room on the disk'; explain_full_disk - "$tree" ;;
    ours) advice='tell your instructor: what does not build is no file of yours' ;;
    specification) advice="tell its author: labs/${1:-NN-name}/lab.cpp is no file of yours" ;;
    here) advice='what the message above says; if it stays, show it to your instructor' ;;
    compiler) advice="mend what the first message of the compiler says, then make test LAB=${number%%-*}" ;;
    begin)
      advice="read labs/${1:-NN-name}/README.md and begin where kernel.cu says //@@ your code here"
      [ $# = 1 ] && ! grep -q '//@@ your code here' "labs/$1/kernel.cu" &&
        advice="the function that the tests call, the last one of labs/$1/kernel.cu: which kernel does it launch?"
      ;;
    forbidden) advice="mend what allowed names: with it the grader gives no points" ;;
    unsafe)
      advice='mend what safe reports, its first finding first: the line stands there'
      [ -z "$has_thread" ] || advice='mend what safe reports, its first finding first: the line and the thread stand there'
      ;;
    said) advice="mend what correct says, then make test LAB=${number%%-*}" ;;
    wrong) advice="follow one thread through the first case that fails: make debug LAB=${number%%-*} CASE=\"$case\"" ;;
    *) advice="make profile LAB=${number%%-*}" ;;
  esac
  passed="$((tests - failures)) of $tests tests passed; see each FAIL above"
  [ $# = 1 ] && [ "$next" = compiler ] && passed='kernel.cu does not compile yet'
  [ "$next" = specification ] && passed="the lab's specification, lab.cpp, does not compile"
  printf '%s. Next: %s\n' "$passed" "$advice"
elif [ "$status" = 0 ]; then
  rest=
  if [ $# = 1 ] && [[ ! ${score[$1]-100} =~ ^100(\.0*)?$ ]]; then
    rest="; fast has ${score[$1]} of 100 points: the table above says why, make profile LAB=${1%%-*} where"
  fi
  printf 'all %d tests passed%s\n' $tests "$rest"
fi
# The lab's questions: how many of the answers are right, and which are still open. They are counted by a program of their
# own, which is built where there is an answer.
count_answers() {
  local answers=labs/$1/predict.toml said
  [ -f "labs/$1/predict.cu" ] && [ -f "$answers" ] || return 0
  local all open
  all=$(grep -v '^student' "$answers" | grep -cE '^[a-z0-9_]+ *=')
  open=$(grep -v '^student' "$answers" | grep -cE '^[a-z0-9_]+ *= *""')
  if [ "$open" = "$all" ]; then
    [ "$all" = 0 ] || printf 'questions still open in predict.toml: %d; right answers earn points: make predict LAB=%s\n' "$open" "${1%%-*}"
    return 0
  fi
  if ! harness/setup/build_target.sh "$tree" "predict_$1" '' 2>/dev/null; then
    printf 'questions in predict.toml: not counted; make predict LAB=%s says why\n' "${1%%-*}"
    return 0
  fi
  said=$("$tree/labs/$1/predict" --answers "$answers" 2>&1)
  said=$(tail -n 1 <<<"$said")
  if [[ $said =~ ^([0-9]+\ of\ [0-9]+)\ answers ]]; then
    counted[$1]=${BASH_REMATCH[1]}
    printf 'questions in predict.toml: %s make predict LAB=%s shows them\n' "$said" "${1%%-*}"
  else
    printf 'questions in predict.toml are not counted: %s\n' "$said"
  fi
}
for lab in "$@"; do
  if [ -n "${right[$lab]-}" ] && grep -qs 'metric::resident_warps' "labs/$lab/lab.cpp"; then
    harness/setup/resource_usage.sh "$lab"
  fi
  count_answers "$lab"
  [ -z "${right[$lab]-}" ] || [ -z "${safe[$lab]-}" ] || show_points "$lab" "${score[$lab]-}" "${counted[$lab]-}"
done
exit "$status"
