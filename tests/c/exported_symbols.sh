#!/bin/sh
# exported_symbols.sh LIBRARY MAP JNI: the library exports what the version script lists, no more and no less; those
# of the jni core only when JNI is ON.
set -eu
[ "$3" = ON ] && jni='\|Java_[A-Za-z_]*' || jni=
listed=$(sed -n "s/^ *\(adr_[a-z0-9_]*$jni\);\$/\1/p" "$2" | sort)
exported=$(nm -D --defined-only "$1" | sed -n 's/.* T \([^@]*\).*/\1/p' | sort)
[ "$listed" = "$exported" ] && exit 0
printf 'listed:\n%s\nexported:\n%s\n' "$listed" "$exported" >&2
exit 1
