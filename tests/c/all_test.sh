#!/bin/sh
# all_test.sh ALL: tests/all.sh, with a stand-in for ctest, fails for too few tests, for one that is skipped and does
# not say why, and for one that fails; and it tells what was skipped.
set -eu
all=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/ctest" <<'END'
#!/bin/sh
while [ "$1" != --output-junit ]; do shift; done
cat >"$2" <<XML
<testsuite>
	<testcase name="one" classname="one" time="0.1" status="run">
		<system-out>ok</system-out>
	</testcase>
	<testcase name="two" classname="two" time="0.1" status="notrun">
		<skipped message="SKIP_RETURN_CODE=77"/>
		<system-out>${SAID-skipped: a tool is missing; apt-get install a-tool}
</system-out>
	</testcase>
</testsuite>
XML
exit ${CODE-0}
END
chmod +x "$work/ctest"

# check NAME CODE PATTERN LEAST [VARIABLE=VALUE]
check() {
  name=$1 code=$2 pattern=$3 least=$4
  shift 4
  got=0
  env "$@" "$all" "$work/ctest" "$work" quick "$least" >"$work/said" || got=$?
  [ "$got" -eq "$code" ] && grep -Eqx "$pattern" "$work/said" || {
    echo "failed: $name: exit code $got"
    cat "$work/said"
    exit 1
  }
  echo "ok $name"
}
check counts_what_ran 0 'C tests \(quick\): 1 of 2 ran; there must be 2 at least\. Skipped:' 2
check tells_what_brings_a_tool 0 '  two: a tool is missing; apt-get install a-tool' 2
check fails_for_too_few 1 'FAILED: there are fewer C tests than there must be: 2 instead of 3' 3
check fails_for_a_skip_without_a_reason 1 'FAILED: two was skipped and does not say why' 2 SAID=nothing
check fails_with_a_test 8 'C tests \(quick\): .*' 2 CODE=8
