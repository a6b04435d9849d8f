#!/bin/bash
# Prepares a machine for simtlab; quiet when there is nothing to do.
#
#   setup.sh student   compiler, build tools and C++ libraries: all that `make test` needs
#   setup.sh full      the same, the development tools, and .venv with the package `simtlab` from grading/
#   setup.sh check     the same, and what tests use where the distribution has it (a browser)
#
# Two stamps remember what was done: build/setup/<part>.stamp for the distribution's packages, .venv/simtlab.stamp for
# the Python side. Each holds a hash of everything that could make the work stale, so a second run reads two files and
# ends, without network. Exit codes: 0 ready, 1 something is missing and the message says what to type.
set -u
part=${1:-full}
case $part in student | full | check) ;; *) echo "usage: setup.sh student|full|check" >&2; exit 1 ;; esac
cd "$(dirname "$0")/../.." || exit 1
mkdir -p build/setup || exit 1
here=harness/setup

say() { printf 'setup: %s\n' "$*"; }
hash_of() { cat "$@" 2>/dev/null | sha256sum | cut -d ' ' -f 1; }
stamp_says() { [ -r "$1" ] && [ "$(cat "$1")" = "$2" ]; }

# ---- What is there ---------------------------------------------------------------------------------------------------

at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }  # at_least FOUND MINIMUM
version_of() { "$1" --version 2>/dev/null | head -n 1 | sed 's/([^)]*)//g' | grep -oE '[0-9]+(\.[0-9]+)*' | head -n 1; }

# The interpreter for .venv: a pyenv or conda python often comes first on PATH, and may be older than the system's.
find_python() {
  local candidate
  for candidate in ${PYTHON:-} python3 /usr/bin/python3 python3.14 python3.13 python3.12 python3.11; do
    if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      "$candidate" -c 'import sys; print(sys.executable)'
      return 0
    fi
  done
  return 1
}

# Prints nothing when the thing is there, otherwise what is wrong with it.
problem_with() {
  local how=$1 what=$2 minimum=${3:-} found
  case $how in
    command)
      command -v "$what" >/dev/null 2>&1 || { echo "$what not found"; return; }
      case $minimum in '' | fetched | optional) return ;; esac
      found=$(version_of "$what")
      at_least "${found:-0}" "$minimum" || echo "$what is version ${found:-unknown}, $minimum or later is needed"
      ;;
    header)
      echo "#include <$what>" | g++ -std=c++20 -E -x c++ - >/dev/null 2>&1 || echo "header <$what> not found"
      ;;
    venv) find_python >/dev/null || echo "no Python >= 3.11 with the modules venv and ensurepip" ;;
  esac
}

# Sets: packages (what to install), optional (the same, but nothing fails without), problems (one line each), fatal (what CMake cannot download instead).
survey() {
  packages=() optional=() problems=() fatal=0
  local in_part package how what rest problem
  while read -r in_part package how what rest; do
    case $in_part in '' | '#'*) continue ;; esac
    case $part:$in_part in student:full | student:check | full:check) continue ;; esac
    problem=$(problem_with "$how" "${what:-}" "${rest%% *}")
    [ -z "$problem" ] && continue
    case $rest in *optional*) optional+=("$package"); continue ;; esac
    packages+=("$package")
    case $rest in
      *fetched*) problems+=("$package: $problem (CMake will download it)") ;;
      *) problems+=("$package: $problem"); fatal=1 ;;
    esac
  done <$here/packages.txt
}

# ---- The distribution's packages -------------------------------------------------------------------------------------

as_root=()
may_install() {
  command -v apt-get >/dev/null 2>&1 || return 1
  [ "$(id -u)" = 0 ] && return 0
  sudo -n true 2>/dev/null && as_root=(sudo -n)
}

apt() { ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive apt-get "$@"; }

install_packages() {
  local log=build/setup/apt.log package
  say "installing ${packages[*]} ${optional[*]} (log: $log)"
  { apt update && apt install -y --no-install-recommends "${packages[@]}"; } >$log 2>&1 || {
    say "apt-get failed; its last lines were:"
    tail -n 5 $log
  }
  for package in ${optional[@]+"${optional[@]}"}; do
    apt install -y --no-install-recommends "$package" >>$log 2>&1 || say "$package could not be installed: what needs it will be skipped"
  done
}

prepare_packages() {
  local stamp=build/setup/$part.stamp wanted
  wanted=$(hash_of $here/packages.txt $here/setup.sh)
  stamp_says $stamp "$wanted" && return 0
  [ $part = student ] && stamp_says build/setup/full.stamp "$wanted" && return 0
  [ $part != check ] && stamp_says build/setup/check.stamp "$wanted" && return 0
  survey
  if [ $((${#packages[@]} + ${#optional[@]})) -gt 0 ] && may_install; then
    install_packages
    survey
  fi
  if [ ${#packages[@]} -gt 0 ]; then
    say "missing:"
    printf '  %s\n' "${problems[@]}"
    say "to install, run: sudo apt-get install -y ${packages[*]}"
    [ $fatal = 1 ] && return 1
  fi
  echo "$wanted" >$stamp
}

# ---- .venv -----------------------------------------------------------------------------------------------------------

prepare_venv() {
  local python wanted stamp=.venv/simtlab.stamp log=build/setup/pip.log
  if [ ! -r grading/pyproject.toml ]; then
    say "grading/pyproject.toml not found: this copy has no grader, only \`make test\` and \`make profile\` work"
    return 1
  fi
  # The interpreter belongs into the stamp by path: asking it for its version would cost more than all the rest.
  wanted="$(hash_of grading/pyproject.toml $here/setup.sh) $PWD"
  stamp_says $stamp "$wanted" && [ -x .venv/bin/python ] && [ -x .venv/bin/simtlab ] && return 0
  python=$(find_python) || { say "no Python >= 3.11 with venv; set PYTHON=/path/to/python3.11"; return 1; }
  if ! .venv/bin/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    rm -rf .venv
  fi
  say "installing the Python package simtlab into .venv with $python (log: $log)"
  if { [ -x .venv/bin/python ] || "$python" -m venv .venv; } >$log 2>&1 &&
    .venv/bin/python -m pip install --disable-pip-version-check --editable 'grading[dev]' >>$log 2>&1; then
    echo "$wanted" >$stamp
  else
    say "installing into .venv failed; the last lines of $log:"
    tail -n 8 $log
    say "the packages come from PyPI: without network, point pip at a mirror (PIP_INDEX_URL) or at wheels (PIP_FIND_LINKS)"
    return 1
  fi
}

# Two makes at once would install over each other.
exec 9>build/setup/lock
command -v flock >/dev/null 2>&1 && flock 9
prepare_packages || exit 1
if [ $part != student ]; then prepare_venv || exit 1; fi
