#!/bin/bash
# Gradescope runs this once, as root and with a network, when it builds the image of the autograder. Afterwards grading
# needs no network. Written for Debian 12 and later and Ubuntu 22.04 and later; an older image ends with a sentence.
set -euo pipefail
cd "$(dirname "$0")/simtlab"
umask 022

at_least() { [ "$(printf '%s\n%s\n' "$2" "${1:-0}" | sort -V | head -n 1)" = "$2" ]; }  # at_least FOUND MINIMUM
version_of() { "$1" --version 2>/dev/null | head -n 1 | sed 's/([^)]*)//g' | grep -oE '[0-9]+(\.[0-9]+)*' | head -n 1; }
install() {
  local missing=() package
  for package; do
    dpkg-query --show --showformat='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} = 0 ] && return
  apt-get update
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
}

# What the build needs of the distribution stands in the project's own list; the rest is the grader's.
mapfile -t packages < <(awk '$1 == "student" { print $2 }' harness/setup/packages.txt)
install "${packages[@]}" bubblewrap libseccomp-dev libcapstone-dev clang python3 python3-venv util-linux

python=python3
if ! at_least "$(version_of python3)" 3.11; then
  install python3.11 python3.11-venv
  python=python3.11
fi
export CXX=g++
if ! at_least "$(version_of g++)" 12; then
  install g++-12
  CXX=g++-12
fi
"$python" -m venv .venv
.venv/bin/python -m pip install --disable-pip-version-check --quiet -e ./grading
cmake=cmake
if ! at_least "$(version_of cmake)" 3.25; then
  .venv/bin/python -m pip install --disable-pip-version-check --quiet 'cmake>=3.25,<4'
  cmake=.venv/bin/cmake
fi
"$cmake" --preset default -DSIMTLAB_BACKEND=emulator -DSIMTLAB_NVCC=
"$cmake" --build build/default --target simtlab_judges

# A container that forbids namespaces leaves the files of this image in a submission's sight. It runs as another user
# there, so what it may not know is closed to everybody else.
chmod -R go-rwx solutions results grading .venv build/default/labs/*/judge-*
echo "ready: $(ls labs)"
