# Completion of lanyard for fish 3.4 and later. Written by "npm run generate"; do not edit.
#
# Write it to ~/.config/fish/completions/lanyard.fish.

# Flags that several commands share.
# {{shared}}

# Says what may stand after the command $argv: sets the lists __lanyard_commands, __lanyard_flags and
# __lanyard_operands.
#
# A command is its name and summary. A flag is NAMES and its help, or NAMES=KIND when it takes a value. A KIND
# is what completes a value: :file, :directory, :profile, :command (a command line of its own), :live (listed by
# a service), choices (a|b|c), or nothing for free text. Operands are KINDs in order; "-" is free text, and "..."
# says that the last one may repeat.
function __lanyard_at
    set -g __lanyard_commands
    set -g __lanyard_flags
    set -g __lanyard_operands
    switch "$argv"
        # {{commands}}
    end
end

set -g __lanyard_topics \
    # {{topics}}

# Says what completes the word at the cursor: a KIND, or :commands, :topics, :pages, :man, :flags or :own (after an
# alias or plugin); for a command line of its own, the words of it follow.
function __lanyard_look
    set -l tokens (commandline -opc)
    set -l current "$(commandline -ct)"
    set -l path
    set -l pending
    set -l ended
    set -l helping
    set -l own
    set -l before ''
    set -l manual
    set -l operands
    __lanyard_at
    for token in $tokens[2..]
        if set -q pending[1]
            set -e pending
        else if set -q ended[1]
            set -a operands $token
        else if test "$token" = --
            set ended yes
        else if string match -qr -- '^--.*=' $token
            continue
        else if set -q helping[1]; and test "$token" = --man
            set manual yes
        else if string match -q -- '--*' $token
            set pending (__lanyard_kind $token)
        else if string match -q -- '-?*' $token
            set pending (__lanyard_kind_of_letters (string sub -s 2 -- $token))
        else if not set -q operands[1]; and contains -- $token (__lanyard_names $__lanyard_commands)
            set -a path $token
            __lanyard_at $path
        else
            set -a operands $token
            # After a flag that only some commands have, it may be a value.
            set -q path[1]; or set -q helping[1]; or set -q operands[2]; or string match -q -- '-*' $before
            or set own yes
        end
        set before $token
        # "help" is followed by the words of any command.
        if not set -q helping[1]; and test "$path" = help
            set helping yes
            set path
            __lanyard_at
        end
    end

    set -l flag (string match -r -- '^--[^=]+(?==)' $current)
    if set -q own[1]
        echo :own
    else if set -q helping[1]; and string match -q -- '-*' $current
        echo :man
    else if set -q helping[1]
        if set -q operands[1]
            return
        else if set -q path[1]
            echo :commands
        else if set -q manual[1]
            echo :pages
        else
            echo :topics
        end
    else if set -q pending[1]
        echo $pending
    else if not set -q ended[1]; and set -q flag[1]
        __lanyard_kind $flag
    else if not set -q ended[1]; and string match -q -- '-*' $current
        echo :flags
    else if set -q ended[1]; or not set -q __lanyard_commands[1]
        __lanyard_operand "$ended" $operands
    else if not set -q operands[1]
        echo :commands
        set -q path[1]; or echo :live
    end
end

# What completes the operand after those given; $argv[1] says whether "--" came before.
function __lanyard_operand
    set -l operands $argv[2..]
    set -l index (math (count $operands) + 1)
    set -l kind $__lanyard_operands[$index]
    if not set -q kind[1]; and string match -q -- '*...' $__lanyard_operands[-1]
        set kind $__lanyard_operands[-1]
        set index (count $__lanyard_operands)
    end
    set -q kind[1]; and set kind (string replace -- ... '' $kind)
    if test "$kind" = :command
        printf '%s\n' :command $operands[$index..]
    else if test -n "$argv[1]"
        echo :file
    else if set -q kind[1]
        echo $kind
    else
        echo :flags
    end
end

# The KIND of the value that the flag $argv takes; fails when it takes none.
function __lanyard_kind
    for flag in $__lanyard_flags
        set -l parts (string split -m 1 = -- (string split -m 1 ' ' -- $flag)[1])
        if set -q parts[2]; and contains -- $argv (string split , -- $parts[1])
            echo $parts[2]
            return
        end
    end
    return 1
end

# Short flags in one word: the first that takes a value has the rest of the word, or else the next one.
function __lanyard_kind_of_letters
    set -l letters (string split '' -- $argv)
    for index in (seq (count $letters))
        set -l kind (__lanyard_kind -$letters[$index])
        if set -q kind[1]
            test $index = (count $letters); and echo $kind
            return
        end
    end
end

# The names in lists of commands or flags.
function __lanyard_names
    set -q argv[1]; and string split , -- (string replace -r -- '[= ].*' '' $argv)
end

# What the program itself lists for the word at the cursor.
function __lanyard_listed
    test "$LANYARD_COMPLETION" = static; and return
    lanyard __complete fish "=$(commandline -ct)" -- (commandline -opc)[2..] 2>/dev/null </dev/null
end

# The candidates for the word at the cursor, with what they mean.
function __lanyard_complete
    set -l looked (__lanyard_look)
    set -l current "$(commandline -ct)"
    set -l prefix "$(string match -r -- '^--[^=]+=' $current)"
    switch "$looked[1]"
        case '' -
            return
        case :commands
            string replace ' ' \t -- $__lanyard_commands
            test "$looked[2]" = :live; and __lanyard_listed
        case :own
            # An alias or a plugin: of what follows, only the program itself knows what it is.
            set -l listed (__lanyard_listed)
            if test "$listed" = :file
                complete -C "'' $current"
            else if set -q listed[1]
                printf '%s\n' $listed
            end
        case :topics
            string replace ' ' \t -- (string match -v -- 'help *' $__lanyard_commands) $__lanyard_topics
        case :pages
            string replace ' ' \t -- (string match -v -- 'help *' $__lanyard_commands)
            printf '%s\t%s\n' config 'Configuration files, profiles and settings'
        case :man
            printf '%s\t%s\n' --man 'show the man page'
        case :flags
            for flag in $__lanyard_flags
                set -l parts (string split -m 1 ' ' -- $flag)
                for name in (__lanyard_names $flag)
                    printf '%s\t%s\n' $name $parts[2]
                end
            end
        case :file
            # fish completes files by itself, but not after a mark.
            set -l marked (string match -r -- '^((?:--[^=]+=)?(?:@|file://))(.*)$' $current)
            and printf '%s\n' $marked[2](complete -C "'' $marked[3]")
        case :directory
            printf '%s\n' $prefix(string match -r -- '^[^\t]*/$' (complete -C "'' $(string replace -- "$prefix" '' $current)"))
        case :profile
            for line in (lanyard profile list 2>/dev/null </dev/null)
                printf '%s\n' $prefix(string split -m 1 \t -- $line)[1]
            end
        case :live
            for line in (__lanyard_listed)
                printf '%s\n' $prefix$line
            end
        case :command
            complete -C (string join ' ' -- (string escape -- $looked[2..]) $current)
        case '*'
            printf '%s\n' $prefix(string split '|' -- $looked[1])
    end
end

function __lanyard_wants_files
    set -l looked (__lanyard_look)
    test "$looked[1]" = :file
end

complete -c lanyard -f
complete -c lanyard -n __lanyard_wants_files -F
complete -c lanyard -a '(__lanyard_complete)'
