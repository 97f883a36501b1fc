#!/usr/bin/env bash
# Has herd7 check every litmus test of this folder: the outcome that its `exists` names must never be seen, and in a
# *.weaker.litmus, whose orders are weaker than the code's, it must be. Exit code 77 when herd7 is missing
# (herdtools7, from opam; Debian has no package).
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
command -v herd7 >/dev/null || {
  echo "skipped: herd7 is missing; Debian 12 has no package that brings it (opam install herdtools7)"
  exit 77
}
failed=0
for test in *.litmus; do
  wanted=Never
  [[ $test == *.weaker.litmus ]] && wanted=Sometimes
  seen=$(herd7 "$test" 2>&1 | sed -nE 's/^Observation [^ ]+ ([A-Z][a-z]+) .*/\1/p')
  [[ $seen == "$wanted" ]] || { echo "FAILED: $test: wanted $wanted, seen ${seen:-nothing}"; failed=1; }
done
exit $failed
