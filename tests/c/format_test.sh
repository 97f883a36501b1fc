#!/bin/sh
# format_test.sh ROOT: every C file of the source tree looks as ROOT/.clang-format says, and no line of one is longer
# than 120 columns.
set -eu
root=$1
tool=
for candidate in clang-format-14 clang-format; do
  if "$candidate" --version 2>/dev/null | grep -q 'version 14\.'; then tool=$candidate; break; fi
done
if [ -z "$tool" ]; then
  echo "skipped: clang-format 14 is not there; apt-get install clang-format-14"
  exit 77
fi
cd "$root"
files=$(find include native tests bench examples \( -name target -o -name build \) -prune \
  -o \( -name '*.c' -o -name '*.h' \) -print)
count=$(echo "$files" | wc -l)
[ "$count" -ge 200 ] || { echo "FAILED: only $count C files were found in $root"; exit 1; }
failed=0
# shellcheck disable=SC2086 # no file here has a space in its name
"$tool" --dry-run --Werror $files || { echo "FAILED: mend it with $tool -i FILE"; failed=1; }
# shellcheck disable=SC2086
awk 'length > 120 { print FILENAME ":" FNR ": more than 120 columns"; found = 1 } END { exit found }' $files || failed=1
exit "$failed"
