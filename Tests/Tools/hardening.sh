#!/bin/sh
# Checks how a program was built and linked. Prints each property on a line; the exit status is 1
# when one is missing.
# usage: hardening.sh PROGRAM        checks the program
#        hardening.sh --scan PROGRAM checks eosvault-scan, which also uses libzbar
#        hardening.sh --agent PROGRAM checks eosvault-agent, and its own objects
#        hardening.sh --token PROGRAM checks eosvault-token, and its own objects
#        hardening.sh --self-test    builds small programs that each lack one property, and checks
#                                    that this script reports it
set -eu
export LC_ALL=C

fail=0
# arguments: ok or MISSING, a property, the details
report() {
    if [ "$1" = ok ]; then printf 'ok       %-22s %s\n' "$2" "$3"; else
        printf 'MISSING  %-22s %s\n' "$2" "$3"
        fail=1
    fi
}
# arguments: a property, a regular expression, the text to search
wanted() {
    if line=$(printf '%s\n' "$3" | grep -m 1 -E -e "$2"); then report ok "$1" "$(squeeze "$line")"; else
        report missing "$1" "no match for $2"
    fi
}
unwanted() {
    if line=$(printf '%s\n' "$3" | grep -E -e "$2"); then
        report missing "$1" "$(squeeze "$line" | head -c 200)"
    else
        report ok "$1" "none"
    fi
}
squeeze() { printf '%s\n' "$1" | tr -s ' \t\n' ' ' | sed 's/^ //; s/ $//'; }

examine() {
    [ -r "$1" ] || {
        echo "hardening: $1 does not exist; run make build" >&2
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
    # Together with read-only relocations this is full RELRO: the table of addresses of other
    # libraries' functions is read-only, too.
    wanted 'stack' 'GNU_STACK' "$segments"
    unwanted 'executable stack' 'GNU_STACK.* RWE ' "$segments"
    unwanted 'writable code' 'LOAD.* RWE ' "$segments"
    unwanted 'text relocations' 'TEXTREL' "$dynamic"
    unwanted 'search paths' 'RPATH|RUNPATH' "$dynamic"
    wanted 'stack protector' '__stack_chk_fail' "$imports"
    wanted 'fortified' '__[a-z]+_chk(@|$)' "$imports"
    glibc="\\[(libc\\.so\\.6|libm\\.so\\.6|ld-linux-[a-z0-9-]+\\.so\\.[0-9]$more)\\]"
    unwanted 'other shared objects' 'NEEDED.*\[' "$(printf '%s\n' "$dynamic" | grep -v -E "$glibc")"
    wanted 'glibc shared' 'NEEDED.*\[libc\.so\.6\]' "$dynamic"
    # Without symbols the search below would find nothing.
    wanted 'symbols' ' main$' "$symbols"
    unwanted 'test hooks' "$hooks" "$symbols"
    # Printed, but not required: all linked libraries would need it.
    notes=$(readelf -nW "$1" | grep -o -E '(x86|AArch64) feature: .*' || true)
    printf 'note     %-22s %s\n' 'control flow' "${notes:-no IBT, SHSTK, BTI or PAC}"
}

# Code that exists only for tests has one of these names.
hooks='[Tt]est(Only|Hook)|test_(only|hook)|(^|[^e])[Ff]ault(Hook|Injection)|[Ii]nject(ed)?Fault|fault_hook|inject_fault'

# Checks the C and Swift code of this package separately, because the static libraries could hide a
# missing stack protector. Only these targets have functions that need one.
# arguments: a program, targets
examine_objects() {
    objects=$(dirname "$1")
    shift
    for target; do
        if nm -u "$objects/$target.build"/*.o 2>/dev/null | grep -q __stack_chk_fail; then
            report ok "stack protector" "in the objects of $target"
        else
            report missing "stack protector" "in the objects of $target"
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
    printf 'extern int puts(const char *);\n__asm__(".text\\n.globl odd_text\\nodd_text: .quad puts\\n");\n' \
        >"$work/relocated.c"
    printf 'int odd(void) { return 1; }\n' >"$work/odd.c"
    "$compiler" -shared -fPIC -o "$work/libodd.so" "$work/odd.c"
    printf 'int odd(void);\nint use(void) { return odd(); }\n' >"$work/use.c"

    status=0
    try '' ''
    try 'position independent,PIE' '-no-pie -fno-pie'
    try 'relocations read-only' '-Wl,-z,norelro'
    try 'bound at start' '-Wl,-z,lazy'
    try 'executable stack' '-Wl,-z,execstack'
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

# arguments: the missing properties, in order, and the options that remove them
try() {
    # shellcheck disable=SC2086 # a list of options
    "$compiler" -O2 -fPIE -pie -fstack-protector-strong -D_FORTIFY_SOURCE=2 -Wl,-z,now -Wl,-z,relro -Wl,-z,noexecstack \
        -o "$work/program" "$work/program.c" $2 2>"$work/errors" || {
        cat "$work/errors" >&2
        exit 1
    }
    found=$(examine "$work/program" | sed -n 's/^MISSING  \(.\{22\}\) .*/\1/p' | sed 's/ *$//' | paste -s -d , -)
    if [ "$found" = "$1" ]; then echo "ok       ${1:-a hardened program}: detected"; else
        echo "FAIL     built without '$1', reported without '$found'"
        status=1
    fi
}

more=""
case ${1:-} in
--self-test) self_test ;;
--scan)
    more='|libzbar\.so\.0'
    examine "$2"
    exit $fail
    ;;
--agent)
    examine "$2"
    examine_objects "$2" CAgent eosvault_agent
    exit $fail
    ;;
--token)
    examine "$2"
    examine_objects "$2" CToken eosvault_token
    exit $fail
    ;;
'')
    echo "usage: hardening.sh PROGRAM | --agent PROGRAM | --token PROGRAM | --scan PROGRAM | --self-test" >&2
    exit 64
    ;;
*)
    examine "$1"
    examine_objects "$1" CSystem CSandbox KeyVault Shell App
    exit $fail
    ;;
esac
