#!/bin/sh
# Makes the tests' cubins and listings anew. usage: make.sh, with nvcc and nvdisasm on the path
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# Both files name the folder: not that of whoever makes them.
mkdir -p /tmp/cubins && cp "$here"/*.cu /tmp/cubins && cd /tmp/cubins
nvcc -arch=sm_90 -cubin -lineinfo kernels.cu -o "$here/kernels.cubin"
nvdisasm -json -g "$here/kernels.cubin" > "$here/kernels.json"
