#compdef lanyard
# Completion of lanyard for zsh. Written by "npm run generate"; do not edit.
#
# Write it to a file _lanyard in a folder of your $fpath, or add to ~/.zshrc, after compinit:
# source <(lanyard completion zsh)

_lanyard() {
  # The command line without quotes, before a command changes $words.
  local live_current=${(Q)PREFIX}
  local own
  local -a live_words=("${(@Q)words[2,CURRENT-1]}")
  # Flags that several commands share.
  # {{shared}}
  __lanyard_group _lanyard \
    # {{root}}
}

# {{functions}}

# Sets $subcommands to the commands below the one that the function $1 completes.
__lanyard_subcommands() {
  case $1 in
    # {{commands}}
    *) subcommands=() ;;
  esac
}

# "help" is followed by the words of any command, or by a topic; with --man by those that have a man page.
_lanyard_help() {
  local name=_lanyard word manual
  local -a subcommands
  for word in "${(@)words[2,CURRENT-1]}"; do
    if [[ $word == --man ]]; then manual=1; else name+=_$word; fi
  done
  if [[ $PREFIX == -* ]]; then
    subcommands=('--man:show the man page')
    _describe -o option subcommands
    return
  fi
  __lanyard_subcommands $name
  if [[ $name == _lanyard && -n $manual ]]; then
    subcommands=(${subcommands:#help:*} 'config:Configuration files, profiles and settings')
  elif [[ $name == _lanyard ]]; then
    subcommands=(
      ${subcommands:#help:*}
      # {{topics}}
    )
  fi
  _describe -t commands command subcommands
}

# Completes what the function $1 is for: the flags given, then a command, then what that command takes.
__lanyard_group() {
  # The name "commands" is taken: it is zsh's own table of programs.
  local name=$1 curcontext=$curcontext context state state_descr ret=1
  local -a line subcommands
  local -A opt_args
  shift
  _arguments -C -s "$@" '(-): :->command' '(-)*:: :->rest' && ret=0
  case $state in
    command)
      __lanyard_subcommands $name
      _describe -t commands command subcommands && ret=0
      [[ $name == _lanyard ]] && __lanyard_listed && ret=0
      ;;
    rest)
      name+=_$line[1]
      if (( $+functions[$name] )); then
        $name && ret=0
      elif [[ $name == _lanyard_$line[1] ]]; then
        # An alias or a plugin: of what follows, only the program itself knows what it is.
        own=1
        __lanyard_listed && ret=0
      fi
      ;;
  esac
  return ret
}

# Completes the flags and operands given; after "--", files.
__lanyard_leaf() {
  if (( words[(i)--] < CURRENT )); then
    _files
  else
    _arguments -s -S "$@"
  fi
}

__lanyard_files() {
  compset -P '(@|file://)'
  _files
}

# Programs; where flags may stand, zsh's own completer offers its modifier "-" as well.
__lanyard_programs() {
  [[ $PREFIX = -* ]] || _command_names -e
}

# Says what an operand of free text is, but not where a flag is typed: a message would keep zsh from completing it.
__lanyard_text() {
  [[ $PREFIX == -* ]] || compadd "${@/#%-X/-x}"
}

__lanyard_profiles() {
  local expl
  local -a profiles=(${${(f)"$(lanyard profile list 2>/dev/null </dev/null)"}%%$'\t'*})
  _wanted profiles expl profile compadd -a profiles
}

# Values that a service lists, or what a value is.
__lanyard_live() {
  __lanyard_listed "$@" || __lanyard_text "$@"
}

# Values that the program lists; a name that continues has no space after it.
__lanyard_listed() {
  local line
  local -a names shown partial_names partial_shown
  if [[ $LANYARD_COMPLETION != static ]]; then
    for line in "${(@f)$(lanyard __complete zsh "=$live_current" -- "${live_words[@]}" 2>/dev/null </dev/null)}"; do
      [[ -n $line ]] || continue
      if [[ -n $own && $line == :file ]]; then
        _files
        return
      fi
      if [[ ${line%%$'\t'*} == *[/=] ]]; then
        partial_names+=("${line%%$'\t'*}")
        partial_shown+=("${line/$'\t'/  -- }")
      else
        names+=("${line%%$'\t'*}")
        shown+=("${line/$'\t'/  -- }")
      fi
    done
  fi
  (( $#names + $#partial_names )) || return 1
  (( $#names == 0 )) || compadd "$@" -l -d shown -a names
  (( $#partial_names == 0 )) || compadd "$@" -S '' -l -d partial_shown -a partial_names
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _lanyard "$@"
elif (( $+functions[compdef] )); then
  compdef _lanyard lanyard
else
  print -u2 'lanyard: completion needs compinit; add "autoload -Uz compinit && compinit" before it'
fi
