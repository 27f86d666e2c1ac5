#!/bin/sh
# Installs Lanyard @VERSION@ from its release. Needs curl or wget (for an address), tar, xz on Linux, and sha256sum
# or shasum. Does not need root: the default prefix is ~/.local.
#
#   sh install.sh [--prefix DIR] [--from ADDRESS|DIR]
#
# With minisign and --public-key KEY, it also verifies the signature of the checksums.
set -eu

version='@VERSION@'
from='@ADDRESS@'
prefix="${HOME:-}/.local"
public_key=''

fail() {
  printf 'error: %s\n' "$1" >&2
  exit 1
}

usage='usage: sh install.sh [--prefix DIR] [--from ADDRESS|DIR] [--public-key KEY]'
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help)
      printf '%s\n' "$usage"
      exit 0
      ;;
    --prefix | --from | --public-key)
      [ $# -ge 2 ] || fail "$1 needs a value"
      case $1 in
        --prefix) prefix=$2 ;;
        --from) from=${2%/} ;;
        --public-key) public_key=$2 ;;
      esac
      shift 2
      ;;
    *) fail "unknown argument: $1 ($usage)" ;;
  esac
done
[ -n "$from" ] || fail "no source: use --from with the address or folder of the release"
[ "$prefix" != /.local ] || fail "HOME is not set: use --prefix"

case $(uname -s) in
  Linux) os=linux suffix=tar.xz ;;
  Darwin) os=darwin suffix=tar.gz ;;
  *) fail "no executable for $(uname -s)" ;;
esac
case $(uname -m) in
  x86_64 | amd64) arch=x64 ;;
  aarch64 | arm64) arch=arm64 ;;
  *) fail "no executable for $(uname -m)" ;;
esac
name=lanyard-$version-$os-$arch
if [ "$os" = linux ] && ! command -v xz >/dev/null; then fail "xz is missing: install xz-utils"; fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

get() {
  case $from in
    *://*)
      if command -v curl >/dev/null; then
        curl -fsSL -o "$work/$1" "$from/$1"
      elif command -v wget >/dev/null; then
        wget -q -O "$work/$1" "$from/$1"
      else
        fail "curl and wget are missing"
      fi
      ;;
    *) cp "$from/$1" "$work/$1" ;;
  esac || fail "cannot get $from/$1"
}

get SHA256SUMS
if [ -n "$public_key" ]; then
  command -v minisign >/dev/null || fail "minisign is missing"
  get SHA256SUMS.minisig
  minisign -V -q -P "$public_key" -m "$work/SHA256SUMS" || fail "the signature of SHA256SUMS is not valid"
fi
get "$name.$suffix"

expected=$(sed -n "s/^\([0-9a-f]*\)  $name\.$suffix\$/\1/p" "$work/SHA256SUMS")
[ -n "$expected" ] || fail "SHA256SUMS has no $name.$suffix"
if command -v sha256sum >/dev/null; then
  actual=$(sha256sum "$work/$name.$suffix")
else
  actual=$(shasum -a 256 "$work/$name.$suffix")
fi
[ "${actual%% *}" = "$expected" ] || fail "wrong checksum of $name.$suffix: expected $expected, got ${actual%% *}"

case $suffix in
  tar.xz) xz -dc "$work/$name.$suffix" | tar -xf - -C "$work" ;;
  *) tar -xzf "$work/$name.$suffix" -C "$work" ;;
esac
"$work/$name/bin/lanyard" --version >/dev/null || fail "the program does not start on this system"

mkdir -p "$prefix/bin" "$prefix/share/doc/lanyard"
# A new file, so that a running program keeps the old one.
cp "$work/$name/bin/lanyard" "$prefix/bin/.lanyard.$$"
mv -f "$prefix/bin/.lanyard.$$" "$prefix/bin/lanyard"
cp -R "$work/$name/share" "$prefix/"
for file in "$work/$name"/*; do
  [ ! -f "$file" ] || cp "$file" "$prefix/share/doc/lanyard/"
done
printf 'Installed Lanyard %s in %s.\n' "$version" "$prefix/bin/lanyard"
case :${PATH:-}: in
  *":$prefix/bin:"*) ;;
  *) printf 'Add %s to your PATH.\n' "$prefix/bin" ;;
esac
