#!/bin/sh
# Prints the folder for the temporary files of the tests: TMPDIR if it is set. Else /dev/shm, if it
# has at least 2 GiB free and can run programs: the tests sync thousands of small files, and a slow
# disk doubles their time. Else /tmp.
set -u

[ -n "${TMPDIR:-}" ] && { printf '%s\n' "$TMPDIR"; exit; }
memory=/dev/shm
probe=$memory/eosvault-probe-$$
folder=/tmp
free=$(df -Pk "$memory" 2>/dev/null | awk 'NR == 2 { print $4 }')
if [ "${free:-0}" -ge 2097152 ] && printf '#!/bin/sh\n' 2>/dev/null >"$probe"; then
    chmod 700 "$probe" && "$probe" 2>/dev/null && folder=$memory
fi
rm -f "$probe"
printf '%s\n' "$folder"
