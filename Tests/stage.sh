#!/bin/sh
# Makes the files that `make install` copies: the stripped program, its manual pages, its completion
# scripts and the examples. Run it in the folder of the repository.
# usage: stage.sh PROGRAM MANUAL FOLDER
#   MANUAL   the program eosvault-manual
#   FOLDER   is replaced
set -eu
program=$1 manual=$2 folder=$3
umask 022
new=$folder.new
share=$new/share
rm -rf "$new"
mkdir -p "$new/bin" "$share/man/man1" "$share/bash-completion/completions" "$share/zsh/site-functions" \
    "$share/fish/vendor_completions.d" "$share/eosvault" "$share/doc/eosvault/examples"
strip -o "$new/bin/eosvault" "$program"
cp -R Examples/systemd "$share/doc/eosvault/examples"

help=$new.help
trap 'rm -f "$help"' EXIT
"$program" --version >"$help"
"$program" --experimental-dump-help >>"$help"
"$program" codes --json >>"$help"
for page in $("$manual" <"$help"); do
    "$manual" "$page" <"$help" >"$share/man/man1/$page.1"
done

"$program" --generate-completion-script bash >"$share/bash-completion/completions/eosvault"
"$program" --generate-completion-script zsh >"$share/zsh/site-functions/_eosvault"
"$program" --generate-completion-script fish >"$share/fish/vendor_completions.d/eosvault.fish"
rm -rf "$folder"
mv "$new" "$folder"
