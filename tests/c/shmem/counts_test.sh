#!/bin/sh
# counts_test.sh LIBRARY COUNTS CALLS...: libshmem exports, of each group of the standard, as many routines as its
# tables say (counts.txt); each routine is in one group, and has a name of the profiling interface; and the objects
# CALLS, which are compiled without inlining, call each of them. What may be missing from CALLS stands in counts.txt
# as a line "uncalled NAME".
set -eu
library=$1 counts=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

nm -D --defined-only "$library" | sed -n 's/.* [TW] \([^@]*\).*/\1/p' | grep -v '^adr_' | sort -u >"$work/exported"
grep -v '^p' "$work/exported" >"$work/routines"
sed 's/^/p/' "$work/routines" | sort -u >"$work/expected"
grep '^p' "$work/exported" >"$work/profiled"
diff "$work/expected" "$work/profiled" || { echo "FAILED: routines and their names for profiling differ"; failed=1; }

types='(float|double|longdouble|char|schar|short|int|long|longlong|uchar|ushort|uint|ulong|ulonglong'
types="$types|u?int(8|16|32|64)|size|ptrdiff|complexf|complexd)"
: >"$work/grouped"
echo "1.5 1.6 here group"
total15=0 total16=0 total=0
while read -r old new name pattern without; do
  case $old in '#' | uncalled | '') continue ;; esac
  expected=${new#*/} new=${new%/*}
  expression=$(echo "$pattern" | sed "s/T_/${types}_/g; s/S/(8|16|32|64|128)/g")
  grep -Ex "$expression" "$work/routines" >"$work/group" || :
  if [ "$without" = -short ]; then
    grep -Ev '_u?short_' "$work/group" >"$work/longer" || :
    mv "$work/longer" "$work/group"
  fi
  here=$(wc -l <"$work/group")
  cat "$work/group" >>"$work/grouped"
  echo "$old $new $here $name"
  [ "$here" -eq "$expected" ] || { echo "FAILED: $name has $here routines, not $expected"; failed=1; }
  total15=$((total15 + old)) total16=$((total16 + new)) total=$((total + here))
done <"$counts"
echo "$total15 $total16 $total all"
sort "$work/grouped" | uniq -d >"$work/twice"
[ ! -s "$work/twice" ] || { echo "FAILED: in two groups:"; cat "$work/twice"; failed=1; }
sort -u "$work/grouped" | comm -13 - "$work/routines" >"$work/alone"
[ ! -s "$work/alone" ] || { echo "FAILED: in no group:"; cat "$work/alone"; failed=1; }

sed -n 's/^uncalled //p' "$counts" | sort -u >"$work/uncalled"
nm -u "$@" | sed -n 's/^ *U \([^@]*\).*/\1/p' | sort -u >"$work/called"
comm -23 "$work/routines" "$work/called" | comm -23 - "$work/uncalled" >"$work/missing"
[ ! -s "$work/missing" ] || { echo "FAILED: never called by a test:"; cat "$work/missing"; failed=1; }
exit "$failed"
