#!/bin/sh
# data_segment_identity_test.sh PIE FIXED UNNAMED UNNAMED_OTHER: a program is the same in every process, stripped or not
# and by whatever name, and no other is, whether or not it has a build-id.
set -eu
pie=$1 fixed=$2 unnamed=$3 other=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

same() { [ "$($1 identity)" = "$($2 identity)" ] || { echo "failed: $1 and $2 are one program"; exit 1; }; }
differ() { [ "$($1 identity)" != "$($2 identity)" ] || { echo "failed: $1 and $2 are two programs"; exit 1; }; }

cp "$pie" "$work/copy"
cp "$unnamed" "$work/unnamed"
same "$pie" "$pie"
same "$pie" "$work/copy"
same "$unnamed" "$unnamed"
same "$unnamed" "$work/unnamed"
if command -v strip >/dev/null; then
  strip "$work/copy" "$work/unnamed"
  same "$pie" "$work/copy"
  same "$unnamed" "$work/unnamed"
fi
differ "$pie" "$fixed"
differ "$pie" "$unnamed"
differ "$unnamed" "$other"
