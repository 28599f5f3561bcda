#!/usr/bin/env bash
# Tests twenty tenants, one store each, on the nodes of Citus: four processes create, fill and read the stores while
# tenants are moved between nodes.
#
# Usage: Tests/Tools/PostgreSQL/with-citus.sh Tests/Tools/PostgreSQL/tenants.sh TOOL
set -euo pipefail

if [ $# -ne 1 ] || [ -z "${STRATA_POSTGRESQL:-}" ]; then
    echo "usage: Tests/Tools/PostgreSQL/with-citus.sh Tests/Tools/PostgreSQL/tenants.sh TOOL" >&2
    exit 64
fi
tool=$(realpath "$1")
words=$STRATA_POSTGRESQL
value() { grep -oE "$1=[^ ]+" <<<"$words" | cut -d= -f2; }
server="postgresql://$(value user)@$(value host):$(value port)/$(value dbname)"
folder=$(mktemp -d)
trap 'rm -rf -- "$folder"' EXIT
cd "$folder"
ask() { psql "$words" --quiet --no-align --tuples-only --command "$1"; }
fail() {
    echo "tenants: $1" >&2
    exit 1
}

tenants=$(seq -w 1 20)
# Each tenant has different data.
for tenant in $tenants; do
    "$tool" generate --model reference --seed "$((10#$tenant))" --count Employee=300,Boss=40,Color=60,Item=200 \
        -q -o "data-$tenant"
done

# Moves random tenants to the other node until the file "enough" exists.
move() {
    local moved=0 tenant node
    while [ ! -e "$folder/enough" ]; do
        tenant=tenant_$(shuf -n 1 <<<"$tenants")
        node=$(ask "SELECT nodeport FROM pg_dist_node WHERE shouldhaveshards AND groupid NOT IN (SELECT p.groupid FROM pg_dist_placement AS p JOIN \
            pg_dist_shard AS s USING (shardid) WHERE s.logicalrelid::text LIKE '%$tenant.%' OR s.logicalrelid::text LIKE '%\"$tenant\".%') LIMIT 1")
        [ -n "$node" ] || continue
        # The move fails if the tenant does not exist yet or is being created.
        if ask "SELECT citus_schema_move('$tenant', '127.0.0.1', $node)" >/dev/null 2>>"$folder/moves.log"; then moved=$((moved + 1)); fi
    done
    echo "$moved" >"$folder/moved"
}
move &
mover=$!
fill() { "$tool" import "data-$1" --model reference --store "$server?schema=tenant_$1" -q; }
read_back() { "$tool" export --all --store "$server?schema=tenant_$1" -q --output "$2-$1"; }
export -f fill read_back
export tool server
xargs -P 4 -I{} bash -c 'fill {}' <<<"$tenants"
xargs -P 4 -I{} bash -c 'read_back {} first' <<<"$tenants"
xargs -P 4 -I{} bash -c 'read_back {} second' <<<"$tenants"
touch "$folder/enough"
wait "$mover"

for tenant in $tenants; do
    "$tool" import "data-$tenant" --model reference --store "file-$tenant.sqlite" -q
    "$tool" export --all --store "file-$tenant.sqlite" -q --output "file-$tenant"
    for copy in first second; do
        diff -r "file-$tenant" "$copy-$tenant" >/dev/null || fail "tenant $tenant has different rows on Citus and in a file"
    done
done
[ "$(cat moved)" -gt 0 ] || fail "no tenant was moved: $(head -n 3 moves.log)"
nodes=$(ask "SELECT count(DISTINCT groupid) FROM pg_dist_placement AS p JOIN pg_dist_shard AS s USING (shardid) WHERE s.logicalrelid::text LIKE '%tenant_%'")
[ "$nodes" -ge 2 ] || fail "all tenants are on $nodes node"
echo "tenants: 20 stores on $nodes nodes, moved $(cat moved) times; each is equal to its file"
