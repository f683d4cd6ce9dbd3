-- safe
-- What the history of an account comes to, day by day in its time zone. Written behind the history by whoever has time, never by
-- a command, and always with the position up to which it is counted, in one transaction (docs/adr/0050).
create table figures (
  lane int not null,
  account_id uuid not null,
  day date not null,
  kind text not null check (kind in ('transfer', 'refund', 'payment')),
  currency text not null,
  -- Empty for contracts that name no channel yet.
  channel_id text not null,
  created bigint not null,
  paid bigint not null,
  completed bigint not null,
  failed bigint not null,
  cancelled bigint not null,
  expired bigint not null,
  returned bigint not null,
  moved_minor numeric not null,
  fee_minor numeric not null,
  returned_minor numeric not null,
  took_seconds numeric not null,
  -- How many took from paid to completed up to 1, 5, 15, 60, 300, 900, 3600, 14400, 86400, 259200, 604800 seconds, and longer.
  took_0 bigint not null,
  took_1 bigint not null,
  took_2 bigint not null,
  took_3 bigint not null,
  took_4 bigint not null,
  took_5 bigint not null,
  took_6 bigint not null,
  took_7 bigint not null,
  took_8 bigint not null,
  took_9 bigint not null,
  took_10 bigint not null,
  took_11 bigint not null,
  primary key (lane, account_id, day, kind, currency, channel_id)
) with (fillfactor = 50);
grant select, insert, delete on figures to gateway_app;
grant update (created, paid, completed, failed, cancelled, expired, returned, moved_minor, fee_minor, returned_minor, took_seconds,
  took_0, took_1, took_2, took_3, took_4, took_5, took_6, took_7, took_8, took_9, took_10, took_11) on figures to gateway_app;

-- Up to which position of the history that is so, and in which time zone days were counted: another one is counted anew.
create table figures_progress (
  lane int not null,
  account_id uuid not null,
  position bigint not null check (position >= 0),
  time_zone text not null,
  primary key (lane, account_id)
);
grant select, insert on figures_progress to gateway_app;
grant update (position, time_zone) on figures_progress to gateway_app;

-- Where contracts wait for a person, from `since` on. Behind the history as well.
create table contract_matters (
  lane int not null,
  account_id uuid not null,
  contract_id uuid not null,
  matter text not null check (matter in ('transfer_failed', 'transfer_returned', 'transfer_unknown', 'transfer_late',
    'payment_unallocated', 'transfer_expiring', 'payment_expiring', 'draft_incomplete')),
  since timestamptz not null,
  primary key (lane, account_id, contract_id, matter)
);
create index contract_matters_since on contract_matters (lane, account_id, matter, since, contract_id);
grant select, insert, delete on contract_matters to gateway_app;
grant update (since) on contract_matters to gateway_app;

-- Which keys end soon, without looking at sessions and at keys that have ended. Keys are few: the table is locked for a moment.
-- squawk-ignore require-concurrent-index-creation
create index api_keys_ending on api_keys (lane, account_id, expires_at)
  where member_id is null and revoked_at is null and expires_at is not null;
-- Which wallets are below their mark. An account has a handful: the table is read in a moment.
-- squawk-ignore require-concurrent-index-creation
create index wallets_low on wallets (lane, account_id) where is_low;
