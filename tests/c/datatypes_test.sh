#!/bin/sh
# datatypes_test.sh ADRASTEA_DATATYPES: packs each kind of loop of a text of cases, gives one answer a command, as many
# times as batches, says errors, and ends with the end of its input.
set -eu
program=$1
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cases=$directory/cases

fail() {
  echo "failed: $1" >&2
  exit 1
}

cat > "$cases" << 'END'
case noncontig 8 noncontig/8 128 32
send 0 5 vector 4 1 2 double boxes 1 0 1 0 4 16 8
receive 0 5 vector 4 1 2 double boxes 1 0 1 0 4 16 8
case shapes 0 points/3 64 12
send 0 7 indexedBlock 3 1 4 2 9 float gather 1 0 1 3 4 2 9
receive 0 3 contiguous 3 float gather 1 0 1 3 0 1 2
case shapes 1 atoms/2 192 64
send 0 1 double atoms 0 1 96 2 3 1
receive 0 1 double atoms 0 1 96 2 0 1
case shapes 2 columns/2 64 64
send 0 1 double columns 0 2 2 32
receive 0 1 double columns 0 2 2 32
end
END

# check NAME PATTERN COMMAND: the answer is one line that matches.
check() {
  answer=$(printf '%s\n' "$3" | timeout 60 "$program" "$cases" -1) || fail "$1: exit code $?"
  printf '%s\n' "$answer" | grep -Eqx "$2" || fail "$1: $answer"
  echo "ok $1"
}

times='ns( -?[0-9]+){3}'
check boxes "$times" 'noncontig-loop 8 3 1000'
check points "$times" 'shapes-loop 0 3 1000'
check atoms "$times" 'shapes-loop 1 3 1000'
check columns "$times" 'shapes-loop 2 3 1000'
check no_such_case "error there is no case 3 for 'shapes-loop'" 'shapes-loop 3 1 1'
check another_group "error there is no case 8.*" 'shapes-loop 8 1 1'
check no_batches "error .*" 'shapes-loop 0 0 1'
check no_packs "error .*" 'shapes-loop 0 1 0'
check unknown "error a command is: .*" 'shapes-anything 0 1 1'

several=$(printf 'shapes-loop 0 1 1\nbad\nnoncontig-loop 8 2 1\n' | "$program" "$cases" -1 | cut -d' ' -f1)
[ "$(echo $several)" = "ns error ns" ] || fail "several commands: $several"
echo "ok several_commands_in_one_session"
sed '$d' "$cases" > "$directory/cut"
"$program" "$directory/cut" -1 < /dev/null 2> /dev/null && fail "a text without an end"
"$program" "$directory/none" -1 < /dev/null 2> /dev/null && fail "a text that does not exist"
"$program" "$cases" < /dev/null 2> /dev/null && fail "no CPU given"
echo "ok bad_arguments_end_it"
