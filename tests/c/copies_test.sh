#!/bin/sh
# copies_test.sh ADRASTEA_COPIES: each test with each routine that this CPU has, one answer a command, errors said.
set -eu
copies=$1

fail() {
  echo "failed: $1" >&2
  exit 1
}

# check NAME PATTERN COMMAND: the answer is one line that matches.
check() {
  answer=$(printf '%s\n' "$3" | timeout 60 "$copies" -1 -1) || fail "$1: exit code $?"
  printf '%s\n' "$answer" | grep -Eqx "$2" || fail "$1: $answer"
  echo "ok $1"
}

check routines 'routines memcpy( [a-z0-9-]+)+' routines
check limits 'limits copy: memcpy, .*; stream: .*; a CPU.s caches .* first level .* own .* share of the last .*' limits
check set 'set [1-9][0-9]*' set
check chosen_for_short_copies 'chosen memcpy' 'chosen copy 100'
check chosen_for_streams 'chosen [a-z0-9-]+' 'chosen stream 100000000'
check nobody_knows_what_is_chosen_for_that 'error .*' 'chosen both 100'

routines=$(echo routines | "$copies" -1 -1 | cut -d' ' -f2-)
commands=
count=0
for routine in $routines; do
  for test in local cross hand walk apart; do
    commands="$commands$test $routine 5000 2 2\\n"
    count=$((count + 1))
  done
done
answers=$(printf "$commands" | timeout 100 "$copies" -1 -1 | grep -Ecx 'ns [0-9]+ [0-9]+') || true
[ "$answers" = "$count" ] || fail "$answers of $count answers are times"
echo "ok every_test_with_every_routine"

check walk_without_a_message 'ns [0-9]+' 'walk none 0 1 1'
check a_message_longer_than_the_set 'ns [0-9]+' 'walk memcpy 20000000 1 1'
check the_longest 'ns [0-9]+' 'hand memcpy 67108864 1 1'
check a_copy_by_nothing 'error .*routine.*' 'local none 10 1 1'
check unknown_routine 'error .*routine.*' 'local abacus 10 1 1'
check unknown_test 'error .*tests.*' 'fly memcpy 10 1 1'
check too_long 'error .*64 MiB.*' 'local memcpy 67108865 1 1'
check no_batches 'error .*batches.*' 'local memcpy 8 0 1'
check no_exchanges 'error .*exchanges.*' 'local memcpy 8 1 0'
check below_zero 'error .*' 'local memcpy -8 1 1'
check too_much 'error .*' 'local memcpy 8 1 1 1'
"$copies" 99999 0 < /dev/null 2> /dev/null && fail "a CPU that does not exist"
"$copies" < /dev/null 2> /dev/null && fail "no CPUs given"
echo "ok bad_arguments_end_it"
