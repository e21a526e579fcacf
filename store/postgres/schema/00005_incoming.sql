-- Mails that have arrived and are to be handled. A program that does not know this table would take
-- their messages, which it does not find in the mailbox any more, for handled: it is not admitted.
-- +goose Up
create sequence incoming_number;
create table incoming (
	sha256 text primary key,
	number bigint not null unique,
	lane text collate "C" not null, -- the game that it is about, or ''
	received bigint not null, -- microseconds since 1970, by the mail server's clock
	put_off timestamptz, -- until when it is not to be handled
	holds boolean not null default false, -- what stands behind it waits, too
	tries int not null default 0, -- how often handling it failed, and with what
	why text not null default '',
	document json not null
);
create index incoming_order on incoming (received, number);
update admits set version = 5;

-- +goose Down
update admits set version = 4;
drop table incoming;
drop sequence incoming_number;
