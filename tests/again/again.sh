#!/bin/sh
# again.sh CMAKE SOURCE BUILD quick|proof UNDER SELECTION LEAST TARGETS OPTIONS...: builds the C tests once more with
# these options and runs some of them.
#   UNDER      setarch: without address randomisation where that is allowed; some kernels have more bits of it than
#              the thread sanitizer of gcc 12 can do with. aarch64: for that machine, under qemu
#   SELECTION  names of tests, or, with a ! in front, of those left out
#   LEAST      how many tests the selection has at least
#   TARGETS    what to build; none: all
set -eu
cmake=$1 source=$2 build=$3 form=$4 under=$5 selection=$6 least=$7 targets=$8
shift 8
unset MAKEFLAGS MFLAGS MAKELEVEL # of the make that runs the tests

run=
case $under in
  setarch) if setarch -R true 2>/dev/null; then run='setarch -R'; fi ;;
  aarch64)
    for program in aarch64-linux-gnu-gcc qemu-aarch64; do
      command -v $program >/dev/null || {
        echo "skipped: $program is missing; apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user"
        exit 77
      }
    done
    set -- "$@" -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
      "-DCMAKE_CROSSCOMPILING_EMULATOR=qemu-aarch64;-L;/usr/aarch64-linux-gnu" ;;
esac

quietly() {
  "$@" >"$build.log" 2>&1 || { cat "$build.log"; exit 1; }
}
quietly "$cmake" -G "Unix Makefiles" -DADRASTEA_JNI=OFF -DADRASTEA_AGAIN=ON "$@" -S "$source" -B "$build"
quietly "$cmake" --build "$build" --parallel 2 ${targets:+--target} $targets

case $selection in
  !*) set -- -E "${selection#!}" ;;
  *) set -- -R "$selection" ;;
esac
[ "$form" = quick ] || set -- "$@" -C proof
found=$(ctest --test-dir "$build" --show-only "$@" | sed -n 's/^Total Tests: //p')
[ "$found" -ge "$least" ] || { echo "the selection has $found tests only; there must be $least at least"; exit 1; }
exec $run ctest --test-dir "$build" --parallel 2 --output-on-failure --no-tests=error "$@"
