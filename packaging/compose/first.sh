# Patroni runs this on the first primary, with the address of its database.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$FIELDPOST_PASSWORD" "$1" <<'SQL'
create role fieldpost login in role pg_monitor password :'password';
create database fieldpost owner fieldpost;
SQL
