-- What nodes are at work at. A claim is for efficiency alone.
-- +goose Up
create table claims (
	name text primary key,
	node text not null,
	until timestamptz not null
);
create table nodes (
	name text primary key,
	about text not null,
	since timestamptz not null,
	seen timestamptz not null
);

-- +goose Down
drop table claims, nodes;
