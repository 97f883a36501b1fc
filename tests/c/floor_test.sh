#!/bin/sh
# floor_test.sh ADRASTEA_FLOOR: one answer a command, as many times as batches, errors said, the end
# with the end of its input.
set -eu
floor=$1
cpu=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*\([0-9]*\).*/\1/p' /proc/self/status)

fail() {
  echo "failed: $1" >&2
  exit 1
}

# check NAME PATTERN CPU0 CPU1 COMMAND: the answer is one line that matches.
check() {
  answer=$(printf '%s\n' "$5" | timeout 60 "$floor" "$3" "$4") || fail "$1: exit code $?"
  printf '%s\n' "$answer" | grep -Eqx "$2" || fail "$1: $answer"
  echo "ok $1"
}

times='ns( [0-9]+){3}'
check slot_of_each_kind_of_length "$times" -1 -1 'slot 8 3 10'
check slot_without_payload "$times" -1 -1 'slot 0 3 10'
check slot_of_several_lines "$times" -1 -1 'slot 1000 3 10'
check slot_of_the_greatest_length "$times" -1 -1 'slot 1048576 3 2'
check line "$times" -1 -1 'line 8 3 10'
check copy "$times" -1 -1 'copy 65536 3 4'
check both_sides_on_one_cpu "$times" "$cpu" "$cpu" 'slot 8 3 10'
check too_long "error .*1 MiB.*" -1 -1 'slot 1048577 1 1'
check no_batches "error .*batches.*" -1 -1 'line 0 0 1'
check no_exchanges "error .*exchanges.*" -1 -1 'line 0 1 0'
check unknown_test "error .*" -1 -1 'jump 8 1 1'
check nonsense "error .*" -1 -1 'slot -8 1 1'
check too_much "error .*" -1 -1 'slot 8 1 1 1'

several=$(printf 'slot 8 1 1\nbad\nline 0 2 1\n' | "$floor" -1 -1 | cut -d' ' -f1 | tr '\n' ' ')
[ "$several" = "ns error ns " ] || fail "several commands: $several"
echo "ok several_commands_in_one_session"
"$floor" 99999 0 < /dev/null 2> /dev/null && fail "a CPU that does not exist"
"$floor" < /dev/null 2> /dev/null && fail "no CPUs given"
echo "ok bad_arguments_end_it"
