#!/bin/sh
# Compiles the Swift samples of the documentation: each ```swift fence in the DocC pages and in the
# documentation comments of Sources.
# usage: samples.sh [SCRATCH]    SCRATCH is a build folder with a debug build, .build by default
#
# Each sample becomes the body of a throwing function that imports every library of the package; a
# sample of what apps import (Sources/Library) sees only the public interface of its own library. A
# line `// Given NAME: TYPE, …` at its beginning declares the values that the sample uses: it
# becomes the parameters of the function. `import` lines go to the top of the file.
set -eu
cd "$(dirname "$0")/../.."
scratch=${1:-.build}
build=$scratch/debug
work=$scratch/samples
if [ ! -e "$build/Modules/Signing.swiftmodule" ]; then
    echo "samples: $build has no built modules; run swift build first" >&2
    exit 1
fi
rm -rf "$work"
mkdir -p "$work/app"

pages=$(git ls-files --cached --others --exclude-standard 'Sources/*.docc/*.md' 'Sources/*.swift')
# A library is a folder of Sources that has a DocC page.
libraries=$(for page in Sources/*/*/*.docc; do
    case $page in Sources/Library/*) ;; *) basename "$(dirname "$page")" ;; esac
done | sort -u | tr '\n' ' ')

# shellcheck disable=SC2086 # names without spaces
awk -v work="$work" -v libraries="$libraries" '
    function close_sample(    list, folders, isApp, count, i) {
        split(page, folders, "/")
        isApp = folders[2] == "Library"
        file = work (isApp ? "/app" : "") "/sample" ++samples ".swift"
        count = split(isApp ? folders[3] : libraries, list, " ")
        for (i = 1; i <= count; i++) print "import " list[i] > file
        printf "%s", imports > file
        printf "func sample%d(%s) throws {\n", samples, given > file
        printf "#sourceLocation(file: \"%s\", line: %d)\n", page, line > file
        printf "%s", body > file
        print "#sourceLocation()\n}" > file
        close(file)
    }
    FNR == 1 { inside = 0 }
    {
        text = $0
        if (FILENAME ~ /\.swift$/) {
            # Only documentation comments can contain a fence.
            if (text !~ /^ *\/\/\//) next
            sub(/^ *\/\/\/ ?/, "", text)
        }
    }
    text ~ /^```swift *$/ { inside = 1; page = FILENAME; line = FNR + 1; given = imports = body = ""; next }
    inside && text ~ /^``` *$/ { inside = 0; close_sample(); next }
    inside && text ~ /^\/\/ Given / {
        sub(/^\/\/ Given /, "", text)
        sub(/[.,] *$/, "", text)
        given = given (given == "" ? "" : ", ") text
        text = ""
    }
    inside && text ~ /^import / { imports = imports text "\n"; text = "" }
    inside { body = body text "\n" }
    END { print samples + 0 > (work "/count") }' $pages
count=$(cat "$work/count")
[ "$count" -gt 0 ] || {
    echo "samples: no sample was found" >&2
    exit 1
}

# Some declarations have package access, so the samples are compiled with the name that the build
# gave to the package.
package=$(sed -n 's/.*"-module-name","Codecs",.*"-package-name","\([^"]*\)".*/\1/p' "$build.yaml" | head -n 1)
maps=""
for map in Sources/C/*/module.modulemap; do maps="$maps -Xcc -fmodule-map-file=$map"; done
for headers in Sources/C/*/include; do
    target=$(basename "$(dirname "$headers")")
    [ -e "$build/$target.build/module.modulemap" ] || continue
    maps="$maps -Xcc -I$headers -Xcc -fmodule-map-file=$build/$target.build/module.modulemap"
done
# SIL, because the rules of noncopyable values are checked after the types.
# shellcheck disable=SC2086 # options without spaces
compile() {
    swiftc -wmo -emit-sil -o /dev/null -parse-as-library -swift-version 6 -suppress-warnings -I "$build/Modules" $maps \
        -module-cache-path "$build/ModuleCache" "$@" || {
        echo "samples: a sample of the documentation does not compile" >&2
        exit 1
    }
}
compile -module-name Samples -package-name "$package" "$work"/*.swift
compile -module-name AppSamples "$work"/app/*.swift
echo "samples: $count samples of the documentation compile"
