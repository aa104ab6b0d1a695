# The bash of a session. Memory file 61 is a cell's code; 62 takes the state that it leaves, and 63 the
# options, which come back last: channel.c.
enable -f /opt/retort/bash/channel.so __retort
__retort begin || exit 125
declare -p >/proc/self/fd/63
__retort own
. /proc/self/fd/62 2>/dev/null
BASH_ARGV0=bash

# Prints a script that restores this state. Uses only builtins, so that nothing is forked.
__retort_state() {
    __retort pages
    declare -p
    declare -f
    alias -p
    shopt -p
    trap -p
    umask -p
    printf 'cd -- %q\n' "$PWD"
    __retort lines
}

__retort_save() {
    local __retort_status=$?
    set +o >/proc/self/fd/63
    local -
    set +eux
    __retort_state >/proc/self/fd/62 2>/dev/null
    __retort "$1" "${2:-$__retort_status}"
}

trap '__retort_save gone' EXIT
trap 'exit 130' INT
shopt -s expand_aliases

while { __retort next; } 2>/dev/null; do
    if { __retort asked; } 2>/dev/null; then
        { . /proc/self/fd/61 >/proc/self/fd/62 || :; __retort told; } 2>/dev/null
    else
        . /proc/self/fd/61
        { __retort_save done "$?"; } 2>/dev/null
    fi
done
