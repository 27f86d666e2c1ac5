#!/bin/sh
# Installs Lanyard @VERSION@ from its release. Needs curl or wget (for an address), tar, xz on Linux, and sha256sum
# or shasum. Does not need root: the default prefix is ~/.local.
#
#   sh install.sh [--prefix DIR] [--from ADDRESS|DIR]
#   sh install.sh --uninstall [--prefix DIR]
#
# With minisign and --public-key KEY, it also verifies the signature of the checksums.
# All of it is in functions: a part of this file does nothing.
set -eu

version='@VERSION@'
from='@ADDRESS@'
prefix="${HOME:-}/.local"
public_key=''

fail() {
  printf 'error: %s\n' "$1" >&2
  exit 1
}

usage='usage: sh install.sh [--prefix DIR] [--from ADDRESS|DIR] [--public-key KEY] [--uninstall]'

# The file with the paths of the installed files, one in a line.
list_of() { printf '%s' "$prefix/share/doc/lanyard/installed-files"; }

# Creates a directory below the prefix. Links in it lead elsewhere.
make_directory() {
  [ "$1" = . ] || make_directory "$(dirname "$1")"
  [ "$1" = . ] || [ ! -L "$prefix/$1" ] || fail "$prefix/$1 is a symbolic link"
  mkdir -p "$prefix/$1"
}

# Checks or installs one file: a new one, so that a running program keeps the old one, and links are replaced.
check_file() { [ ! -d "$prefix/$1" ] || fail "$prefix/$1 is a directory"; }
install_file() {
  make_directory "$(dirname "$2")"
  check_file "$2"
  cp "$1" "$prefix/$2.new.$$"
  chmod "$3" "$prefix/$2.new.$$"
  mv -f "$prefix/$2.new.$$" "$prefix/$2"
  printf '%s\n' "$2" >>"$work/installed-files"
}

uninstall() {
  [ -f "$(list_of)" ] || fail "no list of installed files in $prefix"
  while read -r file; do
    case /$file/ in */../* | //*) fail "invalid path in $(list_of): $file" ;; esac
    rm -f "$prefix/$file"
  done <"$(list_of)"
  rm -f "$(list_of)"
  rmdir "$prefix/share/doc/lanyard" 2>/dev/null || true
  printf 'Removed Lanyard from %s.\n' "$prefix"
}

main() {
  remove=''
  while [ $# -gt 0 ]; do
    case $1 in
      -h | --help)
        printf '%s\n' "$usage"
        exit 0
        ;;
      --uninstall)
        remove=1
        shift
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
  [ "$prefix" != /.local ] || fail "HOME is not set: use --prefix"
  if [ -n "$remove" ]; then
    uninstall
    return
  fi
  [ -n "$from" ] || fail "no source: use --from with the address or folder of the release"

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

  case $from in
    https://*) scheme=https ;;
    http://127.0.0.1* | http://localhost* | "http://[::1]"*) scheme=http ;;
    *://*) fail "the address of the release must begin with https://" ;;
  esac

  get() {
    case $from in
      *://*)
        if command -v curl >/dev/null; then
          curl -fsSL --proto "=$scheme" --proto-redir "=$scheme" -o "$work/$1" "$from/$1"
        elif command -v wget >/dev/null; then
          # It would follow a redirect to http.
          wget -q --max-redirect=0 -O "$work/$1" "$from/$1"
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

  umask 022
  check_file bin/lanyard
  install_file "$work/$name/bin/lanyard" bin/lanyard 755
  (cd "$work/$name" && find share -type f) >"$work/share-files"
  while read -r file; do install_file "$work/$name/$file" "$file" 644; done <"$work/share-files"
  for file in "$work/$name"/*; do
    [ ! -f "$file" ] || install_file "$file" "share/doc/lanyard/${file##*/}" 644
  done
  install_file "$work/installed-files" share/doc/lanyard/installed-files 644
  printf 'Installed Lanyard %s in %s.\n' "$version" "$prefix/bin/lanyard"
  case :${PATH:-}: in
    *":$prefix/bin:"*) ;;
    *) printf 'Add %s to your PATH.\n' "$prefix/bin" ;;
  esac
  case $prefix in
    /usr | /usr/local) ;;
    *)
      # shellcheck disable=SC2016
      ! command -v zsh >/dev/null || printf 'For completion in zsh, add this to ~/.zshrc before compinit: fpath=(%s $fpath)\n' "$prefix/share/zsh/site-functions"
      ;;
  esac
}

{ main "$@"; }
