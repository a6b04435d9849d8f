#!/bin/bash
# Makes build/<preset> ready for ninja and ctest: configures a new tree, or one whose backend changed; otherwise lets
# ninja find out whether a build file or the set of labs changed. Quiet unless CMake fails, whose errors are then shown.
#
#   configure.sh PRESET [BACKEND [SOURCES [ENGINE]]]     BACKEND: auto, cuda or emulator; '' leaves it as it is
#
# ENGINE: what the emulator runs of a student's kernel, g++ or sass; '' leaves it as it is.
# SOURCES: `batches` has a new tree compile many sources as one, which takes less than half the time; a tree that is there
# stays as it is. `tested` does the same, with what tests alone reach (SIMTLAB_WHOLE), also in a tree that lacks it. `alone`
# has each source compiled by itself, also in a tree that is there: for those who change them.
set -u
preset=${1:?usage: configure.sh PRESET [BACKEND [SOURCES [ENGINE]]]}
backend=${2:-}
sources=${3:-}
engine=${4:-}
cd "$(dirname "$0")/../.." || exit 1
source harness/setup/progress.sh
source harness/setup/obstacles.sh
tree=build/$preset
log=build/setup/configure-$preset.log
may_write build/setup || exit 1
usual=15

case $backend in
  '' | auto | cuda | emulator) ;;
  *) echo "BACKEND=$backend is unknown; use auto, cuda or emulator" >&2; exit 2 ;;
esac
case $engine in
  '' | g++ | sass) ;;
  *) echo "ENGINE=$engine is unknown; use g++ or sass" >&2; exit 2 ;;
esac
case $sources in
  '' | batches | tested | alone) ;;
  *) echo "configure.sh compiles sources in batches or alone, not \"$sources\"" >&2; exit 2 ;;
esac

cached() { sed -n "s/^$1:[A-Z]*=//p" $tree/CMakeCache.txt 2>/dev/null; }
unity=() # how the tree's sources are compiled, where that changes
case $sources in
  batches) [ -f $tree/build.ninja ] || unity=(-DCMAKE_UNITY_BUILD=ON) ;;
  tested)
    if [ ! -f $tree/build.ninja ] || { [ "$(cached CMAKE_UNITY_BUILD)" = ON ] && [ "$(cached SIMTLAB_WHOLE)" != ON ]; }; then
      unity=(-DCMAKE_UNITY_BUILD=ON -DSIMTLAB_WHOLE=ON)
    fi
    ;;
  alone) [ "$(cached CMAKE_UNITY_BUILD)" != ON ] || unity=(-DCMAKE_UNITY_BUILD=OFF) ;;
esac
if [ ! -f $tree/build.ninja ] || [ ${#unity[@]} -gt 0 ] || { [ -n "$backend" ] && [ "$backend" != "$(cached SIMTLAB_BACKEND)" ]; } ||
  { [ -n "$engine" ] && [ "$engine" != "$(cached SIMTLAB_ENGINE)" ]; }; then
  [ -f $tree/build.ninja ] || echo "configuring $tree: what the compiler can do, what is installed; usually $usual s"
  command=(cmake --preset "$preset" ${backend:+-DSIMTLAB_BACKEND=$backend} ${engine:+-DSIMTLAB_ENGINE=$engine} "${unity[@]}")
else
  command=(cmake --build $tree --target build.ninja)
fi

# What CMake looks for at the moment. How much is left nobody knows, so that the share is the time's.
begin=$SECONDS
read_cmake() {
  [[ $1 != '-- '* ]] || at=$(cut -c 4-50 <<<"$1")
  permille=$((1000 * (SECONDS - begin) / usual))
  [ $permille -lt 950 ] || permille=950
}

# make's own variables would reach the compilers' makes that CMake starts.
set -o pipefail
if ! env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL "${command[@]}" 2>&1 | tee $log 2>/dev/null | show_progress configuring $usual read_cmake; then
  explain_full_disk $log build && exit 1
  errors=$(awk '/^CMake Error/ { shown = 1 } /^--|^See also/ { shown = 0 } shown' $log)
  { echo "the build in $tree could not be set up:"; [ -n "$errors" ] && echo "$errors" || tail -n 5 $log; } | sed '/^ *$/d' >&2
  echo "That is no fault of your kernel. If the lines above name nothing to install or to choose: rm -rf $tree and try again;" >&2
  echo "if it stays, show your instructor $log" >&2
  exit 1
fi
# Which backend was taken, and why: said whenever CMake has decided anew.
sed -n 's/^-- simtlab: //p' $log
