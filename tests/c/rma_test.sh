#!/bin/sh
# rma_test.sh ADRASTEA_RMA: one answer a command, as many times as batches, errors said, the end with the end of its
# input.
set -eu
rma=$1

fail() {
  echo "failed: $1" >&2
  exit 1
}

# check NAME PATTERN COMMAND: the answer is one line that matches.
check() {
  answer=$(printf '%s\n' "$3" | timeout 60 "$rma" -1 -1) || fail "$1: exit code $?"
  printf '%s\n' "$answer" | grep -Eqx "$2" || fail "$1: $answer"
  echo "ok $1"
}

times='ns( [0-9]+){3}'
for access in put get puts gets accumulate accumulate-all accumulate-each accumulate-locked put-computing sparsePut \
  sparseGet sparsePut-cold sparseGet-cold sparsePut-best put-cma get-cma puts-cma gets-cma put-space get-space \
  puts-space gets-space; do
  for bytes in 8 1024 131072; do check "${access}_of_$bytes" "$times" "$access $bytes 3 2"; done
done
for access in fetchAndOp fetchAndOp-all compareAndSwap compareAndSwap-all fetchAndOp-computing; do
  check "$access" "$times" "$access 8 3 10"
  check "${access}_of_two_words" "error bytes are .*" "$access 16 3 10"
done
for access in fence postStartCompleteWait lock lockAll; do
  check "$access" "$times" "$access 0 3 10"
  check "${access}_of_bytes" "error bytes are .*" "$access 8 3 10"
done
check no_whole_words "error bytes are .*" 'put 12 1 1'
check too_long "error bytes are .*" 'put 1048584 1 1'
check a_walk_too_long "error bytes are .*" 'sparsePut 131080 1 1'
check no_batches "error .*batches.*" 'put 8 0 1'
check no_exchanges "error .*exchanges.*" 'put 8 1 0'
check unknown_access "error there is no access of that name.*" 'jump 8 1 1'
check nonsense "error a command is: .*" 'put -8 1 1'

several=$(printf 'put 8 1 1\nbad\nfence 0 2 1\n' | "$rma" -1 -1 | cut -d' ' -f1 | tr '\n' ' ')
[ "$several" = "ns error ns " ] || fail "several commands: $several"
echo "ok several_commands_in_one_session"
"$rma" 99999 0 < /dev/null 2> /dev/null && fail "a CPU that does not exist"
"$rma" < /dev/null 2> /dev/null && fail "no CPUs given"
echo "ok bad_arguments_end_it"
