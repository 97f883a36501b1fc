#!/bin/sh
# oshcc_test.sh CMAKE BUILD SOURCE: with what `cmake --install` of BUILD gives, the program pe.c in SOURCE is compiled
# by oshcc, by oshc++, by pkg-config's words and by CMake's package, and runs under the oshrun that is there.
set -eu
cmake=$1 build=$2 source=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset ADRASTEA_JOB ADRASTEA_RANK ADRASTEA_SIZE OSHMEM_CC OSHMEM_CXX

"$cmake" --install "$build" --prefix "$work/first" --component Unspecified >/dev/null
mv "$work/first" "$work/prefix" # where it was installed stands nowhere
bin=$work/prefix/bin

runs() {
  "$bin/oshrun" -n 3 "$1" >"$work/out"
  grep -qx '3 PEs: 6' "$work/out" || { echo "FAILED: $1 said: $(cat "$work/out")"; exit 1; }
}
shows() {
  case $2 in *"$1"*) ;; *) echo "FAILED: there is no '$1' in: $2"; exit 1 ;; esac
}

"$bin/oshcc" -std=c99 -O2 -Wall -Werror "$source/pe.c" -o "$work/c99"
runs "$work/c99"
"$bin/oshcc" -O0 -no-pie -fno-pie "$source/pe.c" -o "$work/fixed"
runs "$work/fixed"
"$bin/oshcc" -c "$source/pe.c" -o "$work/pe.o"
"$bin/oshcc" "$work/pe.o" -o "$work/linked"
runs "$work/linked"
"$bin/oshcc" -v "$work/pe.o" -o "$work/told" 2>"$work/steps"
runs "$work/told"
"$bin/oshcc" -v 2>"$work/steps" || { echo "FAILED: oshcc -v links"; exit 1; }
"$bin/oshcc" -r "$work/pe.o" -o "$work/part.o"
if command -v c++ >/dev/null; then
  cp "$source/pe.c" "$work/pe.cc"
  "$bin/oshc++" -Wall -Werror "$work/pe.cc" -o "$work/cxx"
  runs "$work/cxx"
else
  echo "skipped: in C++, since g++ is missing; apt-get install g++"
fi

shows "-I$work/prefix/include" "$("$bin/oshcc" --show:compile)"
shows "-lshmem" "$("$bin/oshcc" --showme:link)"
shows "cc -O2 'a b.c' " "$("$bin/oshcc" -show -O2 'a b.c')"
shows "clang -c a.c" "$(OSHMEM_CC=clang "$bin/oshcc" --show -c a.c)"
shows "Usage: oshc++" "$("$bin/oshc++" --help)"
shows "oshcc of Adrastea" "$("$bin/oshcc" --version:shmem)"
shows "header     $work/prefix/include/shmem.h" "$("$bin/oshrun" --info)"
shows "library    $work/prefix/lib" "$("$bin/oshrun" --info)"

if "$bin/oshcc" -m32 -c "$source/pe.c" -o "$work/narrow.o" 2>"$work/err"; then
  echo "FAILED: a program of 32 bits was compiled"
  exit 1
fi
grep -q 'shmem.h is for programs of 64 bits' "$work/err" || grep -q 'm32\|gnu/stubs-32\|bits/' "$work/err"

# Without oshcc: the heap and, since the linker lays it out alike, variables.
if command -v pkg-config >/dev/null; then
  PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name shmem.pc)")
  export PKG_CONFIG_PATH
  cc "$source/pe.c" $(pkg-config --cflags --libs shmem) -Wl,-rpath,"$(pkg-config --variable=libdir shmem)" \
    -o "$work/by-pkg-config"
  runs "$work/by-pkg-config"
else
  echo "skipped: pkg-config is missing; apt-get install pkg-config"
fi
"$cmake" -S "$source" -B "$work/project" -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
"$cmake" --build "$work/project" --target pe >/dev/null
runs "$work/project/pe"
echo ok
