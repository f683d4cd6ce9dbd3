-- safe
-- Payment contracts: money comes in. What is pending has been paid and is not settled yet; what is in suspense arrived and
-- fits no contract as it stands. Both are the account's balances with a floor, like those of its wallet.
alter table wallets add column pending_minor bigint not null default 0 check (pending_minor >= 0);
alter table wallets add column suspense_minor bigint not null default 0 check (suspense_minor >= 0);

-- What was paid on a contract, what of it waits for settlement, and what was given back: never more than was paid.
alter table contracts add column paid_minor bigint not null default 0 check (paid_minor >= 0);
alter table contracts add column pending_minor bigint not null default 0 check (pending_minor between 0 and paid_minor);
alter table contracts add column refunded_minor bigint not null default 0 check (refunded_minor between 0 and paid_minor);
-- The payment contract that a refund, or a return from suspense, belongs to.
alter table contracts add column parent_id uuid;

-- Whether money in suspense goes back by itself.
alter table accounts add column returns_at_once boolean not null default true;

-- The signing secrets of a provider that tells events: of the API key that it sends with them.
create table receiver_secrets (
  lane int not null,
  account_id uuid not null,
  key_id text not null,
  -- AES-256-GCM, the newest first; the older one holds until its time.
  secrets_sealed json not null,
  sealing_key_id text not null,
  updated_at timestamptz not null default now(),
  primary key (lane, account_id, key_id),
  foreign key (lane, account_id, key_id) references api_keys (lane, account_id, key_id)
);

-- Every event that a provider told, once for each id, and every amount of money that arrived, once for each of the
-- provider's objects. Rows are never deleted: an event is recognised as long as the books are kept.
create table payment_events (
  lane int not null,
  account_id uuid not null,
  id text not null,
  type text not null,
  at timestamptz not null,
  -- The bytes as they came, and 128 bits of their hash; none where the gateway itself saw the money.
  body text,
  body_hash uuid,
  status text not null check (status in ('applied', 'duplicate', 'ignored', 'unmatched', 'parked')),
  contract_id uuid,
  -- Money: set in the one row that booked it.
  object_id text,
  attempt int,
  channel_id text,
  currency text,
  amount_minor bigint check (amount_minor > 0),
  -- What of it still waits in suspense, and why it fits no contract.
  suspense_minor bigint check (suspense_minor between 0 and amount_minor),
  reason text,
  payer json,
  -- An unmatched event is looked at again.
  due_at timestamptz,
  tries int not null default 0,
  primary key (lane, account_id, id),
  check ((object_id is null) = (amount_minor is null)),
  check ((amount_minor is null) = (suspense_minor is null)),
  check ((due_at is not null) = (status = 'unmatched')),
  foreign key (lane, account_id) references accounts (lane, account_id)
) with (fillfactor = 90);
create unique index payment_events_object on payment_events (lane, account_id, object_id) where object_id is not null;
create index payment_events_suspense on payment_events (lane, account_id, contract_id) where suspense_minor > 0;
create index payment_events_parked on payment_events (lane, account_id, at) where status in ('unmatched', 'parked');
-- every lane: the worker takes what is due, whoever's it is.
create index payment_events_due on payment_events (due_at) where due_at is not null;

-- What a provider calls an attempt, so that its events are matched by that name alone.
create table payment_intents (
  lane int not null,
  account_id uuid not null,
  provider_id text not null,
  contract_id uuid not null,
  attempt int not null,
  primary key (lane, account_id, provider_id)
);

-- When a payment contract is to be looked at next: to ask or close an attempt, to settle, to give back. The row is the job.
create table payment_jobs (
  lane int not null,
  account_id uuid not null,
  contract_id uuid not null,
  due_at timestamptz,
  fence int not null default 0,
  tries int not null default 0,
  primary key (lane, account_id, contract_id)
) with (fillfactor = 50);
-- every lane: the worker takes what is due, whoever's it is.
create index payment_jobs_due on payment_jobs (due_at) where due_at is not null;

grant select, insert on receiver_secrets, payment_events, payment_intents, payment_jobs to gateway_app;
grant update on receiver_secrets, payment_events, payment_jobs to gateway_app;
-- What a key is answered with moves on with what the rail says while its caller waits.
grant update (position) on idempotency_keys to gateway_app;
