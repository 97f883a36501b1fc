#!/bin/sh
# hog_test.sh ADRASTEA_HOG: it takes CPU time, has a session and a niceness of its own, tells what it took, refuses what
# makes no hog, and ends with its input however that ends.
set -eu
hog=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
  echo "failed: $1" >&2
  exit 1
}

# field N PID: a field of its stat, counted from the one behind the name; 1 is the state.
field() { sed 's/.*) //' "/proc/$2/stat" | cut -d' ' -f"$1"; }

# await PID: returns once a process is gone, or is a zombie that nobody has waited for.
await() {
  while [ -e "/proc/$1" ] && [ "$(field 1 "$1" 2>/dev/null || echo X)" != Z ] && [ -e "/proc/$1" ]; do sleep 0.05; done
}

# start WORDS...: a hog whose input is the pipe `in`, held open as descriptor 3, and whose output is the pipe `out`.
start() {
  mkfifo "$folder/in" "$folder/out"
  "$hog" "$@" <"$folder/in" >"$folder/out" &
  pid=$!
  exec 3>"$folder/in" 4<"$folder/out"
  rm "$folder/in" "$folder/out"
  ask
}

# ask: the CPU time that the hog has taken.
ask() {
  echo cpu >&3
  read -r word took <&4
  [ "$word" = ns ] || fail "answered '$word $took'"
}

start 1000000 0 2 100 7
first=$took
while [ "$took" -le "$((first + 20000000))" ]; do ask; done
echo "ok takes_cpu_time_and_tells_it"
[ "$(field 4 "$pid")" = "$pid" ] || fail "its session is $(field 4 "$pid"), its process $pid"
[ "$(field 17 "$pid")" = 7 ] || fail "its niceness is $(field 17 "$pid")"
[ "$(field 18 "$pid")" = 3 ] || fail "it has $(field 18 "$pid") threads"
for task in "/proc/$pid/task"/*; do
  [ "$(sed 's/.*) //' "$task/stat" | cut -d' ' -f17)" = 7 ] || fail "a thread without its niceness"
done
echo "ok session_niceness_and_threads_of_its_own"
exec 3>&-
await "$pid"
exec 4<&-
echo "ok ends_with_its_input"

# begin WORDS...: a hog whose input is held open by another process, `holder`; both have begun.
begin() {
  mkfifo "$folder/in"
  sleep 100 >"$folder/in" &
  holder=$!
  "$hog" "$@" <"$folder/in" &
  pid=$!
  until [ "$(readlink "/proc/$pid/exe")" = "$(readlink -f "$hog")" ]; do sleep 0.05; done
  rm "$folder/in"
}

begin 1000 1000 1 100
kill -9 "$holder"
await "$pid"
echo "ok ends_when_the_holder_of_its_input_is_killed"

begin 1000 1000 1 1
await "$pid"
[ "$(field 1 "$holder")" = S ] || fail "the holder of its input has ended"
kill "$holder"
echo "ok ends_after_its_time"

for words in '' '1000 0 1' '0 0 1 1' '1000 -1 1 1' '1000 0 0 1' '1000 0 1 0' '1000 0 1 1 20' 'x 0 1 1' '1 1 1 1 1 1'; do
  # shellcheck disable=SC2086 # a list of words
  "$hog" $words </dev/null 2>/dev/null && fail "'$words' was taken"
done
"$hog" 1000 0 1 1x </dev/null 2>"$folder/said" && fail "a number with more behind it was taken"
grep -q "SECONDS is a number from 1 to 1000000, not '1x'" "$folder/said" || fail "$(cat "$folder/said")"
echo "ok bad_words_are_refused_by_name"
