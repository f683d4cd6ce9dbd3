-- safe
-- The books as operators see them over HTTP: proofs that were run, days that were compared, and the trial balance.

-- Each proof of the books, with how far it has come. One runs at a time.
create table proofs (
  id uuid primary key,
  started_by text not null,
  started_at timestamptz not null default now(),
  -- When it last said that it goes on: a process that died says so no more.
  beaten_at timestamptz not null default now(),
  lanes_done int not null default 0 check (lanes_done between 0 and 256),
  finished_at timestamptz,
  verdict text check (verdict in ('holds', 'broken', 'interrupted')),
  findings json not null default '[]',
  counts json,
  check ((finished_at is null) = (verdict is null))
);
create unique index proofs_running on proofs ((true)) where finished_at is null;
grant select, insert on proofs to gateway_operator;
grant update (beaten_at, lanes_done, finished_at, verdict, findings, counts) on proofs to gateway_operator;

-- Comparisons of a channel, newest first. They are few.
-- squawk-ignore require-concurrent-index-creation
create index reconciliations_of_channel on reconciliations (channel_id, id);

-- every lane: operators see those of all accounts. The index holds the few events that wait.
-- squawk-ignore require-concurrent-index-creation
create index payment_events_waiting on payment_events (at, id) where status in ('unmatched', 'needs_review');

-- every lane: operators see the rows of all accounts. Rows come in the order of time, so that a summary of each range of blocks
-- finds a moment: it costs an append next to nothing.
-- squawk-ignore require-concurrent-index-creation
create index ledger_at on ledger using brin (at);

-- Of each wallet, up to which of its rows they are counted below.
create table ledger_counted (
  lane int not null,
  account_id uuid not null,
  wallet_id uuid not null,
  sequence bigint not null check (sequence > 0),
  primary key (lane, account_id, wallet_id)
) with (fillfactor = 70);
-- What each ledger account gave and took by those rows.
create table ledger_totals (
  lane int not null,
  account_id uuid not null,
  wallet_id uuid not null,
  account text not null,
  debit_minor numeric not null check (debit_minor >= 0),
  credit_minor numeric not null check (credit_minor >= 0),
  primary key (lane, account_id, wallet_id, account)
) with (fillfactor = 70);
grant select, insert on ledger_counted, ledger_totals to gateway_operator;
grant update (sequence) on ledger_counted to gateway_operator;
grant update (debit_minor, credit_minor) on ledger_totals to gateway_operator;
