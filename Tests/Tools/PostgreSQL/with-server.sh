#!/usr/bin/env bash
# Starts a PostgreSQL server with a temporary data folder and a socket in that folder, runs a command with its
# connection string in STRATA_POSTGRESQL, and stops it. The server does not wait for the disk, because its data is
# deleted at the end. STRATA_POSTGRESQL_RESTART contains a program that restarts the server in a mode of pg_ctl, fast or
# immediate.
#
# Usage: Tests/Tools/PostgreSQL/with-server.sh COMMAND…
set -euo pipefail

if [ $# -eq 0 ]; then
    echo "usage: Tests/Tools/PostgreSQL/with-server.sh COMMAND…" >&2
    exit 64
fi
# Debian does not add the server's programs to PATH.
bin=$({ find /usr/lib/postgresql -maxdepth 2 -name bin 2>/dev/null || true; } | sort -V | tail -n 1)
PATH=${bin:+$bin:}$PATH
for program in initdb pg_ctl; do
    if ! command -v "$program" >/dev/null; then
        echo "with-server: $program is missing (apt-get install postgresql libpq-dev)" >&2
        exit 1
    fi
done

folder=$(mktemp -d)
# The server does not run as root.
as=()
if [ "$(id -u)" -eq 0 ]; then
    chown postgres "$folder"
    as=(setpriv --reuid=postgres --regid=postgres --clear-groups)
fi
stop() {
    "${as[@]}" pg_ctl --pgdata "$folder/data" --mode immediate --wait stop >/dev/null 2>&1 || true
    rm -rf -- "$folder"
}
trap stop EXIT
cd "$folder"
"${as[@]}" initdb --pgdata "$folder/data" --username strata --auth trust --encoding UTF8 --locale-provider icu --icu-locale en --no-sync >/dev/null
"${as[@]}" pg_ctl --pgdata "$folder/data" --log "$folder/log" --wait start --options \
    "-c listen_addresses= -c unix_socket_directories=$folder -c fsync=off -c max_connections=400" >/dev/null || {
    cat "$folder/log" >&2
    exit 1
}
cat >"$folder/restart" <<RESTART
#!/usr/bin/env bash
cd "$folder"
exec ${as[*]} pg_ctl --pgdata "$folder/data" --log "$folder/log" --mode "\$1" --wait restart >/dev/null
RESTART
chmod +x "$folder/restart"
cd "$OLDPWD"
export STRATA_POSTGRESQL_RESTART=$folder/restart PATH
STRATA_POSTGRESQL="host=$folder user=strata dbname=postgres" "$@"
