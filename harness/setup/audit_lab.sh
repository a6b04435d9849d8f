#!/bin/bash
# Says what the grader would refuse in the files of a lab that has just been built. Exit codes: 0 nothing, 1 something, 77 it
# could not be looked at, and the message says what is missing.
#
#   audit_lab.sh BUILD_TREE LAB BACKEND
set -u
cd "$(dirname "$0")/../.." || exit 1
source harness/setup/home_python.sh
said=$(at_home audit "labs/$2" "$1" "$3")
code=$?
case $code in
  0) exit 0 ;;
  1) echo "$said"; exit 1 ;;
esac
echo "not checked for what the grader refuses: $said"
case $said in *Python*) echo 'to install what that needs: sudo apt-get install -y python3 python3-pyelftools' ;; esac
exit 77
