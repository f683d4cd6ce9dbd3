-- safe
-- The books: accounts on lanes, wallets with floors, contracts with their history, the ledger, attempts and keys.
-- Every tenant-owned key begins with (lane, account_id); nothing refers across lanes (docs/adr/0004-lanes.md).

create table lanes (
  lane int primary key check (lane between 0 and 255),
  -- Contracts that expired before this are swept.
  swept_until timestamptz not null default '2000-01-01T00:00:00Z'
);
insert into lanes select generate_series(0, 255);

-- One row for each version of a channel that a contract may name. Small and shared; written at start-up only.
create table channel_versions (
  channel_id text not null,
  version int not null check (version > 0),
  facts json not null,
  created_at timestamptz not null default now(),
  primary key (channel_id, version)
);

-- The account row is also the lock: whoever writes for an account holds it, so nothing else of the account needs one.
create table accounts (
  lane int not null references lanes (lane),
  account_id uuid not null,
  profile_id uuid not null,
  name text not null,
  livemode boolean not null,
  refunds_at_once boolean not null default true,
  -- The position of the newest row of the account's history.
  position bigint not null default 0 check (position >= 0),
  created_at timestamptz not null default now(),
  primary key (lane, account_id)
) with (fillfactor = 50);

create table api_keys (
  lane int not null,
  account_id uuid not null,
  key_id text not null,
  secret_hash bytea not null check (length(secret_hash) = 32),
  name text not null,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  primary key (lane, account_id, key_id),
  unique (lane, key_id),
  foreign key (lane, account_id) references accounts (lane, account_id)
);

create table access_tokens (
  lane int not null,
  account_id uuid not null,
  token_hash bytea not null check (length(token_hash) = 32),
  key_id text not null,
  contract_id uuid,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (lane, account_id, token_hash),
  unique (lane, token_hash),
  foreign key (lane, account_id, key_id) references api_keys (lane, account_id, key_id)
);

-- The floors: no balance below zero, whatever the code decides.
create table wallets (
  lane int not null,
  account_id uuid not null,
  id uuid not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  available_minor bigint not null default 0 check (available_minor >= 0),
  held_minor bigint not null default 0 check (held_minor >= 0),
  in_transit_minor bigint not null default 0 check (in_transit_minor >= 0),
  sequence bigint not null default 0 check (sequence >= 0),
  created_at timestamptz not null default now(),
  primary key (lane, account_id, id),
  unique (lane, account_id, currency),
  unique (lane, id),
  foreign key (lane, account_id) references accounts (lane, account_id)
) with (fillfactor = 50);

-- The head of a contract: what constraints, lists and sweeps need. Its words are in the history row at `position`.
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
  channel_id text,
  reference_id text,
  expires_at timestamptz not null,
  primary key (lane, account_id, id),
  check (held_minor = 0 or status in ('paid', 'returned'))
) with (fillfactor = 50);
-- Partial by a condition that always holds, here and on history_versions: a look-up by key does not say it, so that the
-- planner is left exactly one index for it, on empty and un-analysed tables too (docs/performance.md).
create index contracts_expiry on contracts (lane, expires_at) where amount_minor > 0;
create index contracts_reference on contracts (lane, account_id, reference_id) where reference_id is not null;

-- Activity, event and document at once: one row for each version of a contract, in the order of commit of its account.
create table history (
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
create unique index history_versions on history (lane, account_id, contract_id, version) where version > 0;

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
  at timestamptz not null,
  -- No foreign key to wallets: it would cost a fifth of a pay, and the write path already fails unless the very wallet
  -- row is updated in the same transaction (docs/adr/0012-ledger-without-foreign-key.md).
  primary key (lane, account_id, wallet_id, sequence)
);
create unique index ledger_reference on ledger (lane, account_id, reference) where reference is not null;

-- The newest attempt of each contract: one row, so that there is never more than one live attempt. Earlier ones are in
-- the history.
create table attempts (
  lane int not null,
  account_id uuid not null,
  contract_id uuid not null,
  number int not null check (number > 0),
  channel_id text not null,
  reference text not null,
  status text not null
    check (status in ('queued', 'submitting', 'accepted', 'unknown', 'delivered', 'failed', 'voided', 'returned')),
  due_at timestamptz,
  fence int not null,
  tries int not null,
  submitted_at timestamptz,
  absent_since timestamptz,
  primary key (lane, account_id, contract_id)
) with (fillfactor = 50);
create index attempts_due on attempts (lane, due_at) where due_at is not null;

-- Keys and requests are kept as 128 bits of their SHA-256; the answer is the history row it points to.
create table idempotency_keys (
  lane int not null,
  account_id uuid not null,
  key_hash uuid not null,
  fingerprint uuid not null,
  position bigint,
  refusal json,
  created_at timestamptz not null,
  primary key (lane, account_id, key_hash)
);
-- every lane: a block range index on time costs next to nothing, and pruning looks at all lanes.
create index idempotency_keys_age on idempotency_keys using brin (created_at);

-- How far each channel's own news (late completions, bounces) has been read.
create table channel_news (
  channel_id text primary key,
  read_until bigint not null default 0
);
