-- +goose Up
-- A document is the record as JSON, as Go writes it; the columns beside it are what is searched by.
-- Moments of the outbox are milliseconds since 1970.
create table games (
	id text collate "C" primary key,
	seq bigint not null,
	phases bigint not null,
	status text not null,
	document json not null
);
create table seats (
	of text not null check (of in ('key', 'address')),
	value text not null,
	game text collate "C" not null references games,
	side text collate "C" not null,
	primary key (of, value, game, side)
);
create index seats_of_a_game on seats (game);
create table phases (
	game text collate "C" not null references games,
	number bigint not null,
	document json not null,
	position bytea not null,
	primary key (game, number)
);
create table open_phases (
	game text collate "C" primary key references games,
	document json not null
);
create table steps (
	game text collate "C" not null references games,
	seq bigint not null,
	document json not null,
	primary key (game, seq)
);
create table sheets (
	game text collate "C" not null references games,
	name text not null,
	side text collate "C" not null,
	turn bigint not null,
	seq bigint not null,
	place int not null,
	document json not null,
	primary key (game, name)
);
create index sheets_by_arrival on sheets (game, side, turn, seq, place);
create table sent_bytes (
	sha256 text primary key,
	raw bytea not null
);
create sequence outgoing_number;
create table outgoing (
	id text primary key,
	number bigint not null unique,
	game text collate "C" not null,
	message_id text unique,
	sha256 text not null,
	recipient text not null,
	state text not null,
	next bigint not null,
	changed bigint,
	unlooked boolean not null default true,
	sender text, -- the node that is sending it, or did last
	leased timestamptz, -- until when, by the clock of this server
	recipe json, -- what its pictures are drawn from
	document json not null
);
create index outgoing_of_a_game on outgoing (game, number);
create index outgoing_queue on outgoing (next, number) where state = 'queued';
create index outgoing_leases on outgoing (leased) where state = 'sending';
create index outgoing_bytes on outgoing (sha256);
create index outgoing_recipient on outgoing (recipient);
create table received_bytes (
	sha256 text primary key,
	raw bytea not null
);
create table handled (
	sha256 text primary key,
	game text collate "C" not null,
	document json not null
);
create table messages (
	mailbox text not null,
	validity bigint not null,
	uid bigint not null,
	final boolean not null,
	document json not null,
	primary key (mailbox, validity, uid)
);
create table mailboxes (
	mailbox text not null,
	validity bigint not null,
	low bigint not null,
	primary key (mailbox, validity)
);
create table notes (
	name text collate "C" primary key,
	value bytea not null
);

-- +goose Down
drop table notes, mailboxes, messages, handled, received_bytes, outgoing, sent_bytes, sheets, steps, open_phases, phases, seats, games;
drop sequence outgoing_number;
