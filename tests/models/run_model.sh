#!/usr/bin/env bash
# Checks a model with spin: run_model.sh MODEL WORK_DIR DEFINES CASES MUTANTS
#   MODEL    a .pml file
#   DEFINES  its size, as "A=1 B=2"; empty: its own
#   CASES    numbers of the cases that it must reach, "1 2 3"
#   MUTANTS  names of its mutants, "A B": for each the checker must find an error with -DMUTANT_A, and so on
# Exit code 77 when spin is missing. Room for states: ADRASTEA_MODEL_MIB, 1000; whoever gives it has many states, which
# are kept compressed.
set -uo pipefail
model=$1 work=$2 defines=$3 cases=$4 mutants=$5
folder=$(dirname "$(readlink -f "$model")") name=$(basename "$model" .pml)
compress=() slots=22 # of the table of states, as a power of two
optimization=-O0 # optimizing a checker of few states takes longer than it saves: 15 s for 0.2 s, at the most
[[ -z ${ADRASTEA_MODEL_MIB:-} ]] || { compress=(-DCOLLAPSE) slots=26 optimization=-O2; }
for tool in spin gcc; do
  command -v $tool >/dev/null || { echo "skipped: $tool is missing; apt-get install $tool"; exit 77; }
done
rm -rf "$work" && mkdir -p "$work" && cd "$work" && cp "$folder"/*.pml . || exit 1

# Writes and compiles the checker: verifier EXTRA_DEFINE OPTIMIZATION.
verifier() {
  local flags=() define
  for define in $defines $1; do flags+=("-D$define"); done
  spin -a "${flags[@]}" "$name.pml" >spin.log 2>&1 || return 1
  gcc "$2" -w -DSAFETY "${compress[@]}" -DMEMLIM="${ADRASTEA_MODEL_MIB:-1000}" -o pan pan.c
}
fail() { echo "FAILED: $*"; tail -30 pan.log spin.log 2>/dev/null; exit 1; }

verifier NO_MUTANT=1 "$optimization" || fail "$name does not compile"
./pan -m1000000 -w$slots >pan.log 2>&1
grep -q "errors: 0" pan.log || fail "$name has an error; see it with: spin -t -p $name.pml"
grep -qE "max search depth too small|Search not completed|out of memory" pan.log \
  && fail "$name was not searched to its end"
for number in $cases; do
  grep -q "^reached $number:" pan.log || fail "$name never reaches case $number"
done
grep -E "^reached|states, stored|total actual memory|elapsed" pan.log

for mutant in $mutants; do
  grep -q "MUTANT_$mutant\b" ./*.pml || fail "$name has no mutant $mutant"
  verifier "MUTANT_$mutant=1" -O0 || fail "mutant $mutant does not compile"
  timeout 300 ./pan -m1000000 -w20 >pan.log 2>&1
  # The line of an error: "pan:1: invalid end state (at depth 9)". Each log says that such states were looked for.
  error=$(sed -nE 's/^pan:[0-9]+: (assertion violated|invalid end state).*/\1/p' pan.log | head -1)
  [[ -n $error ]] || fail "mutant $mutant of $name was not caught"
  echo "caught: $mutant ($error)"
done
