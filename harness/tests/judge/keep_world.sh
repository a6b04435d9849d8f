#!/bin/sh
# A command prefix, `sh keep_world.sh FOLDER CASE RUNNER CASE`: keeps everything that the runner can know of its case.
kept=$1
case=$2
shift 2
mkdir "$kept/$(basename "$case")"
cp -r "$case/request" "$kept/$(basename "$case")/"
env > "$kept/$(basename "$case")/environment"
printf '%s\n' "$@" "$PWD" > "$kept/$(basename "$case")/words"
exec "$@"
