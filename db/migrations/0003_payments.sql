-- safe
-- Money that comes in: what providers report, the secrets that prove it, and the names they give to payments.

-- The signing secrets of a provider that tells events: of the API key that it sends with them.
create table receiver_secrets (
  lane int not null,
  account_id uuid not null,
  key_id text not null,
  -- AES-256-GCM, the newest first; the older one holds until its time.
  secrets_sealed json not null,
  sealing_key_id text not null,
  -- The channels that the key reports on: an event of a payment by another one is not acted on. Null for all of its mode.
  channels text[],
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
  status text not null check (status in ('applied', 'duplicate', 'ignored', 'unmatched', 'needs_review')),
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
  -- The channels that its sender may speak of, with commas between them, for as long as it waits for its contract.
  allowed_channels text,
  primary key (lane, account_id, id),
  check ((object_id is null) = (amount_minor is null)),
  check ((amount_minor is null) = (suspense_minor is null)),
  check ((due_at is not null) = (status = 'unmatched')),
  foreign key (lane, account_id) references accounts (lane, account_id)
) with (fillfactor = 90);
create unique index payment_events_object on payment_events (lane, account_id, object_id) where object_id is not null;
create index payment_events_suspense on payment_events (lane, account_id, contract_id) where suspense_minor > 0;
create index payment_events_unallocated on payment_events (lane, account_id, at) where status in ('unmatched', 'needs_review');
-- every lane: the worker takes what is due, whoever's it is.
create index payment_events_due on payment_events (due_at) where due_at is not null;

-- What a provider calls an attempt, so that its events are matched by that name alone.
create table provider_payment_ids (
  lane int not null,
  account_id uuid not null,
  provider_id text not null,
  contract_id uuid not null,
  attempt int not null,
  primary key (lane, account_id, provider_id)
);
