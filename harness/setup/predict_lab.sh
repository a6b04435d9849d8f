#!/bin/bash
# Asks the questions of one lab with the numbers of the student named in its predict.toml, and says how many of the answers
# are right.
#
#   predict_lab.sh BUILD_TREE LAB
set -u
tree=$1
lab=$2
if [ ! -f "labs/$lab/predict.cu" ]; then
  echo "$lab has no questions to predict" >&2
  exit 2
fi
harness/setup/build_target.sh "$tree" "predict_$lab" "the questions of $lab do not build, which is no fault of yours: tell your instructor" || exit 1
answers=()
[ -f "labs/$lab/predict.toml" ] && answers=(--answers "labs/$lab/predict.toml")
echo "the code that is asked about: labs/$lab/predict.cu; your answers: labs/$lab/predict.toml"
exec "$tree/labs/$lab/predict" ${answers[@]+"${answers[@]}"}
