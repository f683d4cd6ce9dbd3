-- safe
-- Commands that take their rows from a filter or a dry run, that make files, and that replay events; why a command was stopped;
-- and what a dry run finds of a row.

alter table commands
  -- What is wanted beside rows: what to export and how, which endpoint, whose rows, and the filter as it was sent.
  add column wanted json,
  -- Rows are still being brought in: none is begun before all are there.
  add column gathering boolean not null default false,
  -- How far bringing in rows, or making the file, has come.
  add column cursor json,
  -- Where the account's history stood when the command was made: what changed later is none of it.
  add column up_to bigint,
  -- Why it was paused, or ended, by the gateway.
  add column stopped json,
  add column file_parts int not null default 0,
  add column file_bytes bigint not null default 0,
  -- Of the whole file, in hexadecimal digits; there once the file is whole.
  add column file_sha256 text check (file_sha256 ~ '^[0-9a-f]{64}$'),
  add column file_expires_at timestamptz,
  -- The number under which its events are delivered again.
  add column replay int,
  drop constraint commands_total_check,
  -- One row for thousands of contracts: it is read in no time.
  -- squawk-ignore constraint-missing-not-valid
  add constraint commands_total_check check (total between 0 and 100000 or (type = 'export' and total between 0 and 10000000)),
  -- One row for thousands of contracts: it is read in no time.
  -- squawk-ignore constraint-missing-not-valid
  add constraint commands_file check ((file_sha256 is null) = (file_expires_at is null));
-- One row for thousands of contracts: it is read in no time.
-- squawk-ignore require-concurrent-index-creation
create index commands_with_files on commands (lane, file_expires_at) where file_expires_at is not null;

alter table command_rows
  -- What policies and earlier payments say of it: of a dry run.
  add column checks json,
  -- 128 bits of whom it pays: of a dry run.
  add column recipient uuid;
-- The column is new, so the index is of nothing.
-- squawk-ignore require-concurrent-index-creation
create index command_rows_paying on command_rows (lane, account_id, command_id, recipient, currency, amount_minor)
  where recipient is not null;

-- A file as it grows: a part is read, and sent, at a time.
create table command_file_parts (
  lane int not null,
  account_id uuid not null,
  command_id uuid not null,
  number int not null check (number >= 0),
  content text not null check (octet_length(content) <= 262144),
  primary key (lane, account_id, command_id, number),
  foreign key (lane, account_id, command_id) references commands (lane, account_id, id)
);

grant select, insert, delete on command_file_parts to gateway_app;
grant update (gathering, cursor, stopped, file_parts, file_bytes, file_sha256, file_expires_at, replay, key_id, member_id)
  on commands to gateway_app;
grant update (checks, recipient) on command_rows to gateway_app;
