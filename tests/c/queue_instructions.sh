#!/bin/sh
# queue_instructions.sh CHECKED UNCHECKED: the instructions of an uncontended enqueue and dequeue, by callgrind,
# beside those of the paper [Nemesis 2006, 2.1.2]. Exit code 77: skipped.
set -eu
times=1000
if ! command -v valgrind > /dev/null; then
  echo "skipped: valgrind is missing; apt-get install valgrind"
  exit 77
fi

# collected PROGRAM FUNCTION: instructions inside the function, over all its calls.
collected() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect="$2" "$1" 2>&1 |
    sed -n 's/.*Collected *: *\([0-9]*\).*/\1/p'
}

# per_call PROGRAM FUNCTION: less those of a call that does nothing (the return).
per_call() {
  total=$(collected "$1" "$2")
  nothing=$(collected "$1" count_nothing)
  echo $(((total - nothing) / times))
}

row() {
  checked=$(per_call "$checked_program" "$2")
  unchecked=$(per_call "$unchecked_program" "$2")
  printf '%-32s %9d %11d %7s\n' "$1" "$checked" "$unchecked" "$3"
  # Far above what it should be: the fast path has grown.
  [ "$unchecked" -ge "$4" ] && [ "$checked" -le "$5" ] || { echo "failed: expected $4 to $5" >&2; exit 1; }
}

checked_program=$1
unchecked_program=$2
printf '%-32s %9s %11s %7s\n' "instructions, uncontended" checked unchecked paper
row "enqueue, others in the queue" count_enqueue_behind_others 6 6 30
row "enqueue, queue empty" count_enqueue_when_empty 6 6 30
row "dequeue, others in the queue" count_dequeue_before_others 11 6 30
row "dequeue, the last one" count_dequeue_the_last 11 6 40
cat << 'EOF'
Counted are the instructions that a caller adds to an inlined call, argument registers filled. The paper's
code works on pointers that it trusts. Ours names cells by offset, so each access adds the address of the
mapping (a load, and an add or an indexed move); an enqueue also clears the cell's `next` and returns a
status. An enqueue says before what it is about to do, and takes that back after (four stores and a load of
the cell's generation), and a dequeue raises the generation: so that others can repair the queue when its
enqueuer dies. The paper's queue does not survive that. Checking an offset read from shared memory is a
subtraction, two comparisons and their branches, with the loads that feed them: the difference between the
columns; an enqueue onto an empty queue reads no offset and has none. A dequeue is a peek and an advance, each
with a result that is tested; before others it touches the shadow head alone, as the paper's touches the head.
The last cell is dearer by the compare-and-swap of the tail and, the queue having been empty before, by
taking the head over into the shadow head.
EOF
