#!/bin/bash
# Prepares a machine for simtlab; quiet when there is nothing to do.
#
#   setup.sh student   compiler, build tools and C++ libraries: all that `make test` needs
#   setup.sh full      the same, the development tools, and .venv with the package `simtlab` from grading/
#   setup.sh check     the same, and what tests use where the distribution has it (a browser)
#
# Words behind `full` or `check` are a command that needs the distribution's packages alone, as CMake does: it runs while
# pip installs, and when it fails, the set-up has failed.
#
# Two stamps remember what was done: build/setup/<part>.stamp for the distribution's packages, .venv/simtlab.stamp for
# the Python side. Each holds a hash of everything that could make the work stale, so a second run reads two files and
# ends, without network. A stamp is written last: a set-up that was interrupted goes on where it stopped.
# Exit codes: 0 ready, 1 something is missing and the message says what to type.
set -u
part=${1:-full}
case $part in student | full | check) ;; *) echo "usage: setup.sh student | setup.sh full|check [COMMAND...]" >&2; exit 1 ;; esac
cd "$(dirname "$0")/../.." || exit 1
here=harness/setup
source $here/progress.sh
source $here/obstacles.sh
may_write build/setup || exit 1
set -o pipefail

say() { printf 'setup: %s\n' "$*"; }
hash_of() { cat "$@" 2>/dev/null | sha256sum | cut -d ' ' -f 1; }
stamp_says() { [ -r "$1" ] && [ "$(cat "$1")" = "$2" ]; }

# ---- What is there ---------------------------------------------------------------------------------------------------

at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }  # at_least FOUND MINIMUM
version_of() { "$1" --version 2>/dev/null | head -n 1 | sed 's/([^)]*)//g' | grep -oE '[0-9]+(\.[0-9]+)*' | head -n 1; }

# The interpreter for .venv: the one that PYTHON names, else the first that is new enough. A pyenv or conda python often comes
# first on PATH, and may be older than the system's.
pythons() { echo "${PYTHON:-python3 /usr/bin/python3 python3.14 python3.13 python3.12 python3.11}"; }

find_python() {
  local candidate
  for candidate in $(pythons); do
    if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      "$candidate" -c 'import sys; print(sys.executable)'
      return 0
    fi
  done
  return 1
}

# Prints nothing when the thing is there, otherwise what is wrong with it.
problem_with() {
  local how=$1 what=$2 minimum=${3:-} found one
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
    module)
      found=$(for one in .venv/bin/python $(pythons); do
        "$one" -I -c "import tomllib, $what" 2>/dev/null && echo yes && break
      done)
      [ -n "$found" ] || echo "Python's module $what not found"
      ;;
    venv) find_python >/dev/null || echo "no Python >= 3.11 with the modules venv and ensurepip" ;;
  esac
}

