-- What nodes do, and up to which moment all mail that had arrived is handled. A program that knows the
-- tables up to the version in admits may work with them, though they are newer: a change of the tables
-- that older programs would trip over, or whose contents they would lose, sets it to its own number.
-- +goose Up
alter table nodes add column roles text not null default '';
alter table nodes add column knows bigint not null default 0;
create table sweep (
	one boolean primary key default true check (one),
	at timestamptz not null
);
create table admits (
	one boolean primary key default true check (one),
	version bigint not null
);
insert into admits (version) values (4);

-- +goose Down
drop table sweep, admits;
alter table nodes drop column roles, drop column knows;
