#!/bin/sh
# twice.sh: builds the commit that is checked out in two folders and compares all jars byte for byte. Takes minutes.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for folder in one 'another/longer name'; do
  git clone -q "$root" "$work/$folder"
  (cd "$work/$folder" && mvn -q -DskipTests verify)
done
cd "$work/one"
find . -path '*/target/adrastea*.jar' | sort >"$work/jars"
[ "$(wc -l <"$work/jars")" -ge 6 ] || { echo "there are too few jars:"; cat "$work/jars"; exit 1; }
unequal=0
while read -r jar; do
  cmp "$jar" "../another/longer name/$jar" && echo "equal: $jar" || unequal=1
done <"$work/jars"
exit $unequal
