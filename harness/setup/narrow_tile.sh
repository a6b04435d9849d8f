#!/bin/bash
# Copies a kernel with its tile made narrower: in the one line that defines `tile_width` the number becomes WIDTH, and nothing else
# changes. Exit code 1 with a sentence when there is no such line, or more than one.
#
#   narrow_tile.sh KERNEL WIDTH COPY
set -u
kernel=$1 width=$2 copy=$3
before='^([[:space:]]*((static|inline|const|constexpr|unsigned|int|auto|std::size_t|size_t)[[:space:]]+)+tile_width[[:space:]]*(=|\{)[[:space:]]*|[[:space:]]*#[[:space:]]*define[[:space:]]+tile_width[[:space:]]+)'
shopt -s nocasematch
found=0
while IFS= read -r line; do
  [[ $line =~ ${before}[0-9]+ ]] && found=$((found + 1))
done <"$kernel"
if [ $found != 1 ]; then
  [ $found = 0 ] && defined="no line defines" || defined="$found lines define"
  echo "$kernel: $defined tile_width as a number, and the phases are drawn with tiles $width wide. Write one line
  constexpr int tile_width = 16;
and tile_width wherever the kernel and its launch mean the width of the tile" >&2
  exit 1
fi
mkdir -p "$(dirname "$copy")" && sed -E "s/${before}[0-9]+/\\1$width/I" "$kernel" >"$copy.part" && mv "$copy.part" "$copy"
