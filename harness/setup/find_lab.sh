#!/bin/bash
# Prints the folder names of the labs that the words given mean: a number (08, 8 or 008), a folder (08-bank-conflicts), or
# the folder's name without its number (bank-conflicts). Exit code 2 and a list of all labs when a word means none.
set -u
cd "$(dirname "$0")/../../labs" 2>/dev/null || { echo "there is no folder labs/ here" >&2; exit 2; }
labs=()
for specification in [0-9][0-9]-*/lab.cpp; do
  [ -f "$specification" ] && labs+=("${specification%/lab.cpp}")
done

# The lab with which a word shares most of its pairs of letters; nothing when they are few.
nearest() {
  local word=${1,,} lab pair best= most=1 shared i
  for lab in ${labs[@]+"${labs[@]}"}; do
    shared=0
    for ((i = 0; i < ${#word} - 1; ++i)); do
      pair=${word:i:2}
      [[ $lab == *"$pair"* ]] && shared=$((shared + 1))
    done
    if [ $shared -gt $most ] && [ $((2 * shared)) -ge $((${#word} - 1)) ]; then most=$shared best=$lab; fi
  done
  echo "$best"
}

for word in "$@"; do
  word=${word%/}
  word=${word##*/}
  found=
  for lab in ${labs[@]+"${labs[@]}"}; do
    number=${lab%%-*}
    if [ "$word" = "$lab" ] || [ "$word" = "${lab#*-}" ] || { [[ $word =~ ^[0-9]+$ ]] && [ $((10#$word)) = $((10#$number)) ]; }; then
      found=$lab
    fi
  done
  if [ -z "$found" ]; then
    if [ ${#labs[@]} = 0 ]; then
      echo "there is no lab \"$word\": labs/ holds no folder NN-name with a lab.cpp" >&2
    else
      near=$(nearest "$word")
      echo "there is no lab \"$word\".${near:+ Did you mean $near?} The labs are:" >&2
      printf '  %s\n' "${labs[@]}" >&2
      echo "choose one by number or name: LAB=${labs[0]%%-*} or LAB=${labs[0]}" >&2
    fi
    exit 2
  fi
  echo "$found"
done
