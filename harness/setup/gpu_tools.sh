#!/bin/bash
# NVIDIA's nvcc and nvdisasm, by which the engine sass runs kernels as a GPU's own instructions, without a GPU. Which of them simtcc
# takes: harness/emulator/driver/gpu_toolchain.h.
#
#   gpu_tools.sh install    installs what this machine lacks, from gpu_tools.txt into .venv; quiet when there is nothing to do
#   gpu_tools.sh grading    prints the engine that course.toml names, or nothing
#   gpu_tools.sh ENGINE     says before a lab is built what is missing for the engine, and which one grades
#
# Exit codes: 0 ready, 1 something is missing and the message says what to type.
set -u
cd "$(dirname "$0")/../.." || exit 1
pins=harness/setup/gpu_tools.txt

tool() {  # the program's path; the order of gpu_toolchain.cpp
  local folder
  for folder in "${CUDA_HOME:+$CUDA_HOME/bin}" "${CUDA_PATH:+$CUDA_PATH/bin}" "$(dirname "$(command -v "$1" || echo /-/-)")" \
    /usr/local/cuda/bin "${VIRTUAL_ENV:-/-}"/lib/python3*/site-packages/nvidia/cu*/bin .venv/lib/python3*/site-packages/nvidia/cu*/bin; do
    [ -n "$folder" ] && [ -x "$folder/$1" ] && { echo "$folder/$1"; return; }
  done
  return 1
}

# The engine that course.toml grades with, as far as this copy has the file.
grading_engine() { sed -nE 's/^engine *= *"(sass|g\+\+)".*/\1/p' course.toml 2>/dev/null | head -n 1; }

if [ "$1" = grading ]; then
  grading_engine
  exit 0
fi
if [ "$1" = install ]; then
  wanted=()
  tool nvcc >/dev/null || mapfile -t wanted < <(grep -v -e '^#' -e nvdisasm $pins)
  tool nvdisasm >/dev/null || wanted+=("$(grep nvdisasm $pins)")
  if [ ${#wanted[@]} -gt 0 ]; then
    [ -x .venv/bin/python ] || python3 -m venv .venv || { echo 'setup: no .venv can be made here: install python3-venv' >&2; exit 1; }
    echo "setup: installing ${wanted[*]} into .venv; NVIDIA's licence, which lies beside them, holds for them"
    .venv/bin/python -m pip install --quiet "${wanted[@]}" ||
      { echo 'setup: pip could not install them: its message is above. Is there a network? The g++ engine needs none of them' >&2; exit 1; }
    echo "setup: $(tool nvcc) and $(tool nvdisasm); make test LAB=08 ENGINE=sass uses them"
  fi
  exit 0
fi
if [ "$1" = sass ]; then
  missing=
  for name in nvcc nvdisasm; do tool $name >/dev/null || missing+="${missing:+ and }$name"; done
  [ -z "$missing" ] && exit 0
  echo "ENGINE=sass needs NVIDIA's $missing, which this machine lacks: harness/setup/gpu_tools.sh install gets them (300 MB, no GPU is" >&2
  echo 'needed). Without ENGINE=sass the lab runs as g++ compiles it, which finds more.' >&2
  exit 1
fi
[ "$1" != g++ ] || [ "$(grading_engine)" != sass ] ||
  echo 'note: your course grades kernels as nvcc compiles them; these are the counters of the source. ENGINE=sass shows the others'
