-- Mails are pictures for the most part, which are packed already: the server does not try to pack them again, which
-- takes it longer than all the rest of a turn.
-- +goose Up
alter table sent_bytes alter column raw set storage external;
alter table received_bytes alter column raw set storage external;

-- +goose Down
alter table sent_bytes alter column raw set storage extended;
alter table received_bytes alter column raw set storage extended;
