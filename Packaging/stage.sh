#!/bin/sh
# Makes the files that `make install` copies: a stripped program, its manual pages and its
# completion scripts. Run it in the folder of the repository.
# usage: stage.sh PROGRAM MANUAL FOLDER
#   MANUAL   the program eosvault-manual
#   FOLDER   is replaced
set -eu
program=$1 manual=$2 folder=$3
umask 022
new=$folder.new
name=$(basename "$program")
share=$new/share
rm -rf "$new"
mkdir -p "$new/bin" "$share/man/man1" "$share/bash-completion/completions" "$share/zsh/site-functions" \
    "$share/fish/vendor_completions.d" "$share/$name"
strip -o "$new/bin/$name" "$program"
# The hashes of modules, which only the compiler uses, depend on the folder of the build. They are
# overwritten: `strip -R` would also remove the header that makes relocated data read-only.
readelf -SW "$new/bin/$name" | sed -n 's/.* \.swift_modhash *[A-Z]* *\([0-9a-f ]*\).*/\1/p' |
    while read -r _ offset size _; do
        dd if=/dev/zero of="$new/bin/$name" conv=notrunc bs=1 seek=$((0x$offset)) count=$((0x$size)) status=none
    done
headers() { readelf -lW "$1" | awk '/^Program Headers/ { on = 1 } /^$/ { on = 0 } on { print $1, $7, $8 }'; }
if [ "$(headers "$program")" != "$(headers "$new/bin/$name")" ]; then
    echo "stage: strip changed the program headers" >&2
    exit 1
fi

help=$new.help
trap 'rm -f "$help"' EXIT
"$program" --version >"$help"
"$program" --experimental-dump-help >>"$help"
case $name in
eosvault) "$program" codes --json ;;
# The exit statuses are the same. Both programs are in one folder.
eosvault-agent) "${program%-agent}" codes --json ;;
*) "$program" --statuses ;;
esac >>"$help"
for page in $("$manual" <"$help"); do
    "$manual" "$page" <"$help" >"$share/man/man1/$page.1"
done

"$program" --generate-completion-script bash >"$share/bash-completion/completions/$name"
"$program" --generate-completion-script zsh >"$share/zsh/site-functions/_$name"
"$program" --generate-completion-script fish >"$share/fish/vendor_completions.d/$name.fish"
rm -rf "$folder"
mv "$new" "$folder"
