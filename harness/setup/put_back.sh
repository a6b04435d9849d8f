# Sourced. ninja goes by times: a file of a student's that was put back with an older one (mv, cp -p, an archive) would not be
# built again.

# touch_put_back TREE: gives the sources of labs whose content is not what it was at the last call the time of now.
touch_put_back() {
  local seen=$1/labs.contents now file
  [ -f "$1/build.ninja" ] || return 0
  now=$(cksum labs/*/*.cu labs/*/*.cuh 2>/dev/null | LC_ALL=C sort)
  if [ -f "$seen" ]; then
    LC_ALL=C comm -13 "$seen" - <<<"$now" | cut -d ' ' -f 3- | while read -r file; do touch -c "$file" 2>/dev/null; done
  fi
  { echo "$now" >"$seen"; } 2>/dev/null || true
}
