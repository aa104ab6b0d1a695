# Completion of retort for bash. Commands and options are asked of the program (`retort help`, `retort COMMAND --help`)
# when they are needed, so they are always those of the program.

# Lines of an option and what it takes, from the text of --help: "-l LANGUAGE", "--language LANGUAGE", "--json ".
_retort_options() {
    awk '/^  -/ { sub(/^  /, ""); sub(/  .*/, ""); n = split($0, w, /,? /)
        for (i = 1; i <= n; i++) if (w[i] ~ /^-/) {
            v = w[i + 1] ~ /^-/ && w[i] ~ /^-.$/ ? w[i + 2] : w[i + 1]
            print w[i], (v ~ /^-/ ? "" : v) } }'
}

_retort_value() {
    case $1 in
    *'|'*) COMPREPLY=($(compgen -W "${1//|/ }" -- "$cur")) ;;
    LANGUAGE) COMPREPLY=($(compgen -W 'python sql bash javascript typescript' -- "$cur")) ;;
    SESSION) COMPREPLY=($(compgen -W "$("$retort" log 2>/dev/null | grep -oE 's_[0-9a-z]+')" -- "$cur")) ;;
    DIR) compopt -o filenames && mapfile -t COMPREPLY < <(compgen -d -- "$cur") ;;
    F | FILE | PATH | SRC*) compopt -o filenames && mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
    esac
}

_retort() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} retort=${COMP_WORDS[0]/#\~/$HOME}
    local command=${COMP_WORDS[1]} help options takes
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ] || [ "$command" = help ]; then
        COMPREPLY=($(compgen -W "$("$retort" help | sed -n 's/^  \([a-z-]*\) .*/\1/p')" -- "$cur"))
        return
    fi
    case $prev in =) prev=${COMP_WORDS[COMP_CWORD - 2]} ;; esac
    case $cur in =) cur= ;; esac
    help=$("$retort" "$command" --help 2>/dev/null </dev/null) || return
    options=$(_retort_options <<<"$help")
    takes=$(sed -n "s/^$prev //p" <<<"$options" 2>/dev/null)
    if [ -n "$takes" ]; then
        _retort_value "$takes"
    elif [ "${cur:0:1}" = - ]; then
        COMPREPLY=($(compgen -W "${options//$'\n'/ }" -- "$cur"))
    else
        takes=$(head -n 1 <<<"$help" | grep -oE '\b(SESSION|FILE)\b' | head -n 1)
        _retort_value "$takes"
    fi
}

complete -F _retort retort
