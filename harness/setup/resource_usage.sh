#!/bin/bash
# Prints what the CUDA compiler (ptxas) says of a lab's kernels: registers, spills, local memory. Only that compiler knows: the
# emulator's values stand in g++'s registers. Without nvcc, or where it refuses the file, a sentence says that nothing was
# measured, and why; the exit code is 0 all the same.
#
#   resource_usage.sh LAB
set -u
source=labs/$1/kernel.cu
what='registers, spills and local memory'

find_nvcc() {
  command -v nvcc && return
  local folder
  for folder in ${CUDA_PATH:+"$CUDA_PATH/bin"} /usr/local/cuda/bin; do
    [ ! -x "$folder/nvcc" ] || { echo "$folder/nvcc"; return; }
  done
}

# Of the GPU that SIMTLAB_GPU names, as harness/emulator/core/gpu_model.cpp has it.
architecture() {
  case ${SIMTLAB_GPU:-} in
    v100) echo sm_70 ;;
    t4) echo sm_75 ;;
    a100) echo sm_80 ;;
    rtx3090) echo sm_86 ;;
    rtx4090 | l4) echo sm_89 ;;
    *) echo sm_90 ;;
  esac
}

nvcc=$(find_nvcc)
if [ -z "$nvcc" ]; then
  printf '%s: not measured, for there is no CUDA compiler (nvcc) on this machine\n' "$what"
  exit 0
fi
folder=$(mktemp -d) && trap 'rm -r "$folder"' EXIT
# simtlab's own nvcc, which an installation has, makes no code for a GPU and knows no registers.
if ! said=$("$nvcc" -std=c++17 -arch="$(architecture)" -cubin --resource-usage "$source" -o "$folder/kernel.cubin" 2>&1) ||
  [[ $said != *' registers'* ]]; then
  printf '%s: not measured, for %s made nothing for %s of %s' "$what" "$nvcc" "$(architecture)" "$source"
  first=$(grep -m 1 -E 'error|fatal' <<<"$said")
  printf '%s\n' "${first:+: $first}"
  exit 0
fi
printf '%s, by nvcc for %s:\n' "$what" "$(architecture)"
{ c++filt <<<"$said" 2>/dev/null || echo "$said"; } | sed -nE "
  s/.*Compiling entry function '(void )?([^(']*).*/\2/; t name
  s/.*[^0-9]([0-9]+) bytes stack frame, ([0-9]+) bytes spill stores, ([0-9]+) bytes spill loads.*/\1 \2 \3/; t stack
  s/.*Used ([0-9]+) registers.*/\1/; t registers
  d
  :name
  h; d
  :stack
  H; d
  :registers
  G
  s/^([0-9]+)\n([^\n]*)\n([0-9]+) ([0-9]+) ([0-9]+)\$/  \2: \1 registers, \3 bytes of local memory, spills: \4 bytes stored, \5 loaded/p"
