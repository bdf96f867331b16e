#!/bin/sh
# Functions of systemd.sh. They read the units below $root/etc/systemd/system, and run their
# commands as systemd does.
# shellcheck disable=SC2154 # systemd.sh sets the variables

unit_names() { (cd "$root/etc/systemd/system" && find . -maxdepth 1 -type f | sed 's,^\./,,' | sort); }

# Prints a unit with its drop-ins. The name of a drop-in decides about the order. One of the unit
# itself replaces one with the same name that is for all units.
with_drop_ins() {
    folder=$root/etc/systemd/system
    cat "$folder/$1"
    case $1 in eosvault-*.service) ;; *) return ;; esac
    for name in $(cd "$folder" && for file in eosvault-.service.d/*.conf "$1.d"/*.conf; do
        if [ -e "$file" ]; then basename "$file"; fi
    done | sort -u); do
        if [ -e "$folder/$1.d/$name" ]; then cat "$folder/$1.d/$name"; else
            cat "$folder/eosvault-.service.d/$name"
        fi
    done
}
moved_unit() {
    with_drop_ins "$1" | move_paths | sed -E "s/^User=[^%].*/User=$user/; s/^(Socket)?Group=.*/\1Group=$group/
        s/^SupplementaryGroups=.*/SupplementaryGroups=$group/; s,^StateDirectory=,&${prefix%-}/var/lib/,"
}

