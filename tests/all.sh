#!/bin/sh
# all.sh CTEST BUILD quick|proof LEAST: runs all C tests of a build folder in this form, two at a time. Fails when a
# test fails, when there are fewer than LEAST tests, or when one is skipped without a line "skipped: why". How many
# ran and what was skipped is the last that it prints, and stands in BUILD/c-tests.txt.
set -eu
ctest=$1 build=$2 form=$3 least=$4
cd "$build"
rm -f c-tests.txt c-tests.xml
failed=0
[ "$form" = quick ] || set -- -C proof
[ "$form" = proof ] || set --
"$ctest" --parallel 2 --output-on-failure --no-tests=error --output-junit c-tests.xml "$@" || failed=$?

awk -v form="$form" -v least="$least" '
  /<testcase name=/ { name = $0; sub(/.*<testcase name="/, "", name); sub(/".*/, "", name); all++; explained = 0 }
  /<skipped / { skipped++; unexplained[name] = 1 }
  /skipped: / {
    why = $0
    sub(/.*skipped: /, "", why)
    sub(/<\/system-out>.*/, "", why)
    reasons = reasons "\n  " name ": " why
    delete unexplained[name]
  }
  END {
    printf "C tests (%s): %d of %d ran; there must be %d at least%s\n", form, all - skipped, all, least,
      reasons == "" ? "" : ". Skipped:" reasons
    for (name in unexplained) { print "FAILED: " name " was skipped and does not say why"; bad = 1 }
    if (all < least) { print "FAILED: there are fewer C tests than there must be: " all " instead of " least; bad = 1 }
    exit bad
  }' c-tests.xml >c-tests.txt || failed=1
cat c-tests.txt
exit "$failed"
