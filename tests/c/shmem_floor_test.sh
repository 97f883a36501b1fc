#!/bin/sh
# shmem_floor_test.sh ADRASTEA_SHMEM: one answer a command, as many times as batches, errors said.
set -eu
shmem=$1

fail() {
  echo "failed: $1" >&2
  exit 1
}

# check NAME PATTERN COMMAND: the answer is one line that matches.
check() {
  answer=$(printf '%s\n' "$3" | timeout 60 "$shmem" -1 -1) || fail "$1: exit code $?"
  printf '%s\n' "$answer" | grep -Eqx "$2" || fail "$1: $answer"
  echo "ok $1"
}

times='ns( [0-9]+){3}'
for call in pingPong pingPong-trials put get putNbi getNbi putSignal putStrided getStrided; do
  for bytes in 8 1024 524288; do check "${call}_of_$bytes" "$times" "$call $bytes 3 2"; done
done
for call in rate rate-cold; do
  for bytes in 8 1024; do check "${call}_of_$bytes" "$times" "$call $bytes 3 2"; done
done
for call in putLong getLong fetch set swap compareSwap fetchAdd fetchAdd-all fetchAddNbi add fetchInc inc fetchAnd and \
  fetchOr or fetchXor xor; do
  check "$call" "$times" "$call 8 3 10"
  check "${call}_of_two_words" "error bytes are .*" "$call 16 3 10"
done
for call in fence quiet lock ring ring-signal waitUntilAll barrierAll syncAll gups; do
  check "$call" "$times" "$call 0 3 10"
  check "${call}_of_bytes" "error bytes are .*" "$call 8 3 10"
done
check too_long "error bytes are .*" 'put 1048584 1 1'
check a_rate_too_long "error bytes are .*" 'rate 1032 1 1'
check unknown_call "error there is no call of that name.*" 'jump 8 1 1'
