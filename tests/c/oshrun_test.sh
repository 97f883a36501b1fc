#!/bin/sh
# oshrun_test.sh OSHRUN PROGRAM ENDING: what the launcher gives to PEs, how it ends them, and what it refuses. PROGRAM
# joins a job when its argument is `pe`, and waits there. A PE of ENDING ends all by shmem_global_exit(0) when its
# argument is `end`.
set -u
oshrun=$1 program=$2 ending=$3
work=$(mktemp -d)
mkdir "$work/shm"
trap 'rm -rf "$work"' EXIT
unset ADRASTEA_JOB ADRASTEA_RANK ADRASTEA_SIZE ADRASTEA_SHM_DIR
failed=0

fail() {
  echo "FAILED: $*"
  sed 's/^/  out: /' "$work/out"
  sed 's/^/  err: /' "$work/err"
  failed=1
}

# run CODE WORDS...: runs oshrun, whose exit code is to be CODE.
run() {
  wanted=$1
  shift
  timeout 60 "$oshrun" --shm-dir "$work/shm" "$@" >"$work/out" 2>"$work/err" </dev/null
  code=$?
  [ $code = "$wanted" ] || fail "oshrun $* ended with $code, and not with $wanted"
}
says() { grep -qxF -e "$1" "$work/out" || fail "there is no line '$1'"; }
complains() { grep -qF -e "$1" "$work/err" || fail "there is no '$1'"; }
# Whether no process runs that has this mark among its words.
gone() {
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    pgrep -f "$1" >/dev/null || return 0
    sleep 0.2
  done
  fail "$2"
}

run 0 -n 3 sh -c 'echo "$ADRASTEA_RANK of $ADRASTEA_SIZE"'
for pe in 0 1 2; do says "$pe of 3"; done
run 0 -n 2 --label always sh -c 'echo out; echo err >&2; printf rest'
for pe in 0 1; do
  says "[$pe] out"
  says "[$pe] rest"
  complains "[$pe] err"
done
run 0 -np 1 -x FIRST=1 sh -c 'echo "part 0 $FIRST $ADRASTEA_RANK"' : -n 2 -x FIRST=2 --wdir "$work" -- \
  sh -c 'echo "part 1 $FIRST $ADRASTEA_RANK $(pwd)"'
says "part 0 1 0"
says "part 1 2 2 $work"

echo 'to one' >"$work/in"
for reader in 0 1 none; do
  timeout 60 "$oshrun" -n 2 --stdin $reader sh -c 'read -r line; echo "$ADRASTEA_RANK:$line"' \
    <"$work/in" >"$work/out" 2>"$work/err"
  [ $reader = 0 ] && says "0:to one" || says "0:"
  [ $reader = 1 ] && says "1:to one" || says "1:"
done

run 7 -n 2 sh -c '[ "$ADRASTEA_RANK" = 1 ] && exit 7; exec sleep 1001'
complains "PE 1 exited with code 7; ending the other PEs"
run 137 -n 2 sh -c '[ "$ADRASTEA_RANK" = 0 ] && kill -KILL $$; exec sleep 1001'
complains "PE 0 was killed by signal 9 (SIGKILL); ending the other PEs"
mark="sleep 41$$"
run 3 -n 2 sh -c "[ \$ADRASTEA_RANK = 1 ] && sleep 1 && exit 3; trap '' TERM; ($mark & ) ; $mark"
gone "$mark" "what a PE had started was not ended"
run 124 -n 2 --timeout 0.5 sleep 1001
complains "--timeout 0.5"
run 1 -n 1 "$program" pe : -n 1 true
complains "PE 1 ended before it called shmem_init"

run 0 -n 3 "$ending" end
[ -s "$work/err" ] && fail "PEs that shmem_global_exit(0) ends are no failure"

run 127 -n 2 "$work/nothing"
complains "PE 0 cannot be started as $work/nothing: No such file"
run 126 -n 2 "$work/in"
run 2
complains "there is no program"
run 2 -n 2 true :
run 2 -n 0 true
complains "-n is '0'; allowed are 1 to 1024"
run 2 -n 1000 true : -n 25 true
complains "1025 PEs together"
run 2 --bind cpu true
complains "there is no option '--bind' here"
run 2 -n 1 true : --label always true
complains "there is no option '--label' of a later part"
run 2 --timeout soon true
run 2 --stdin 2 -n 2 true
run 2 -x ADRASTEA_RANK=1 true
run 2 -x NOT_SET_ANYWHERE true
run 2 --wdir "$work/nothing" true
run 0 --help

# Its end ends the PEs, and takes the file of a job with it that not all have joined.
for signal in TERM KILL; do
  mark="sleep 42$$"
  "$oshrun" --shm-dir "$work/shm" -n 1 "$program" pe : -n 1 $mark >"$work/out" 2>"$work/err" </dev/null &
  launcher=$!
  until pgrep -f "^$mark" >/dev/null && [ -n "$(ls "$work/shm")" ]; do sleep 0.1; done
  kill -$signal $launcher
  wait $launcher
  code=$?
  [ $signal = KILL ] || [ $code = 143 ] || fail "a SIGTERM ended it with $code, and not with 143"
  gone "^$mark" "the end of oshrun by SIG$signal has not ended a PE"
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    [ -z "$(ls "$work/shm")" ] && break
    sleep 0.2
  done
  [ -z "$(ls "$work/shm")" ] || fail "a job ended by SIG$signal has left $(ls "$work/shm")"
done
[ -z "$(ls "$work/shm")" ] || fail "jobs have left $(ls "$work/shm")"

"$oshrun" --info >"$work/out" 2>"$work/err" || fail "oshrun --info has failed"
grep -q '^variables  symmetric, ' "$work/out" || fail "variables are not symmetric here"
[ $failed = 0 ] && echo ok
exit $failed
