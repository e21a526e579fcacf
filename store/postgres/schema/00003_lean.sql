-- A mail that was sent may be kept without what can be drawn again.
-- +goose Up
alter table sent_bytes alter column raw drop not null;
alter table sent_bytes add column lean bytea;
alter table sent_bytes add check (raw is not null or lean is not null);

-- +goose Down
delete from sent_bytes where raw is null;
alter table sent_bytes drop column lean;
alter table sent_bytes alter column raw set not null;
