#!/bin/sh
# languages_test.sh CC CXX INCLUDE LIBRARY SOURCES: shmem.h compiles without a warning as C99, C11 and C++, with and
# without optimization; C11's generic names choose what they are to; a program of 32 bits is refused.
set -eu
cc=$1 cxx=$2 include=$3 library=$4 sources=$5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
warnings="-Wall -Wextra -Wpedantic -Werror"
try() {
  name=$1
  shift
  if "$@" >"$work/log" 2>&1; then
    echo "ok $name"
  else
    echo "FAILED: $name"
    head -20 "$work/log"
    failed=1
  fi
}
for level in 0 2; do
  for standard in c99 gnu99 c11 c17; do
    # shellcheck disable=SC2086 # several words
    try "$standard -O$level" "$cc" -std=$standard -O$level $warnings -I"$include" -c -o "$work/o" "$sources/plain.c"
  done
  # shellcheck disable=SC2086
  try "generic names -O$level" "$cc" -std=c11 -O$level $warnings -I"$include" -c -o "$work/o" "$sources/generic.c"
  if [ -n "$cxx" ]; then
    for standard in c++11 c++17 c++20; do
      # shellcheck disable=SC2086
      try "$standard -O$level" "$cxx" -std=$standard -O$level $warnings -I"$include" -c -x c++ -o "$work/o" \
        "$sources/plain.c"
    done
  fi
done
# Without position-independent code, too, the library's map is not copied into the program.
for pie in "-fno-pie -no-pie" "-fpie -pie"; do
  # shellcheck disable=SC2086
  try "program $pie" "$cc" -std=c11 -O2 $pie -I"$include" -o "$work/program" "$sources/plain.c" "$library" \
    -Wl,--allow-shlib-undefined
  if readelf -rW "$work/program" | grep -q 'COPY.*adr_libshmem'; then
    echo "FAILED: $pie copies the library's map into the program"
    failed=1
  fi
done
if "$cc" -m32 -ffreestanding -fsyntax-only -I"$include" "$sources/plain.c" >"$work/log" 2>&1; then
  echo "FAILED: a program of 32 bits is compiled"
  failed=1
else
  grep -q "programs of 64 bits" "$work/log" || { echo "FAILED: 32 bits"; cat "$work/log"; failed=1; }
fi
exit "$failed"
