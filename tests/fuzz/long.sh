#!/bin/sh
# Builds the targets with libFuzzer and gives them so many inputs in all; half of these go to the channel. Ends at the
# first finding.
#   tests/fuzz/long.sh INPUTS BUILD_DIRECTORY
set -eu
inputs=${1:-10000000}
build=${2:-build-fuzz}
# Debian names it clang-14 where only that package is there.
compiler=$(command -v clang || command -v clang-14) || { echo "clang is missing: apt-get install clang" >&2; exit 1; }
root=$(cd "$(dirname "$0")/../.." && pwd)
targets="attach box channel messages queue region ring"
cmake -S "$root/native" -B "$build" -DCMAKE_C_COMPILER="$compiler" -DADRASTEA_FUZZ=ON -DADRASTEA_JNI=OFF
for target in $targets; do
  cmake --build "$build" --target "fuzz_$target"
done
build=$(cd "$build" && pwd)
for target in $targets; do
  case $target in
    channel) runs=$((inputs / 2)) ;;
    queue) runs=$((inputs / 5)) ;;
    box | messages) runs=$((inputs / 10)) ;;
    attach) runs=$((inputs / 20)) ;;
    ring) runs=$((inputs / 25)) ;;
    *) runs=$((inputs / 100)) ;; # files grow and are mapped: slow
  esac
  mkdir -p "$build/found/$target"
  log=$build/found/$target.log
  echo "fuzz_$target: $runs inputs"
  if ! (cd "$build" && nice -n 19 "tests/fuzz/fuzz_$target" -runs="$runs" -max_len=1024 -timeout=10 \
    -print_final_stats=1 "found/$target" "$root/tests/fuzz/corpus/$target") >"$log" 2>&1; then
    tail -n 60 "$log"
    echo "fuzz_$target: a finding; the input lies in $build"
    exit 1
  fi
  grep -h number_of_executed_units "$log"
done
