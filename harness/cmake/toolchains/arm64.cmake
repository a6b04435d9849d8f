# Cross-compiles for arm64 Linux and runs what it made under qemu-user. On Debian and Ubuntu:
#   dpkg --add-architecture arm64 && apt-get update
#   apt-get install g++-aarch64-linux-gnu qemu-user libdw-dev:arm64 libelf-dev:arm64 libfmt-dev:arm64 libboost-context-dev:arm64
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
# The libraries are the foreign architecture's own packages, libc6:arm64 among them, at their places: no -L.
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64)
