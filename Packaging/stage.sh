#!/bin/sh
# Makes the files that `make install` copies: stripped programs, their manual pages and their
# completion scripts. Run it in the folder of the repository.
# usage: stage.sh MANUAL FOLDER PROGRAM...
#   MANUAL    the program eosvault-manual
#   FOLDER    is replaced
#   PROGRAM   the first one gives its name to the list of installed files
set -eu
manual=$1 folder=$2
shift 2
umask 022
new=$folder.new
first=$1
share=$new/share
rm -rf "$new"
mkdir -p "$new/bin" "$share/man/man1" "$share/bash-completion/completions" "$share/zsh/site-functions" \
    "$share/fish/vendor_completions.d" "$share/$(basename "$first")"
headers() { readelf -lW "$1" | awk '/^Program Headers/ { on = 1 } /^$/ { on = 0 } on { print $1, $7, $8 }'; }
help=$new.help
trap 'rm -f "$help"' EXIT
for program; do
    name=$(basename "$program")
    strip -o "$new/bin/$name" "$program"
    # The hashes of modules, which only the compiler uses, depend on the folder of the build. They
    # are overwritten: `strip -R` would also remove the header that makes relocated data read-only.
    readelf -SW "$new/bin/$name" | sed -n 's/.* \.swift_modhash *[A-Z]* *\([0-9a-f ]*\).*/\1/p' |
        while read -r _ offset size _; do
            dd if=/dev/zero of="$new/bin/$name" conv=notrunc bs=1 seek=$((0x$offset)) count=$((0x$size)) status=none
        done
    if [ "$(headers "$program")" != "$(headers "$new/bin/$name")" ]; then
        echo "stage: strip changed the program headers of $name" >&2
        exit 1
    fi

    # Only other programs start it, and it has no options: no completions, and its page is that of
    # the command `eosvault token`.
    if [ "$name" = eosvault-token ]; then continue; fi
    "$program" --version >"$help"
    if [ "$name" = eosvault ]; then "$manual" --dump-help; else "$program" --experimental-dump-help; fi >>"$help"
    # eosvault-agent ends with the statuses of eosvault.
    case $(basename "$first") in eosvault) "$first" codes --json ;; *) "$program" --statuses ;; esac >>"$help"
    for page in $("$manual" <"$help"); do
        "$manual" "$page" <"$help" >"$share/man/man1/$page.1"
    done

    "$program" --generate-completion-script bash >"$share/bash-completion/completions/$name"
    "$program" --generate-completion-script zsh >"$share/zsh/site-functions/_$name"
    "$program" --generate-completion-script fish >"$share/fish/vendor_completions.d/$name.fish"
done
rm -rf "$folder"
mv "$new" "$folder"
