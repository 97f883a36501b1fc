#!/bin/sh
# counts_test.sh ADRASTEA_COUNTS...: every case runs to its end, every command is answered, with and without shadow
# head.
set -eu
cpu=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*\([0-9]*\).*/\1/p' /proc/self/status)

fail() {
  echo "failed: $1" >&2
  exit 1
}

# check NAME PATTERN CPU0 CPU1 COMMAND: the answer is one line that matches.
check() {
  answer=$(printf '%s\n' "$5" | timeout 60 "$counts" serve "$3" "$4") || fail "$1: exit code $?"
  printf '%s\n' "$answer" | grep -Eqx "$2" || fail "$1: $answer"
  echo "ok $1"
}

times='ns( [0-9]+){3}'
for counts in "$@"; do
  for state in queue-busy queue-empty channel-queue channel-box channel-queue-poll channel-box-poll; do
    "$counts" $state 3000 || fail "$state"
    echo "ok $state"
  done
  for way in queue box; do
    check "${way}_of_8_bytes" "$times" -1 -1 "$way 8 3 500"
    check "${way}_of_no_bytes" "$times" -1 -1 "$way 0 3 10"
    check "${way}_of_the_greatest_length" "$times" -1 -1 "$way 4096 3 200"
    check "${way}_on_one_cpu" "$times" "$cpu" "$cpu" "$way 8 3 10"
  done
  for ranks in 2 64 256; do
    for what in named any channel bitmap counters boxes; do
      check "${what}_of_${ranks}_ranks" "$times" -1 -1 "$what $ranks 3 200"
    done
  done
  check too_long 'error .*4096.*' -1 -1 'box 4097 1 1'
  check no_power_of_two 'error .*2, 4, 8.*' -1 -1 'any 3 1 1'
  check too_many_ranks 'error .*256.*' -1 -1 'bitmap 512 1 1'
  check no_batches 'error .*batches.*' -1 -1 'box 8 0 1'
  check no_exchanges 'error .*exchanges.*' -1 -1 'box 8 1 0'
  check unknown_test 'error .*' -1 -1 'jump 8 1 1'
  check nonsense 'error .*' -1 -1 'box -8 1 1'
  several=$(printf 'box 8 1 1\nbad\nqueue 8 1 1\nbox 8 1 9\nany 8 1 9\nnamed 8 1 9\n' | "$counts" serve -1 -1 |
    cut -d' ' -f1 | tr '\n' ' ')
  [ "$several" = "ns error ns ns ns ns " ] || fail "several commands: $several"
  echo "ok several_commands_in_one_session"
  "$counts" serve 99999 0 < /dev/null 2> /dev/null && fail "a CPU that does not exist"
  "$counts" jump 10 2> /dev/null && fail "a case that does not exist"
  "$counts" channel-box 0 2> /dev/null && fail "no times"
  ADRASTEA_SHM_DIR=/nowhere "$counts" channel-box 10 2> /dev/null && fail "no directory"
  echo "ok bad_arguments_end_it"
done
