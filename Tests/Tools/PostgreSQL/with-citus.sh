#!/usr/bin/env bash
# Starts a coordinator and two workers of Citus on loopback, with temporary data folders, and stops them after a
# command. Each new schema is on one of the workers. STRATA_POSTGRESQL contains the coordinator's connection string, and
# STRATA_CITUS is set.
#
# No distribution contains Citus (citusdata.com). Build it from source with './configure && make install'; it needs the
# headers of the server.
#
# Usage: Tests/Tools/PostgreSQL/with-citus.sh COMMAND…   or   Tests/Tools/PostgreSQL/with-citus.sh --is-installed
set -euo pipefail

if [ $# -eq 0 ]; then
    echo "usage: Tests/Tools/PostgreSQL/with-citus.sh COMMAND… | --is-installed" >&2
    exit 64
fi
# Debian does not add the server's programs to PATH.
bin=$({ find /usr/lib/postgresql -maxdepth 2 -name bin 2>/dev/null || true; } | sort -V | tail -n 1)
PATH=${bin:+$bin:}$PATH
if ! command -v pg_config >/dev/null || [ ! -f "$(pg_config --pkglibdir)/citus.so" ]; then
    echo "with-citus: Citus is not installed for this server; build it from source (./configure && make install)" >&2
    exit 1
fi
if [ "$1" = --is-installed ]; then exit; fi

folder=$(mktemp -d)
as=()
if [ "$(id -u)" -eq 0 ]; then
    chown postgres "$folder"
    # Nodes connect to each other with libpq, which reads keys from the home folder.
    as=(env "HOME=$folder" setpriv --reuid=postgres --regid=postgres --clear-groups)
fi
nodes=(0 1 2)
stop() {
    for node in "${nodes[@]}"; do
        "${as[@]}" pg_ctl --pgdata "$folder/$node" --mode immediate --wait stop >/dev/null 2>&1 || true
    done
    rm -rf -- "$folder"
}
trap stop EXIT

# Find three free ports below the range of ephemeral ports.
port=
for first in $(shuf -i 20000-30000 -n 50); do
    if ! { exec 3<>"/dev/tcp/127.0.0.1/$first" || exec 3<>"/dev/tcp/127.0.0.1/$((first + 1))" || exec 3<>"/dev/tcp/127.0.0.1/$((first + 2))"; } 2>/dev/null; then
        port=$first
        break
    fi
    exec 3>&-
done

cd "$folder"
for node in "${nodes[@]}"; do
    "${as[@]}" initdb --pgdata "$folder/$node" --username strata --auth trust --encoding UTF8 --locale-provider icu --icu-locale en --no-sync \
        >/dev/null
    "${as[@]}" tee -a "$folder/$node/postgresql.conf" >/dev/null <<SETTINGS
port = $((port + node))
listen_addresses = '127.0.0.1'
unix_socket_directories = '$folder'
shared_preload_libraries = 'citus'
max_connections = 400
max_prepared_transactions = 400
fsync = off
wal_level = logical
citus.enable_schema_based_sharding = on
citus.local_hostname = '127.0.0.1'
SETTINGS
    "${as[@]}" pg_ctl --pgdata "$folder/$node" --log "$folder/$node.log" --wait start >/dev/null || {
        cat "$folder/$node.log" >&2
        exit 1
    }
    psql --host 127.0.0.1 --port $((port + node)) --username strata --dbname postgres --quiet --command 'CREATE EXTENSION citus'
done
psql --host 127.0.0.1 --port "$port" --username strata --dbname postgres --quiet --no-align --tuples-only --output /dev/null \
    --command "SELECT citus_set_coordinator_host('127.0.0.1', $port)" \
    --command "SELECT citus_add_node('127.0.0.1', $((port + 1)))" --command "SELECT citus_add_node('127.0.0.1', $((port + 2)))" \
    --command "SELECT citus_set_node_property('127.0.0.1', $port, 'shouldhaveshards', false)"
cd "$OLDPWD"
export STRATA_POSTGRESQL="host=127.0.0.1 port=$port user=strata dbname=postgres" STRATA_CITUS=1
"$@"
