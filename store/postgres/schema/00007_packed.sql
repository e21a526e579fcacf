-- A position may be kept packed, and a position and a mail that was sent as the difference from another
-- one, so that a store moves between a file and a database as it is kept. A program that knows nothing of that would
-- take such a position for missing: it is not admitted. The server does not try to pack them again.
-- +goose Up
alter table phases alter column position drop not null;
alter table phases add column packed bytea;
alter table phases add column builds_on bigint; -- number of another phase of the game
alter table phases add check (position is not null or packed is not null);
alter table phases alter column packed set storage external;
alter table sent_bytes add column builds_on text;
alter table sent_bytes alter column lean set storage external;
update admits set version = 7;

-- +goose Down
alter table phases alter column position set not null; -- refused if one is packed
alter table phases drop column packed, drop column builds_on;
delete from sent_bytes where builds_on is not null;
alter table sent_bytes drop column builds_on;
alter table sent_bytes alter column lean set storage extended;
update admits set version = 5;
