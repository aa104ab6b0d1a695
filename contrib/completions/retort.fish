# Completion of retort for fish. Commands and options are asked of the program (`retort help`, `retort COMMAND --help`)
# when they are needed, so they are always those of the program.

function __retort_words
    commandline -opc
end

# Lines "option<tab>what it takes<tab>description", from the text of --help.
function __retort_options
    set -l words (__retort_words)
    $words[1] $words[2] --help 2>/dev/null </dev/null | awk '/^  -/ {
        sub(/^  /, ""); text = $0; sub(/  .*/, ""); n = split($0, w, /,? /); sub(/^.*[^ ]  +/, "", text)
        for (i = 1; i <= n; i++) if (w[i] ~ /^-/) {
            v = w[i + 1] ~ /^-/ && w[i] ~ /^-.$/ ? w[i + 2] : w[i + 1]
            print w[i] "\t" (v ~ /^-/ ? "" : v) "\t" text } }'
end

function __retort_value
    switch $argv[1]
        case '*|*'
            string split '|' -- $argv[1]
        case LANGUAGE
            printf '%s\n' python sql bash javascript typescript
        case SESSION
            set -l words (__retort_words)
            $words[1] log 2>/dev/null | string match -r 's_[0-9a-z]+'
        case DIR
            __fish_complete_directories
        case F FILE PATH 'SRC*'
            __fish_complete_path (commandline -ct)
    end
end

function __retort_complete
    set -l words (__retort_words)
    if test (count $words) -eq 1; or test "$words[2]" = help
        $words[1] help | string replace -rf '^  ([a-z-]+) +' '$1\t'
        return
    end
    set -l options (__retort_options)
    for line in $options
        set -l parts (string split \t -- $line)
        if test "x$parts[1]" = "x$words[-1]"; and test -n "$parts[2]"
            __retort_value $parts[2]
            return
        end
    end
    if string match -q -- '-*' (commandline -ct)
        for line in $options
            set -l parts (string split \t -- $line)
            printf '%s\t%s\n' $parts[1] $parts[3]
        end
    else
        set -l usage ($words[1] $words[2] --help 2>/dev/null </dev/null)[1]
        __retort_value (string match -r '\b(?:SESSION|FILE)\b' -- $usage)
    end
end

complete -c retort -f -a '(__retort_complete)'
