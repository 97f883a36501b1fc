#!/bin/sh
# package_test.sh CMAKE BUILD SOURCE: what `cmake --install` of BUILD gives serves projects outside: the one in SOURCE
# finds it by find_package, in C and in C++, and a compiler's command line finds it by pkg-config.
set -eu
cmake=$1 build=$2 source=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset ADRASTEA_JOB ADRASTEA_RANK ADRASTEA_SIZE

"$cmake" --install "$build" --prefix "$work/prefix" --component Unspecified >/dev/null

"$cmake" -S "$source" -B "$work/project" -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
"$cmake" --build "$work/project" >/dev/null
"$work/project/alone" | grep '^rank 0 of 1: hello, 5 bytes with tag 7$'
if [ -e "$work/project/alone-cxx" ]; then
  "$work/project/alone-cxx" | grep '^rank 0 of 1: hello, 5 bytes with tag 7$'
else
  echo "skipped: in C++, since g++ is missing; apt-get install g++"
fi
if "$cmake" -S "$source" -B "$work/newer" -DCMAKE_PREFIX_PATH="$work/prefix" -DWANTED=99.0 >/dev/null 2>&1; then
  echo "a version that there is not was found" >&2
  exit 1
fi

if ! command -v pkg-config >/dev/null; then
  echo "skipped: pkg-config is missing; apt-get install pkg-config"
  exit 77
fi
PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name adrastea.pc)")
export PKG_CONFIG_PATH
libdir=$(pkg-config --variable=libdir adrastea)
cc "$source/alone.c" $(pkg-config --cflags --libs adrastea) -Wl,-rpath,"$libdir" -o "$work/by-pkg-config"
"$work/by-pkg-config" | grep '^rank 0 of 1: hello, 5 bytes with tag 7$'
