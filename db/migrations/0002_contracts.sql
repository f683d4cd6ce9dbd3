-- safe
-- Contracts with their versions, the ledger, the jobs that work on them, and the channels that they go by.

-- One row for each version of a channel that a contract may name. Small and shared; written at start-up only.
create table channel_versions (
  channel_id text not null,
  version int not null check (version > 0),
  facts json not null,
  created_at timestamptz not null default now(),
  primary key (channel_id, version)
);

-- Which contracts a channel takes, test or live, written when a gateway first offers it and never changed. Small and shared.
create table channel_modes (
  channel_id text not null,
  livemode boolean not null,
  -- The channel between wallets of this gateway, which takes both, each among its own.
  internal boolean not null default false,
  since timestamptz not null default now(),
  primary key (channel_id, livemode)
);
create unique index channel_modes_one on channel_modes (channel_id) where not internal;

-- A channel whose statement shows what is not ours pays nothing out until somebody has looked at it. Small and shared.
create table channel_freezes (
  channel_id text primary key,
  reason text not null,
  since timestamptz not null default now()
);

-- How far the events that a rail lists by itself (late completions, bounces) have been read.
create table rail_event_positions (
  channel_id text primary key,
  read_until bigint not null default 0
);

-- The head of a contract: what constraints, lists and sweeps need. Its document is the contract version at `position`.
-- No indexed column but expires_at of a draft ever changes, so that updates stay heap-only.
create table contracts (
  lane int not null,
  account_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('transfer', 'payment')),
  status text not null check (status in ('draft', 'issued', 'paid', 'completed', 'cancelled', 'expired', 'returned')),
  version int not null check (version > 0),
  position bigint not null check (position > 0),
  currency text not null,
  amount_minor bigint not null check (amount_minor > 0),
  -- What the contract holds of the payer's money: below zero would be a second refund.
  held_minor bigint not null check (held_minor >= 0),
  -- What was paid on a payment contract, what of it waits for settlement, and what was refunded: never more than was paid.
  paid_minor bigint not null default 0 check (paid_minor >= 0),
  pending_minor bigint not null default 0 check (pending_minor between 0 and paid_minor),
  refunded_minor bigint not null default 0 check (refunded_minor between 0 and paid_minor),
  -- The payment contract that a refund, or a return from suspense, belongs to.
  parent_id uuid,
  channel_id text,
  reference_id text,
  expires_at timestamptz not null,
  primary key (lane, account_id, id),
  check (held_minor = 0 or status in ('paid', 'returned'))
) with (fillfactor = 50);
-- Partial by a condition that always holds, here and on contract_versions_number: a look-up by key does not say it, so that the
-- planner is left exactly one index for it, on empty and un-analysed tables too (docs/performance.md).
create index contracts_expiry on contracts (lane, expires_at) where amount_minor > 0;
create index contracts_reference on contracts (lane, account_id, reference_id) where reference_id is not null;

-- Activity, event and document at once: one row for each version of a contract, in the order of commit of its account.
create table contract_versions (
  lane int not null,
  account_id uuid not null,
  position bigint not null check (position > 0),
  contract_id uuid not null,
  version int not null check (version > 0),
  -- The event's number within the contract, and its type; null where the move is no event.
  sequence int check (sequence > 0),
  event text,
  at timestamptz not null,
  document json not null,
  primary key (lane, account_id, position),
  check ((sequence is null) = (event is null))
);
-- One row for each version: one event for each move.
create unique index contract_versions_number on contract_versions (lane, account_id, contract_id, version) where version > 0;

-- Append-only. Each row takes one amount from one account and gives it to another, so it balances by construction.
create table ledger (
  lane int not null,
  account_id uuid not null,
  wallet_id uuid not null,
  sequence bigint not null check (sequence > 0),
  -- The rows of one event share its position; null for money from outside a contract.
  position bigint,
  contract_id uuid,
  debit text not null,
  credit text not null check (credit <> debit),
  amount_minor bigint not null check (amount_minor > 0),
  available_after_minor bigint not null check (available_after_minor >= 0),
  reference text,
  -- The row's own number, where money comes in from outside with it: what stands behind it is in outside_credits.
  outside bigint,
  at timestamptz not null,
  -- No foreign key to wallets: it would cost a fifth of a pay, and the write path already fails unless the very wallet
  -- row is updated in the same transaction (docs/adr/0012-ledger-without-foreign-key.md).
  primary key (lane, account_id, wallet_id, sequence),
  constraint ledger_outside_known check (
    coalesce(outside = sequence, (position is not null and contract_id is not null) or debit = 'clearing:wallet')
  )
);
create unique index ledger_reference on ledger (lane, account_id, reference) where reference is not null;

-- What is due next for a contract; the row is the job. A payout is the newest attempt at a transfer contract: one row, so
-- that there is never more than one live attempt; earlier ones are in the contract's versions. A collection is the next look at
-- a payment contract: to start, ask about or close an attempt, to settle, to return money.
create table jobs (
  lane int not null,
  account_id uuid not null,
  contract_id uuid not null,
  kind text not null check (kind in ('payout', 'collection')),
  livemode boolean not null,
  -- The channel that is to be called; null where a payment contract needs no call.
  channel_id text,
  -- Of a collection: queued while its rail has not been told of the attempt, open afterwards.
  status text not null,
  due_at timestamptz,
  -- Rises with each lease, so that a late report is recognised.
  fence int not null default 0,
  tries int not null default 0,
  number int check (number > 0),
  reference text,
  submitted_at timestamptz,
  absent_since timestamptz,
  primary key (lane, account_id, contract_id),
  check (
    case kind
      when 'payout' then channel_id is not null and number is not null and reference is not null and status in
        ('queued', 'submitting', 'accepted', 'unknown', 'delivered', 'failed', 'voided', 'returned')
      else number is null and reference is null and status in ('queued', 'open')
    end
  ),
  -- every lane: channels are shared by all.
  constraint jobs_channel_mode foreign key (channel_id, livemode) references channel_modes (channel_id, livemode)
) with (fillfactor = 50);
-- Looked for channel by channel, so that a rail that does not answer hides nobody else's.
-- every lane: the worker takes what is due on a channel, whoever's it is.
create index jobs_due_on_channel on jobs (channel_id, due_at) where due_at is not null;
-- What needs no call, or a channel that is not configured any more.
-- every lane: the worker takes what is due, whoever's it is.
create index jobs_due_collections on jobs (due_at) where due_at is not null and kind = 'collection';