# Sets: packages (what to install), optional (the same, but nothing fails without), problems (one line each), reasons (what
# each is for), fatal (what CMake cannot download instead).
survey() {
  packages=() optional=() problems=() reasons=() fatal=0
  local line in_part package how what rest problem
  while IFS= read -r line; do
    read -r in_part package how what rest <<<"${line%%#*}"
    [ -n "$in_part" ] || continue
    case $part:$in_part in student:full | student:check | full:check) continue ;; esac
    problem=$(problem_with "$how" "${what:-}" "${rest%% *}")
    [ -z "$problem" ] && continue
    reasons+=("$(printf '%-20s %s' "$package" "${line#*# }")")
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

# An interrupted dpkg is mended first; one that runs beside us is waited for.
apt() {
  ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -o APT::Status-Fd=1 "$@"
}

was_interrupted() { [ -n "$(dpkg --audit 2>/dev/null)" ] || [ -n "$(ls -A /var/lib/dpkg/updates 2>/dev/null)" ]; }

finish_interrupted_install() {
  ! was_interrupted || ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive dpkg --configure -a
}

# dlstatus:NUMBER:PERCENT:WORDS while packages come, pmstatus:PACKAGE:PERCENT:WORDS while they are installed.
read_apt() {
  [[ $1 =~ ^(dl|pm)status:([^:]*):([0-9]+)[0-9.]*:(.*)$ ]] || return 0
  at=${BASH_REMATCH[4]}
  if [ "${BASH_REMATCH[1]}" = dl ]; then permille=$((5 * BASH_REMATCH[3])); else permille=$((500 + 5 * BASH_REMATCH[3])); fi
}

install_packages() {
  local log=build/setup/apt.log package
  say "these packages of the distribution are missing; apt-get installs them (log: $log):"
  printf '  %s\n' "${reasons[@]}"
  ! was_interrupted || say "an earlier installation was interrupted; dpkg goes on with it first"
  {
    finish_interrupted_install
    apt update && apt install -y --no-install-recommends ${packages[@]+"${packages[@]}"}
  } 2>&1 9>&- | tee $log 2>/dev/null | show_progress 'installing packages' 60 read_apt || {
    explain_full_disk $log /var /usr && exit 1
    say "apt-get failed; its last words were:"
    grep -v '^[dp][lm]status:' $log | grep -E '^(E|W|Err)[: ]' | tail -n 5 | sed 's/^/  /'
    explain_unreachable $log
  }
  for package in ${optional[@]+"${optional[@]}"}; do
    apt install -y --no-install-recommends "$package" 2>&1 9>&- | tee -a $log | show_progress "installing $package" 60 read_apt ||
      say "$package could not be installed: what needs it will be skipped"
  done
}

# explain_unreachable LOG [SERVER]: says which server did not answer, where LOG has words of that kind.
explain_unreachable() {
  local server=${2:-}
  grep -qiE 'could not resolve|temporary failure (resolving|in name resolution)|name or service not known|(failed|could not|unable) to connect|connection (refused|timed out|failed)|network is unreachable|failed to establish a new connection' "$1" || return 1
  [ -n "$server" ] || server=$(grep -oiE "(resolv(e|ing)|connect to)[ '=]*[a-z0-9.-]+\.[a-z0-9]+" "$1" | grep -oE '[a-z0-9-]+(\.[a-z0-9-]+)+' | tail -n 1)
  say "no answer from ${server:-the server}: this machine has no network, or a proxy stands between (https_proxy names it)"
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
    [ $fatal = 1 ] && { say "then type the same again: it goes on from here"; return 1; }
  fi
  echo "$wanted" >$stamp
}

# ---- .venv -----------------------------------------------------------------------------------------------------------

# The packages of pyproject.toml as a sentence: what the grader needs, and what only its tests do.
wanted_packages() {
  "$1" - <<'END'
import re, tomllib
project = tomllib.load(open("grading/pyproject.toml", "rb"))["project"]
names = lambda wanted: ", ".join(re.split(r"[ <>=~!\[;]", one)[0] for one in wanted)
print(f"for the grader {names(project['dependencies'])}; for its tests {names(project['optional-dependencies']['dev'])}")
END
}

# pip names each package when it comes; how many there will be it does not know: about as many as last time.
read_pip() {
  case $1 in
    'Collecting '* | 'Requirement already satisfied: '*)
      pip_collected=$((pip_collected + 1))
      at=${1%%[ (<>=~!;[]from*} at=${at#Requirement already satisfied: } at="package $pip_collected: ${at#Collecting }"
      permille=$((15 * pip_collected))
      [ $permille -lt 700 ] || permille=700
      ;;
    'Installing collected packages'*) at='unpacking them' permille=750 ;;
  esac
}

explain_python() {
  local found
  found=$(for one in $(pythons); do
    "$one" -c 'import sys; print(f"{sys.executable} is Python {sys.version.split()[0]}")' 2>/dev/null
  done | sort -u | paste -s -d ';' | sed 's/;/, /g')
  say "the grader needs Python 3.11 or later with the modules venv and ensurepip; found: ${found:-none}"
  say "to install it: sudo apt-get install -y python3 python3-venv; where the distribution's is older, name another one:"
  say "PYTHON=/path/to/python3.12 make setup. \`make test\` and \`make profile\` need no Python package, and work now"
}

prepare_venv() {
  local python wanted server stamp=.venv/simtlab.stamp log=build/setup/pip.log pip_collected=0
  if [ ! -r grading/pyproject.toml ]; then
    say "grading/pyproject.toml not found: this copy has no grader, only \`make test\` and \`make profile\` work"
    return 1
  fi
  # The interpreter belongs into the stamp by path: asking it for its version would cost more than all the rest.
  wanted="$(hash_of grading/pyproject.toml $here/setup.sh) $PWD"
  stamp_says $stamp "$wanted" && [ -x .venv/bin/python ] && [ -x .venv/bin/simtlab ] && return 0
  python=$(find_python) || { explain_python; return 1; }
  # One that was made by another Python, or only half.
  .venv/bin/python -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || rm -rf .venv
  say "installing Python packages from PyPI into .venv with $python (log: $log):"
  wanted_packages "$python" | fold -s -w 96 | sed 's/^/  /'
  if {
    [ -x .venv/bin/python ] || "$python" -m venv .venv &&
      .venv/bin/python -m pip install --disable-pip-version-check --progress-bar off --editable 'grading[dev]'
  } 2>&1 | tee $log 2>/dev/null | show_progress 'installing Python packages' 60 read_pip && echo "$wanted" >$stamp; then
    return 0
  fi
  explain_full_disk $log . && return 1
  say "installing into .venv failed; the last lines of $log:"
  tail -n 8 $log | cut -c 1-200 | sed 's/^/  /'
  server=$(sed -nE 's|^Looking in indexes: [a-z]+://([^/:, ]+).*|\1|p' $log | head -n 1)
  explain_unreachable $log "${server:-pypi.org}"
  say "the packages come from PyPI: without network, point pip at a mirror (PIP_INDEX_URL) or at wheels (PIP_FIND_LINKS);"
  say "then type the same again: it goes on from here. \`make test\` needs none of them"
  return 1
}

# Two makes at once would install over each other.
exec 9>build/setup/lock
if command -v flock >/dev/null 2>&1 && ! flock -n 9; then
  say "another set-up of this folder is running; waiting for its end (build/setup/lock)"
  flock 9
fi
prepare_packages || exit 1
[ $part != student ] || exit 0
beside=
[ $# -lt 2 ] || { "${@:2}" 9>&- & beside=$!; }
prepare_venv
installed=$?
[ -z "$beside" ] || wait $beside || exit 1
exit $installed
