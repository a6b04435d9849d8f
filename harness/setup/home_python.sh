# Sourced. Runs what of the grader is for `make test`: `python -m simtlab.home`, which needs Python 3.11 or later and the
# module elftools (python3-pyelftools of the distribution, or pyelftools in .venv), and no other package.

# Prints the interpreter that has all of it, else one that lacks elftools; nothing where there is none.
home_python() {
  local one second=
  for one in .venv/bin/python ${PYTHON:-python3 /usr/bin/python3}; do
    "$one" -I -c 'import sys, tomllib, elftools' 2>/dev/null && { echo "$one"; return; }
    [ -n "$second" ] || ! "$one" -I -c 'import tomllib' 2>/dev/null || second=$one
  done
  echo "$second"
}

at_home() {
  local python
  python=$(home_python)
  [ -n "$python" ] || { echo 'there is no Python 3.11 or later'; return 3; }
  env PYTHONPATH=grading PYTHONDONTWRITEBYTECODE=1 "$python" -P -m simtlab.home "$@"
}
