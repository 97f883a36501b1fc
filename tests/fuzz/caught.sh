#!/bin/sh
# caught.sh PROGRAM ARGUMENTS...: whether PROGRAM, which reads a word twice, has no finding as long as words are
# spoiled between its calls alone, and one when they are spoiled between its loads (--beside).
set -u
program=$1
shift
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cd "$folder" || exit 1
"$program" "$@" >log 2>&1 || { cat log; echo "a finding though nobody writes meanwhile"; exit 1; }
"$program" --beside "$@" >log 2>&1
status=$?
cat log
case $status in
  # What a target requires does not hold, or it touched a page that nobody may touch.
  134 | 135 | 139) echo "caught (exit status $status)" ;;
  *) echo "not caught (exit status $status)"; exit 1 ;;
esac
