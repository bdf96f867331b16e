#!/bin/sh
# How a program was built and linked: each property on a line, exit status 1 when one is missing.
# usage: hardening.sh PROGRAM     looks at it
#        hardening.sh --self-test builds small programs that each lack one property, and expects
#        that to be told
set -eu
export LC_ALL=C

fail=0
# ok or MISSING, a property, what was seen of it
tell() {
    if [ "$1" = ok ]; then printf 'ok       %-22s %s\n' "$2" "$3"; else
        printf 'MISSING  %-22s %s\n' "$2" "$3"
        fail=1
    fi
}
# a property, what to look for, in which text
wanted() { if line=$(printf '%s\n' "$3" | grep -m 1 -E -e "$2"); then tell ok "$1" "$(squeeze "$line")"; else tell missing "$1" "nothing like $2"; fi; }
unwanted() { if line=$(printf '%s\n' "$3" | grep -E -e "$2"); then tell missing "$1" "$(squeeze "$line" | head -c 200)"; else tell ok "$1" "none"; fi; }
squeeze() { printf '%s\n' "$1" | tr -s ' \t\n' ' ' | sed 's/^ //; s/ $//'; }

examine() {
    [ -r "$1" ] || {
        echo "hardening: $1 is not there: make build" >&2
        exit 1
    }
    header=$(readelf -hW "$1")
    segments=$(readelf -lW "$1")
    dynamic=$(readelf -dW "$1")
    imports=$(nm -D --undefined-only "$1")
    symbols=$(nm "$1" 2>/dev/null || true)

    wanted 'position independent' 'Type: +DYN' "$header"
    wanted 'PIE' 'FLAGS_1.*PIE' "$dynamic"
    wanted 'relocations read-only' 'GNU_RELRO' "$segments"
    wanted 'bound at start' 'FLAGS_1.*NOW|BIND_NOW' "$dynamic"
    # With both of them the table of addresses of other libraries' functions is read-only, too: full
    # RELRO.
    wanted 'stack' 'GNU_STACK' "$segments"
    unwanted 'stack that runs' 'GNU_STACK.* RWE ' "$segments"
    unwanted 'writable code' 'LOAD.* RWE ' "$segments"
    unwanted 'text relocations' 'TEXTREL' "$dynamic"
    unwanted 'search paths' 'RPATH|RUNPATH' "$dynamic"
    wanted 'stack protector' '__stack_chk_fail' "$imports"
    wanted 'fortified' '__[a-z]+_chk(@|$)' "$imports"
    unwanted 'other shared objects' 'NEEDED.*\[' "$(printf '%s\n' "$dynamic" | grep -v -E '\[(libc\.so\.6|libm\.so\.6|ld-linux-[a-z0-9-]+\.so\.[0-9])\]')"
    wanted 'glibc shared' 'NEEDED.*\[libc\.so\.6\]' "$dynamic"
    # Without names nothing is found, and nothing proved.
    wanted 'symbols' ' main$' "$symbols"
    unwanted 'test hooks' "$hooks" "$symbols"
    # Told, not asked for: the libraries that are linked in would all have to have it.
    notes=$(readelf -nW "$1" | grep -o -E '(x86|AArch64) feature: .*' || true)
    printf 'note     %-22s %s\n' 'control flow' "${notes:-no IBT, SHSTK, BTI or PAC}"
}

# What is only there for tests says so in its name.
hooks='[Tt]est(Only|Hook)|test_(only|hook)|(^|[^e])[Ff]ault(Hook|Injection)|[Ii]nject(ed)?Fault|fault_hook|inject_fault'

# Our own C and our own Swift: what the archives bring along does not speak for them.
examine_objects() {
    objects=$(dirname "$1")
    for target in CShim KeyVault eosvault; do
        if nm -u "$objects/$target.build"/*.o 2>/dev/null | grep -q __stack_chk_fail; then
            tell ok "stack protector" "in the objects of $target"
        else
            tell missing "stack protector" "in the objects of $target"
        fi
    done
}

self_test() {
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    compiler=$(command -v clang || command -v cc)
    cat >"$work/program.c" <<'END'
#include <string.h>
#include <stdio.h>
int main(int count, char **words) {
    char copy[32];
    strcpy(copy, words[0]);
    return puts(copy) < 0 ? count : 0;
}
END
    printf '#include <stdio.h>\nint testOnlyHook(void) { return puts("a hook"); }\n' >"$work/hook.c"
    printf '__asm__(".section .odd, \\"awx\\", @progbits\\n.long 0\\n.text");\n' >"$work/writable.c"
    printf 'extern int puts(const char *);\n__asm__(".text\\n.globl odd_text\\nodd_text: .quad puts\\n");\n' >"$work/relocated.c"
    printf 'int odd(void) { return 1; }\n' >"$work/odd.c"
    "$compiler" -shared -fPIC -o "$work/libodd.so" "$work/odd.c"
    printf 'int odd(void);\nint use(void) { return odd(); }\n' >"$work/use.c"

    status=0
    try '' ''
    try 'position independent,PIE' '-no-pie -fno-pie'
    try 'relocations read-only' '-Wl,-z,norelro'
    try 'bound at start' '-Wl,-z,lazy'
    try 'stack that runs' '-Wl,-z,execstack'
    try 'writable code' "$work/writable.c"
    try 'text relocations' "-Wl,-z,notext $work/relocated.c"
    try 'search paths' '-Wl,-rpath,/odd'
    try 'stack protector' '-fno-stack-protector'
    try 'fortified' '-U_FORTIFY_SOURCE'
    try 'other shared objects' "$work/use.c $work/libodd.so"
    try 'symbols' '-s'
    try 'test hooks' "$work/hook.c"
    exit $status
}

# The properties that are lacking, in order, and the options that take them away.
try() {
    # shellcheck disable=SC2086 # a list of options
    "$compiler" -O2 -fPIE -pie -fstack-protector-strong -D_FORTIFY_SOURCE=2 -Wl,-z,now -Wl,-z,relro -Wl,-z,noexecstack \
        -o "$work/program" "$work/program.c" $2 2>"$work/said" || {
        cat "$work/said" >&2
        exit 1
    }
    found=$(examine "$work/program" | sed -n 's/^MISSING  \(.\{22\}\) .*/\1/p' | sed 's/ *$//' | paste -s -d , -)
    if [ "$found" = "$1" ]; then echo "ok       ${1:-a hardened program}: told"; else
        echo "FAIL     built to lack '$1', and told to lack '$found'"
        status=1
    fi
}

case ${1:-} in
--self-test) self_test ;;
'')
    echo "usage: hardening.sh PROGRAM | --self-test" >&2
    exit 64
    ;;
*)
    examine "$1"
    examine_objects "$1"
    exit $fail
    ;;
esac
