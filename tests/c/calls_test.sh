#!/bin/sh
# calls_test.sh ADRASTEA_CALLS: says that it is ready, gives one answer a command, as many times as batches, says
# errors, ends with the end of its input and leaves no file.
set -eu
calls=$1
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT

fail() {
  echo "failed: $1" >&2
  exit 1
}

# check NAME PATTERN COMMAND: the answer is one line that matches.
check() {
  answer=$(printf '%s\n' "$3" | timeout 60 "$calls" -1 "$directory") || fail "$1: exit code $?"
  printf '%s\n' "$answer" | sed 1d | grep -Eqx "$2" || fail "$1: $answer"
  echo "ok $1"
}

times='ns( [0-9]+){3}'
check an_empty_call "$times" 'call-nothing 0 3 1000'
check a_poll_that_finds_nothing "$times" 'call-empty-poll 0 3 1000'
check sends "$times" 'call-send 8 3 1000'
check empty_sends "$times" 'call-send 0 3 1000'
check sends_that_fill_a_line "$times" 'call-send 48 3 1000'
check polls "$times" 'call-poll 8 3 1001'
check too_long "error .*at most 48.*" 'call-send 49 1 1'
check no_batches "error .*" 'call-send 8 0 1'
check no_calls "error .*" 'call-send 8 1 0'
check unknown "error .*" 'call-anything 8 1 1'
check too_much "error .*" 'call-send 8 1 1 1'

several=$(printf 'call-send 8 1 1\nbad\ncall-poll 8 2 1\n' | "$calls" -1 "$directory" | cut -d' ' -f1 | tr '\n' ' ')
[ "$several" = "ready ns error ns " ] || fail "several commands: $several"
echo "ok several_commands_in_one_session"
[ -z "$(ls "$directory")" ] || fail "it left $(ls "$directory")"
echo "ok no_file_is_left"
"$calls" 99999 "$directory" < /dev/null 2> /dev/null && fail "a CPU that does not exist"
"$calls" -1 /nonexistent < /dev/null 2> /dev/null && fail "a directory that does not exist"
"$calls" -1 < /dev/null 2> /dev/null && fail "no directory given"
echo "ok bad_arguments_end_it"
