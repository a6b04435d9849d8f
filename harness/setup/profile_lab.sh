#!/bin/bash
# Prints the student's source of one lab with memory requests, wavefronts, active lanes and findings beside each line.
# The counters are the emulator's. Where the tests run on a GPU, the same follows as the GPU counted it, under the same
# names, by Nsight Compute (ncu); where that may not count, a sentence says what to ask for. Registers and spills are the CUDA
# compiler's words, where there is one (resource_usage.sh).
#
#   profile_lab.sh BUILD_TREE LAB [HTML [CSV [BLOCK]]]
#     HTML: 1 for a page beside it, with a picture of each line's requests and of what a block's warps did
#     CSV: ncu for the counters in the form of `ncu --csv --page raw`
#     BLOCK: that block, as 2 or 2,1 or 2,1,0; block 0 if it is empty
set -u
tree=$1
lab=$2
html=${3:-}
csv=${4:-}
block=${5:-}
page=$tree/labs/$lab/profile.html
raw=$tree/labs/$lab/profile.ncu.csv
[ -z "$csv" ] || [ "$csv" = ncu ] || { echo "CSV=$csv: the one form there is, Nsight Compute's, is CSV=ncu" >&2; exit 2; }
[ -z "$block" ] || [ -n "$html" ] || { echo "BLOCK=$block: that block is drawn in the page, which HTML=1 asks for" >&2; exit 2; }
source=labs/$lab/kernel.cu
engine=$(sed -n 's/^SIMTLAB_ENGINE:STRING=//p' "$tree/CMakeCache.txt")
harness/setup/build_target.sh "$tree" "profile_$lab" "$lab does not build; its messages are above" || exit 1
"$tree/labs/$lab/judge-$lab" --runner "$tree/labs/$lab/profile-runner" --profile "$source" --engine "${engine:-g++}" \
  ${html:+--page "$page"} ${block:+--block "$block"} ${csv:+--ncu-csv "$raw"} || exit
[ -z "$csv" ] || printf '\nthe counters as `ncu --csv --page raw` writes them:\n  %s\n' "$(realpath "$raw")"
[ -z "$html" ] || printf '\nthe same as a page, with a picture of each line'\''s requests; open it in a browser:\n  file://%s\n' "$(realpath "$page")"
echo
harness/setup/resource_usage.sh "$lab"
grep -q '^SIMTLAB_CHOSEN_BACKEND:INTERNAL=cuda$' "$tree/CMakeCache.txt" || exit 0
harness/setup/build_target.sh "$tree" "lab_$lab" "$lab does not build for the GPU; its messages are above" || exit 1
printf '\nThe same, counted by the GPU:\n\n'
exec "$tree/labs/$lab/judge-$lab" --runner "$tree/labs/$lab/runner" --backend cuda --counters ncu --profile "$source"
