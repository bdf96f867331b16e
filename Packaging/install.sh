#!/bin/sh
# Copies a program of `make build` or `make scan` below a folder, or removes what was copied. It
# builds nothing. The file share/PROGRAM/installed lists the copied files, and the folders that were
# made for them.
# usage: install.sh install FOLDER PROGRAM STAGE
#        install.sh uninstall FOLDER PROGRAM
set -eu
action=$1 folder=$2 program=$3
list=$folder/share/$program/installed
umask 022

names() { (cd "$1" && find . -mindepth 1 -type "$2" | sed 's,^\./,,' | sort); }

# Makes the missing folders, and prints them with a slash at the end.
make_folders() {
    names "$stage" d | while IFS= read -r name; do
        if [ ! -d "$folder/$name" ]; then
            mkdir "$folder/$name"
            echo "$name/"
        fi
    done
}

# Prints the lines of the list of an earlier installation. The list must not name other folders.
earlier() {
    if [ ! -e "$list" ]; then return; fi
    if grep -qE '^/|(^|/)\.\.(/|$)' "$list"; then
        echo "$list is damaged: it names files outside of $folder" >&2
        exit 1
    fi
    cat "$list"
}

case $action in
install)
    stage=$4
    if [ ! -x "$stage/bin/$program" ]; then
        case $program in
        eosvault) targets="\`make build\` first, and then \`make install\`" ;;
        *) targets="\`make ${program#eosvault-}\` first, and then \`make install-${program#eosvault-}\`" ;;
        esac
        echo "nothing is built: run $targets" >&2
        exit 1
    fi
    mkdir -p "$folder"
    old=$(earlier)
    new=$(
        # Folders that an earlier installation made are removed with this one.
        echo "$old" | grep '/$' || true
        make_folders
        names "$stage" f
        echo "share/$program/installed"
    )
    # First, so that an installation that fails in the middle can be removed.
    printf '%s\n' "$new" "$old" >"$list"
    names "$stage" f | while IFS= read -r name; do
        install -m "$(stat -c %a "$stage/$name")" "$stage/$name" "$folder/$name"
    done
    # Files of an earlier version that this version does not have.
    echo "$old" | grep '[^/]$' | while IFS= read -r name; do
        if ! echo "$new" | grep -qxF -e "$name"; then rm -f "$folder/$name"; fi
    done
    printf '%s\n' "$new" >"$list"
    ;;
uninstall)
    if [ ! -e "$list" ]; then
        echo "$program is not installed in $folder: $list does not exist" >&2
        exit 1
    fi
    old=$(earlier)
    echo "$old" | grep '[^/]$' | while IFS= read -r name; do rm -f "$folder/$name"; done
    # A folder that now contains other files stays.
    echo "$old" | grep '/$' | sort -r | while IFS= read -r name; do
        rmdir --ignore-fail-on-non-empty "$folder/$name"
    done
    ;;
esac
