#!/bin/sh
# pool_test.sh ADRASTEA_POOL: every way carries messages of every length with the right contents (the program checks
# each byte), and every command is answered.
set -eu
pool=$1
cpu=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*\([0-9]*\).*/\1/p' /proc/self/status)

fail() {
  echo "failed: $1" >&2
  exit 1
}

# check NAME PATTERN CPU COMMAND [CELL_BYTES [BUFFER_BYTES]]: the answer is one line that matches.
check() {
  name=$1 pattern=$2 where=$3 command=$4
  shift 4
  answer=$(printf '%s\n' "$command" | timeout 60 "$pool" "$where" "$where" "$@") || fail "$name: exit code $?"
  printf '%s\n' "$answer" | grep -Eqx "$pattern" || fail "$name: $answer"
  echo "ok $name"
}

# refuse NAME ARGUMENTS...: the program ends with its usage.
refuse() {
  name=$1
  shift
  code=0
  "$pool" "$@" < /dev/null 2> /dev/null || code=$?
  [ $code -eq 2 ] || fail "$name: exit code $code"
  echo "ok $name"
}

times='ns( [0-9]+){3}'
for way in cells boxes pool1 pool2 pool4 pool8 pool16 oldest pair; do
  for bytes in 8 4097 8192 8193 65536 200001; do
    check "${way}_ping_pong_of_$bytes" "$times" -1 "$way-latency $bytes 3 20"
  done
  check "${way}_stream" "$times" -1 "$way-stream 20000 3 200"
  check "${way}_of_more_packets_than_cells" "$times" -1 "$way-stream 100000 3 8" 64
  check "${way}_of_large_cells" "$times" -1 "$way-stream 100000 3 8" 32768
  check "${way}_on_one_cpu" "$times" "$cpu" "$way-latency 20000 3 5"
done
check pair_cut_by_the_end_of_the_buffer "$times" -1 'pair-stream 2500 3 100' 8192 4096
check pair_of_the_greatest_length "$times" -1 'pair-latency 4032 3 100' 8192 4096
check pair_too_long 'error .*bytes.*' -1 'pair-latency 4033 1 1' 8192 4096
check too_short 'error .*bytes.*' -1 'cells-latency 7 1 1'
check too_long 'error .*bytes.*' -1 'cells-latency 1048577 1 1'
check no_batches 'error .*batches.*' -1 'cells-latency 64 0 1'
check no_exchanges 'error .*exchanges.*' -1 'cells-latency 64 1 0'
check unknown_way 'error .*pool16.*' -1 'pool3-latency 64 1 1'
check unchecked "$times" -1 'pool8-stream-unchecked 100000 3 8'
check unknown_move 'error .*' -1 'cells-jump 64 1 1'
check nonsense 'error .*' -1 'cells-latency 64 1'
several=$(printf 'cells-latency 64 1 1\nbad\npool2-stream 64 1 1\npool2-latency 64 1 1\n' | "$pool" -1 -1 |
  cut -d' ' -f1 | tr '\n' ' ')
[ "$several" = "ns error ns ns " ] || fail "several commands: $several"
echo "ok several_commands_in_one_session"
refuse no_cpus
refuse no_number x 0
refuse cells_too_small -1 -1 63
refuse cells_too_large -1 -1 32769
refuse buffer_of_no_power_of_two -1 -1 8192 5000
refuse buffer_too_small -1 -1 8192 2048
"$pool" 99999 0 < /dev/null 2> /dev/null && fail "a CPU that does not exist"
ADRASTEA_SHM_DIR=/nowhere "$pool" -1 -1 < /dev/null 2> /dev/null && fail "no directory"
echo "ok bad_places_end_it"
