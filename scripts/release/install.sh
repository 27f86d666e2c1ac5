#!/bin/sh
{ # A part of this file is a syntax error, and does nothing.
# Installs Lanyard @VERSION@ from its release. Needs curl or GNU wget (for an address), tar, xz on Linux, and sha256sum
# or shasum. Does not need root: the default prefix is ~/.local.
#
#   sh install.sh [--prefix DIR] [--from ADDRESS|DIR]
#   sh install.sh --uninstall [--prefix DIR]
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

usage='usage: sh install.sh [--prefix DIR] [--from ADDRESS|DIR] [--public-key KEY] [--uninstall]'

# The installed files, and the directories that were created for them with a slash at their end, one in a line.
list=share/doc/lanyard/installed-files

# Creates a directory below the prefix. Links in it lead elsewhere.
make_directory() {
  [ "$1" = . ] || make_directory "$(dirname "$1")"
  [ "$1" = . ] || [ ! -L "$prefix/$1" ] || fail "$prefix/$1 is a symbolic link"
  [ -d "$prefix/$1" ] || [ "$1" = . ] || printf '%s/\n' "$1" >>"$work/installed-files"
  mkdir -p "$prefix/$1"
}

# Checks or installs one file: a new one, so that a running program keeps the old one, and links are replaced.
check_file() { [ ! -d "$prefix/$1" ] || fail "$prefix/$1 is a directory"; }
install_file() {
  make_directory "$(dirname "$2")"
  check_file "$2"
  pending=$prefix/$2.new.$$
  cp "$1" "$pending"
  chmod "$3" "$pending"
  mv -f "$pending" "$prefix/$2"
  pending=''
}

# Removes the files and then the empty directories of a list.
remove_listed() {
  while read -r file; do
    case /$file in */../* | */.. | //*) fail "invalid path in $prefix/$list: $file" ;; esac
    if [ ! -d "$prefix/$file" ] || [ -L "$prefix/$file" ]; then rm -f "$prefix/$file"; fi
  done <"$1"
  LC_ALL=C sort -r "$1" | while read -r file; do
    case $file in */) [ ! -d "$prefix/$file" ] || rmdir "$prefix/$file" 2>/dev/null || true ;; esac
  done
}

uninstall() {
  [ -f "$prefix/$list" ] || fail "no list of installed files in $prefix"
  copy=$(mktemp)
  trap 'rm -f "$copy"' EXIT
  # The list is in a directory that it names.
  cp "$prefix/$list" "$copy"
  printf '%s\n' "$list" >>"$copy"
  remove_listed "$copy"
  printf 'Removed Lanyard from %s.\n' "$prefix"
}

# Loads URL into FILE. Redirects lead to the same scheme only.
load() {
  if command -v curl >/dev/null; then
    curl -fsSL --proto "=$scheme" --proto-redir "=$scheme" -o "$2" "$1"
    return
  fi
  command -v wget >/dev/null || fail "curl and wget are missing"
  wget --help 2>&1 | grep -q max-redirect || fail "curl is missing, and this wget follows redirects to http: install curl or GNU wget"
  # wget would follow a redirect to http.
  url=$1
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    if LC_ALL=C wget -S --max-redirect=0 -O "$2" "$url" 2>"$work/headers"; then return; fi
    next=$(sed -n 's/^ *[Ll]ocation: *\([^ ]*\).*$/\1/p' "$work/headers" | tail -n 1)
    case $next in
      "$scheme"://*) url=$next ;;
      /[!/]*) url=$(printf '%s' "$url" | sed 's|^\([a-z]*://[^/]*\).*|\1|')$next ;;
      *)
        tail -n 1 "$work/headers" >&2
        return 1
        ;;
    esac
  done
  return 1
}

get() {
  case $from in
    *://*) load "$from/$1" "$work/$1" ;;
    *) cp "$from/$1" "$work/$1" ;;
  esac || fail "cannot get $from/$1"
}

# zsh loads completions from the directories of its fpath only.
zsh_hint() {
  directory=$prefix/share/zsh/site-functions
  command -v zsh >/dev/null || return 0
  # shellcheck disable=SC2016
  ! zsh -fc 'print -l $fpath' 2>/dev/null | grep -qxF "$directory" || return 0
  ! grep -qsF "$directory" "${ZDOTDIR:-${HOME:-}}/.zshrc" || return 0
  # shellcheck disable=SC2016
  printf 'For completion in zsh, add this to ~/.zshrc before compinit:\n  fpath=("%s" $fpath)\n' "$directory"
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
        [ -n "${2:-}" ] || fail "$1 needs a value"
        case $1 in
          --prefix) prefix=${2%/} ;;
          --from) from=${2%/} ;;
          --public-key) public_key=$2 ;;
        esac
        shift 2
        ;;
      *) fail "unknown argument: $1 ($usage)" ;;
    esac
  done
  [ "$prefix" != /.local ] || fail "HOME is not set: use --prefix"
  case $prefix in /* | '') ;; *) prefix=$PWD/$prefix ;; esac
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
  case $from/ in
    https://*) scheme=https ;;
    http://*@*) fail "the address of the release must begin with https://" ;;
    http://127.0.0.1[:/]* | http://localhost[:/]* | "http://[::1]"[:/]*) scheme=http ;;
    *://*) fail "the address of the release must begin with https://" ;;
  esac

  work=$(mktemp -d)
  pending=''
  trap 'rm -rf "$work"; [ -z "$pending" ] || rm -f "$pending"' EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM

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
  (cd "$work/$name" && find share -type f) >"$work/share-files"
  for file in "$work/$name"/*; do
    [ ! -f "$file" ] || printf 'share/doc/lanyard/%s\n' "${file##*/}"
  done >"$work/text-files"
  { cat "$work/share-files" "$work/text-files" && printf '%s\n' bin/lanyard "$list"; } >"$work/new-files"
  while read -r file; do check_file "$file"; done <"$work/new-files"

  # The list first, with the files of the installed version: after an interruption, --uninstall removes all of them.
  : >"$work/old-files"
  if [ -f "$prefix/$list" ]; then cp "$prefix/$list" "$work/old-files"; fi
  cat "$work/old-files" "$work/new-files" >"$work/installed-files"
  while read -r file; do make_directory "$(dirname "$file")"; done <"$work/new-files"
  install_file "$work/installed-files" "$list" 644
  while read -r file; do install_file "$work/$name/$file" "$file" 644; done <"$work/share-files"
  while read -r file; do install_file "$work/$name/${file##*/}" "$file" 644; done <"$work/text-files"
  # Last: after an interruption, the installed version still runs.
  install_file "$work/$name/bin/lanyard" bin/lanyard 755
  grep -vxF -f "$work/new-files" "$work/old-files" | grep -v '/$' >"$work/obsolete-files" || true
  remove_listed "$work/obsolete-files"
  { cat "$work/new-files" && grep '/$' "$work/installed-files" | LC_ALL=C sort -u; } >"$work/files"
  install_file "$work/files" "$list" 644

  printf 'Installed Lanyard %s in %s.\n' "$version" "$prefix/bin/lanyard"
  case :${PATH:-}: in
    *":$prefix/bin:"*) ;;
    *) printf 'Add %s to your PATH.\n' "$prefix/bin" ;;
  esac
  zsh_hint
}

main "$@"
}
