#!/bin/sh
# library_alone_test.sh CMAKE SOURCE: the target that Maven makes for the transport's jar compiles the libraries and
# oshrun alone, and the target for the benches compiles no test. A stand-in takes the place of compiler and linker,
# which notes what it is to make and leaves an empty file.
set -eu
cmake=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL # of the make that runs the tests

cat >"$work/stand-in" <<END
#!/bin/sh
while [ "\$1" != -o ]; do shift; done
echo "\$2" >>"$work/made"
: >"\$2"
END
chmod +x "$work/stand-in"
quietly() {
  "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
}
quietly "$cmake" -G "Unix Makefiles" -S "$source" -B "$work/build" -DADRASTEA_JAR_DIR="$work/jars" \
  -DADRASTEA_AARCH64_GCC=OFF -DCMAKE_STRIP=true -DCMAKE_INSTALL_PREFIX="$work/prefix" \
  -DCMAKE_C_COMPILER_LAUNCHER="$work/stand-in" -DCMAKE_C_LINKER_LAUNCHER="$work/stand-in"

# check TARGET NEEDED ALLOWED: making TARGET makes the file NEEDED, and no file that ALLOWED does not match.
check() {
  : >"$work/made"
  quietly make -C "$work/build" "$1"
  grep -q "^$2" "$work/made" || { echo "failed: $1 has not made $2"; exit 1; }
  if grep -Ev "$3" "$work/made"; then
    echo "failed: $1 has made what is above"
    exit 1
  fi
  echo "ok $1 made $(wc -l <"$work/made") files"
}
library='^(libshmem/)?CMakeFiles/(adrastea|adrastea_objects|shmem|oshrun)\.dir/'
library="$library"'|^((\.\./)?lib(adrastea|shmem)\.so|oshrun$)'
programs='^(CMakeFiles/)?adrastea-(floor|calls|copies|counts|counts-plain|pool|datatypes|hog|rma|shmem)(\.dir/|$)'
check install-library libadrastea.so "$library"
check install-programs adrastea-floor "$programs"
