#!/bin/bash
# Gradescope runs this once, as root and with a network, when it builds the image. Written for Debian and Ubuntu.
set -euo pipefail
cd "$(dirname "$0")"
program=@PROGRAM@
if ! command -v "$program" >/dev/null; then
  [ "$program" = ssh ] || { echo "$program is not in this image: choose a base image that has it" >&2; exit 1; }
  apt-get update
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends openssh-client
fi
echo "ready: submissions go through $program"
