# Completion of lanyard for bash 5. Written by "npm run generate"; do not edit.
#
# Add to ~/.bashrc: source <(lanyard completion bash)

# Says what may stand after a command: sets $commands, $flags and $operands for the command path $1.
#
# A flag is NAMES, or NAMES=KIND when it takes a value. A KIND is what completes a value: :file, :directory,
# :profile, :command (a command line of its own), :live (listed by a service), choices (a|b|c), or nothing for
# free text. Operands are KINDs in order; "-" is free text, and "..." says that the last one may repeat.
_lanyard_at() {
  # {{shared}}
  commands='' flags='' operands=()
  case $1 in
  # {{commands}}
  *) return 1 ;;
  esac
}

_lanyard() {
  local IFS=$' \t\n'
  local commands flags operands words=() path='' kind='' pending='' ended='' helping='' manual='' own='' given=0 word
  local before=''
  COMPREPLY=()
  _lanyard_words
  # The word at the cursor without its quotes. Of it, bash replaces only what follows "=", ":" or "@".
  local raw=${words[-1]}
  local current=${raw//[\"\'\\]/}
  local kept=${current%"${2//[\"\'\\]/}"}
  unset 'words[-1]'

  _lanyard_at ''
  for word in "${words[@]:1}"; do
    if [[ $pending ]]; then
      pending=''
    elif [[ $ended ]]; then
      ((given += 1))
    elif [[ $word == -- ]]; then
      ended=1
    elif [[ $word == --*=* ]]; then
      continue
    elif [[ $helping && $word == --man ]]; then
      manual=1
    elif [[ $word == --* ]]; then
      _lanyard_takes_value "$word" && pending=1
    elif [[ $word == -?* ]]; then
      _lanyard_letters "${word#-}"
    elif [[ $given == 0 && " $commands " == *" $word "* ]]; then
      path+="${path:+ }$word"
      _lanyard_at "$path"
    else
      ((given += 1))
      # After a flag that only some commands have, it may be a value.
      [[ $path || $helping || $given != 1 || $before == -* ]] || own=1
    fi
    before=$word
    # "help" is followed by the words of any command.
    if [[ $path == help && ! $helping ]]; then
      helping=1 path=''
      _lanyard_at ''
      commands=${commands% help}
    fi
  done

  if [[ $own ]]; then
    # An alias or a plugin: of what follows, only the program itself knows what it is.
    _lanyard_value :live ''
    if [[ ${COMPREPLY[*]-} == :file ]]; then
      COMPREPLY=()
      _lanyard_value :file ''
    fi
  elif [[ $helping && $current == -* ]]; then
    _lanyard_offer '' --man
  elif [[ $helping ]]; then
    if [[ $manual ]]; then
      [[ $path ]] || commands+=' config'
    else
      # {{topics}}
    fi
    [[ $given == 0 ]] && _lanyard_offer '' $commands
  elif [[ $pending ]]; then
    _lanyard_value "$kind" ''
  elif [[ ! $ended && $current == --*=* ]]; then
    _lanyard_takes_value "${current%%=*}" && _lanyard_value "$kind" "${current%%=*}="
  elif [[ ! $ended && $current == -* ]]; then
    _lanyard_offer_flags
  elif [[ $ended || ! $commands ]]; then
    _lanyard_operand
  elif [[ $given == 0 ]]; then
    _lanyard_offer '' $commands
    [[ $path ]] || _lanyard_value :live ''
  fi
}

# Sets $words to the words up to the cursor as they were typed: bash also splits at "=", ":" and "@".
_lanyard_words() {
  local line=${COMP_LINE:0:COMP_POINT} rest index piece
  for ((index = 0; index <= COMP_CWORD; index++)); do
    rest=${line#"${line%%[![:space:]]*}"}
    piece=${COMP_WORDS[index]}
    ((index == COMP_CWORD)) && piece=$rest
    if [[ $index == 0 || $rest != "$line" ]]; then
      words+=("$piece")
    else
      words[-1]+=$piece
    fi
    line=${rest#"$piece"}
  done
}

# Does the flag $1 take a value? Sets $kind to what completes it.
_lanyard_takes_value() {
  local flag
  for flag in $flags; do
    if [[ $flag == *=* && ,${flag%%=*}, == *",$1,"* ]]; then
      kind=${flag#*=}
      return 0
    fi
  done
  return 1
}

# Short flags in one word: the first that takes a value has the rest of the word, or else the next one.
_lanyard_letters() {
  local letters=$1
  while [[ $letters ]]; do
    if _lanyard_takes_value "-${letters:0:1}"; then
      [[ ${#letters} == 1 ]] && pending=1
      return
    fi
    letters=${letters:1}
  done
}

_lanyard_operand() {
  local count=${#operands[@]} kind=''
  if ((given < count)); then
    kind=${operands[given]}
  elif ((count > 0)) && [[ ${operands[-1]} == *... ]]; then
    kind=${operands[-1]}
    [[ $kind == :command... ]] && kind=:file
  elif [[ ! $ended ]]; then
    _lanyard_offer_flags
    return
  fi
  kind=${kind%...}
  [[ $ended && $kind != :command ]] && kind=:file
  _lanyard_value "$kind" ''
}

# Completes a value of the KIND $1, in a word that begins with $2.
_lanyard_value() {
  local prefix=$2 name rest
  case $1 in
  '' | -) ;;
  :file) _lanyard_paths default -f "$prefix" ;;
  :directory) _lanyard_paths dirnames -d "$prefix" ;;
  :profile)
    while IFS=$'\t' read -r name rest; do
      _lanyard_offer "$prefix" "$name"
    done < <(lanyard profile list 2>/dev/null </dev/null)
    ;;
  :live)
    [[ ${LANYARD_COMPLETION-} == static ]] && return
    while IFS= read -r name; do
      [[ $name == *[/=] ]] && compopt -o nospace
      _lanyard_add "$prefix$name"
    done < <(lanyard __complete bash "=$raw" -- "${words[@]:1}" 2>/dev/null </dev/null)
    ;;
  :command)
    if [[ $current == */* ]]; then
      compopt -o default
    else
      while IFS= read -r name; do
        _lanyard_offer "$prefix" "$name"
      done < <(compgen -c -- "$current")
    fi
    ;;
  *) _lanyard_offer "$prefix" ${1//|/ } ;;
  esac
}

# Completes a path after $3. What is a whole word to bash is left to bash (its option $1); paths after "@"
# and "file://", and those with "=" or ":" before them or in them, are found here (with compgen $2).
_lanyard_paths() {
  local option=$1 found=$2 prefix=$3 path
  if [[ ${current#"$prefix"} == @* ]]; then
    prefix+=@
  elif [[ ${current#"$prefix"} == file://* ]]; then
    prefix+=file://
  elif [[ $prefix == "$kept" ]]; then
    compopt -o "$option"
    return
  fi
  while IFS= read -r path; do
    if [[ -d $path ]]; then
      path+=/
      compopt -o nospace
    fi
    _lanyard_offer "$prefix" "$path"
  done < <(compgen "$found" -- "${current#"$prefix"}")
}

_lanyard_offer_flags() {
  local flag names=()
  for flag in $flags; do
    names+=(${flag%%=*})
  done
  names=${names[*]}
  _lanyard_offer '' ${names//,/ }
}

# Offers $1 followed by each of the other arguments, if it continues the word at the cursor.
_lanyard_offer() {
  local prefix=$1 name
  shift
  for name; do
    [[ $prefix$name == "$current"* ]] && _lanyard_add "$prefix$name"
  done
}

# Offers the word $1, quoted for where it is inserted.
_lanyard_add() {
  local name=${1#"$kept"} open=''
  _lanyard_open_quote
  case $open in
  "'") name=${name//\'/"'\\''"} ;;
  '"')
    # Inside these quotes, bash replaces "!" whatever is before it.
    [[ $name == *'!'* ]] && return
    name=${name//'\'/'\\'}
    name=${name//'"'/'\"'}
    name=${name//'$'/'\$'}
    name=${name//'`'/'\`'}
    ;;
  *) printf -v name %q "$name" ;;
  esac
  COMPREPLY+=("$name")
}

# Sets $open to the quote that is open at the end of the word at the cursor.
_lanyard_open_quote() {
  local index character
  for ((index = 0; index < ${#raw}; index += 1)); do
    character=${raw:index:1}
    if [[ $character == "$open" ]]; then
      open=''
    elif [[ ! $open && $character == [\"\'] ]]; then
      open=$character
    elif [[ $open != "'" && $character == '\' ]]; then
      ((index += 1))
    fi
  done
}

complete -F _lanyard lanyard