verify_units() {
    [ "$(unit_names | wc -l)" -ge 15 ] || fail "there are few units"
    mkdir -p "$root/work/units"
    for unit in $(unit_names); do
        moved_unit "$unit" >"$root/work/units/$unit"
        case $unit in eosvault-*.service) ;; *) continue ;; esac
        for setting in PrivateNetwork=yes ProtectSystem=strict NoNewPrivileges=yes CapabilityBoundingSet= \
            LimitCORE=0 MemorySwapMax=0 LimitMEMLOCK=8M MemoryDenyWriteExecute=yes; do
            grep -qxF "$setting" "$root/work/units/$unit" || fail "$unit lacks $setting"
        done
        families=$(sed -n 's/^RestrictAddressFamilies=//p' "$root/work/units/$unit" | tail -n 1)
        case $unit in eosvault-agent* | eosvault-lock@*) wanted=AF_UNIX ;; *) wanted=none ;; esac
        [ "$families" = $wanted ] || fail "$unit permits the address families $families"
    done
    if [ "$is_recent" = yes ] && command -v systemd-analyze >/dev/null; then
        systemd-analyze verify --man=no "$root/work/units"/* >"$root/verified" 2>&1 || fail "systemd-analyze verify"
        if grep -E '(eosvault|claimrewards)-' "$root/verified"; then fail "systemd-analyze verify"; fi
        # 0 is the best, 10 the worst. A system call filter would be part of it: the agent has one
        # of its own.
        for unit in eosvault-agent.service eosvault-agent-unlock.service eosvault-lock@.service; do
            systemd-analyze security --offline=yes --no-pager --threshold=25 "$root/work/units/$unit" \
                >"$root/verified" 2>&1 || fail "systemd-analyze security $unit: $(tail -n 1 "$root/verified")"
        done
    fi
}

# The file of a unit's name without `.service`.
unit_file() { case $1 in *@*) echo "${1%%@*}@.service" ;; *) echo "$1.service" ;; esac; }

# Prints the values of a setting, one per line. arguments: the setting, a unit
values() {
    client=$(sed -n 's/^CLIENT_UID=//p' "$root/etc/eosvault/agent" 2>/dev/null || true)
    moved_unit "$(unit_file "$2")" | sed -n "s/%i/${2#*@}/g; s,\${CREDENTIALS_DIRECTORY},$root/run/$2.service,g
        s/\${CLIENT_UID}/$client/; s/^$1=//p"
}
setting() { values "$1" "$2" | tail -n 1; }

# Makes the folder of the credentials of a unit. On ramfs the user owns the file. On tmpfs root owns
# it, and its access control list makes the group bits those of the list's mask.
load_credentials() {
    credentials=$root/run/$1.service
    rm -rf "$credentials"
    mkdir "$credentials"
    loaded=$(setting LoadCredential "$1")
    encrypted=$(setting LoadCredentialEncrypted "$1")
    if [ -n "$loaded" ]; then cat "${loaded#pin:}" >"$credentials/pin"; fi
    if [ -n "$encrypted" ]; then base64 -d "${encrypted#pin:}" >"$credentials/pin"; fi
    if [ ! -e "$credentials/pin" ]; then return; fi
    if [ "${layout:-ramfs}" = ramfs ] && [ "$is_root" = yes ]; then chown -R "$user:$group" "$credentials"; fi
    chmod "${mode:-400}" "$credentials/pin"
}

# Prints the environment of a unit, as arguments of `env`.
environment() {
    echo "-i $(setting Environment "$1") PATH=/usr/bin:/bin LANG=C.UTF-8 USER=eosvault LOGNAME=eosvault" \
        "CREDENTIALS_DIRECTORY=$root/run/$1.service INVOCATION_ID=1"
}

# Runs the commands of a unit as systemd does, after the units that it requires.
start() {
    for required in $(values Requires "$1"); do
        case $required in *.service) start "${required%.service}" || return 1 ;; esac
    done
    load_credentials "$1"
    for runtime in $(values RuntimeDirectory "$1"); do install -d -o eosvault "$root/run/$runtime"; done
    status=0
    : >"$root/journal"
    for line in ExecStartPre ExecStart ExecStartPost; do values $line "$1"; done >"$root/lines"
    while IFS= read -r line; do
        # shellcheck disable=SC2046,SC2086 # words without spaces
        (
            umask "$(setting UMask "$1")"
            cd /
            # The user of this unit is the one of this script.
            case $1 in eosvault-lock@*) run="" ;; *) run=as_user ;; esac
            $run env $(environment "$1") setsid --wait $line
        ) </dev/null >>"$root/journal" 2>&1 || { status=$? && break; }
    done <"$root/lines"
    for runtime in $(values RuntimeDirectory "$1"); do rm -r "$root/run/$runtime"; done
    echo "$status" >"$root/status"
    [ "$status" = 0 ]
}

# Listens at the socket, with a service for each connection.
listen() {
    path=$(moved_unit eosvault-http.socket | sed -n 's/^ListenStream=//p')
    load_credentials eosvault-http@1
    # shellcheck disable=SC2046 # words without spaces
    python3 "$tool" listen "$path" $(user_words) env $(environment eosvault-http@1) setsid --wait \
        $(setting ExecStart eosvault-http@1) 2>"$root/http-journal" 3<&- &
    processes="$processes $!"
    for _ in 1 2 3 4 5 6 7 8 9 10; do [ -S "$path" ] || sleep 1; done
}

# Starts an agent with the socket of a unit, as systemd does, and waits until it is ready.
# arguments: a file that is made then, the path of the socket, the command of the agent
activate() {
    python3 "$tool" activate "$@" 2>>"$root/agent-journal" 3<&- &
    processes="$processes $!"
    for _ in 1 2 3 4 5 6 7 8 9 10; do [ -e "$1" ] || sleep 1; done
    [ -e "$1" ]
}

# The unit's socket, and its service, which the first connection starts.
activate_agent() {
    # shellcheck disable=SC2046 # words without spaces
    activate "$root/shared" "$(moved_unit eosvault-agent.socket | sed -n 's/^ListenStream=//p')" $(user_words) \
        env $(environment eosvault-agent) LISTEN_PID=self LISTEN_FDS=1 "NOTIFY_SOCKET=$root/shared.notify" \
        $(setting ExecStart eosvault-agent)
}

# The same for the units of the user of this script.
activate_own() {
    folder=$root/home/.config/systemd/user
    if [ "$is_recent" = yes ] && command -v systemd-analyze >/dev/null; then
        mkdir -p "$root/work/user-units"
        for name in eosvault-agent.socket eosvault-agent.service; do
            move_paths <"$folder/$name" >"$root/work/user-units/$name"
        done
        systemd-analyze --user verify --man=no "$root/work/user-units"/* >"$root/verified" 2>&1 ||
            fail "systemd-analyze --user verify"
        if grep -E 'eosvault-' "$root/verified"; then fail "systemd-analyze --user verify"; fi
    fi
    [ "$(sed -n 's/^ListenStream=//p' "$folder/eosvault-agent.socket")" = %t/eosvault/agent.sock ] ||
        fail "the socket of the user's unit is another one"
    # shellcheck disable=SC2046 # words without spaces
    activate "$root/own" "$XDG_RUNTIME_DIR/eosvault/agent.sock" env -i "HOME=$HOME" LISTEN_PID=self LISTEN_FDS=1 \
        "NOTIFY_SOCKET=$root/own.notify" \
        $(sed -n 's/^ExecStart=//p' "$folder/eosvault-agent.service" | move_paths)
}
