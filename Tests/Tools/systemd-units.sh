#!/bin/sh
# Functions of systemd.sh. They read the units below $root/etc/systemd/system, and run their
# commands as systemd does.
# shellcheck disable=SC2154 # systemd.sh sets the variables

unit_names() { (cd "$root/etc/systemd/system" && find . -maxdepth 1 -type f | sed 's,^\./,,' | sort); }

# Prints a unit with its drop-ins. The name of a drop-in decides about the order.
moved_unit() {
    folder=$root/etc/systemd/system
    case $1 in
    eosvault-*.service) cat "$folder/$1" "$folder"/eosvault-.service.d/*.conf ;;
    *) cat "$folder/$1" ;;
    esac | move_paths | sed -E "s/^User=.*/User=$user/; s/^(Socket)?Group=.*/\1Group=$group/
        s/^SupplementaryGroups=.*/SupplementaryGroups=$group/; s,^StateDirectory=,&${prefix%-}/var/lib/,"
}

verify_units() {
    [ "$(unit_names | wc -l)" -ge 11 ] || fail "there are few units"
    mkdir -p "$root/work/units"
    for unit in $(unit_names); do
        moved_unit "$unit" >"$root/work/units/$unit"
        case $unit in eosvault-*.service) ;; *) continue ;; esac
        for setting in PrivateNetwork=yes ProtectSystem=strict NoNewPrivileges=yes CapabilityBoundingSet= \
            LimitCORE=0 MemorySwapMax=0 LimitMEMLOCK=8M MemoryDenyWriteExecute=yes StateDirectoryMode=0700 \
            RestrictAddressFamilies=none; do
            grep -qxF "$setting" "$root/work/units/$unit" || fail "$unit lacks $setting"
        done
    done
    if [ "$is_recent" = yes ] && command -v systemd-analyze >/dev/null; then
        systemd-analyze verify --man=no "$root/work/units"/* >"$root/output" 2>&1 || fail "systemd-analyze verify"
        if grep -E '(eosvault|claimrewards)-' "$root/output"; then fail "systemd-analyze verify"; fi
    fi
}

# The file of a unit's name without `.service`.
unit_file() { case $1 in *@*) echo "${1%%@*}@.service" ;; *) echo "$1.service" ;; esac; }

# Prints the values of a setting, one per line. arguments: the setting, a unit
values() {
    moved_unit "$(unit_file "$2")" |
        sed -n "s/%i/${2#*@}/g; s,\${CREDENTIALS_DIRECTORY},$root/run/$2.service,g; s/^$1=//p"
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
    for required in $(values Requires "$1"); do start "${required%.service}" || return 1; done
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
            as_user env $(environment "$1") setsid --wait $line
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
