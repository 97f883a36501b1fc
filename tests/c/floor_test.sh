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
check copy_both_ways "$times" -1 -1 'bicopy 65536 3 4'
for test in slot line copy bicopy stream; do
  for bytes in 0 1 8 13 48; do check "touched_${test}_of_$bytes" "$times" -1 -1 "$test-touched $bytes 3 40"; done
done
for test in slot copy bicopy; do
  for bytes in 49 256 257 65536; do check "touched_${test}_of_$bytes" "$times" -1 -1 "$test-touched $bytes 3 10"; done
done
check touched_slot_of_the_greatest_length "$times" -1 -1 'slot-touched 1048576 3 5'
check touched_copy_of_more_than_four_buffers_have_room_for "$times" -1 -1 'copy-touched 26214400 3 3'
check touch_alone "$times" -1 -1 'touch 1000 3 40'
check touched_otherwise "error .*" -1 -1 'slot-touched-twice 8 1 1'
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
