-- safe
-- Seals: what a stretch of an account's history and ledger was when it was sealed, signed by a key that is not in the database.
-- Written behind the history by whoever has time, never by a command, and never changed (docs/adr/0067).
create table seals (
  lane int not null,
  account_id uuid not null,
  -- Counted without a gap: of two gateways that seal at once, one writes.
  number bigint not null check (number > 0),
  -- Both included; a stretch that has ledger rows alone ends before it begins.
  from_position bigint not null check (from_position > 0),
  to_position bigint not null,
  -- The very text that is signed: docs/receipts.md says what stands in it.
  text text not null,
  signature bytea not null,
  -- Keeps what is not shown in a receipt from being guessed.
  salt bytea not null,
  -- The hash of each position, 32 bytes each, and marks of its members, by which one that was changed is named.
  leaves bytea not null,
  marks bytea not null,
  -- The hash of each ledger row, and what every wallet had after them.
  entries bytea not null,
  balances text not null,
  primary key (lane, account_id, number),
  check (to_position >= from_position - 1)
);
-- The seal of a position.
create index seals_position on seals (lane, account_id, to_position);
grant select, insert on seals to gateway_app;

-- How far each account is sealed: says who is next, and proves nothing.
create table seal_progress (
  lane int not null,
  account_id uuid not null,
  number bigint not null,
  position bigint not null,
  -- Ledger rows that are sealed.
  entries bigint not null,
  looked_at timestamptz not null,
  primary key (lane, account_id)
) with (fillfactor = 70);
grant select, insert on seal_progress to gateway_app;
grant update (number, position, entries, looked_at) on seal_progress to gateway_app;

-- The public halves of the keys that have signed seals. Small and shared.
create table seal_keys (
  id text primary key,
  public_key bytea not null,
  since timestamptz not null default now()
);
grant select, insert on seal_keys to gateway_app;
