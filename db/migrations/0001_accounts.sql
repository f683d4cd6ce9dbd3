-- safe
-- Accounts on lanes, what belongs to them, and who may call. Every tenant-owned key begins with (lane, account_id); nothing
-- refers across lanes (docs/adr/0004-lanes.md). The first seven files are one schema, squashed before the first release: from
-- here on files are only added.

create table lanes (
  lane int primary key check (lane between 0 and 255),
  -- Contracts that expired before this are swept.
  swept_until timestamptz not null default '2000-01-01T00:00:00Z'
);
insert into lanes select generate_series(0, 255);

-- The mode of each account, test or live, for good (docs/adr/0019-modes.md): what the mode of its belongings refers to. Apart
-- from the account's own row, which is written all the time, and whose look-ups are to find exactly one index
-- (docs/performance.md).
create table account_modes (
  lane int not null,
  account_id uuid not null,
  livemode boolean not null,
  primary key (lane, account_id, livemode),
  unique (lane, account_id)
);

-- The account row is also the lock: whoever writes for an account holds it, so nothing else of the account needs one.
create table accounts (
  lane int not null references lanes (lane),
  account_id uuid not null,
  profile_id uuid not null,
  name text not null,
  livemode boolean not null,
  -- Who owns it, until it has members: whom to turn to.
  owner_name text,
  owner_email text,
  -- A transfer that fails for good: tried again so often, then on these channels, then refunded at once or kept for the caller.
  retries int not null default 0 check (retries between 0 and 5),
  fallback_channels text[] not null default '{}',
  refunds_at_once boolean not null default true,
  -- Whether money in suspense goes back by itself.
  returns_at_once boolean not null default true,
  -- Where payers of the account may be sent to; null for any site.
  sites text[],
  -- The position of the newest row of the account's contract versions.
  position bigint not null default 0 check (position >= 0),
  created_at timestamptz not null default now(),
  primary key (lane, account_id),
  constraint accounts_owner check ((owner_name is null) = (owner_email is null)),
  constraint accounts_mode foreign key (lane, account_id, livemode) references account_modes (lane, account_id, livemode)
) with (fillfactor = 50);

-- The origins whose pages may call with a token of the account; apart from the account's row, which is written all the time.
create table account_origins (
  lane int not null,
  account_id uuid not null,
  origin text not null,
  primary key (lane, account_id, origin),
  foreign key (lane, account_id) references accounts (lane, account_id)
);

create table api_keys (
  lane int not null,
  account_id uuid not null,
  livemode boolean not null,
  key_id text not null,
  secret_hash bytea not null check (length(secret_hash) = 32),
  name text not null,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  primary key (lane, account_id, key_id),
  unique (lane, key_id),
  foreign key (lane, account_id) references accounts (lane, account_id),
  constraint api_keys_mode foreign key (lane, account_id, livemode) references account_modes (lane, account_id, livemode)
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
  livemode boolean not null,
  id uuid not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  available_minor bigint not null default 0 check (available_minor >= 0),
  held_minor bigint not null default 0 check (held_minor >= 0),
  in_transit_minor bigint not null default 0 check (in_transit_minor >= 0),
  -- Paid by a payer and not settled yet; arrived, and fits no contract as it stands.
  pending_minor bigint not null default 0 check (pending_minor >= 0),
  suspense_minor bigint not null default 0 check (suspense_minor >= 0),
  sequence bigint not null default 0 check (sequence >= 0),
  created_at timestamptz not null default now(),
  primary key (lane, account_id, id),
  unique (lane, account_id, currency),
  unique (lane, id),
  foreign key (lane, account_id) references accounts (lane, account_id),
  constraint wallets_mode foreign key (lane, account_id, livemode) references account_modes (lane, account_id, livemode)
) with (fillfactor = 50);

-- Keys and requests are kept as 128 bits of their SHA-256; the answer is the contract version it points to.
create table idempotency_keys (
  lane int not null,
  account_id uuid not null,
  key_hash uuid not null,
  fingerprint uuid not null,
  position bigint,
  refusal json,
  -- What was answered to a request that is about no contract, sealed: it may hold a secret that is shown once.
  reply_sealed text,
  created_at timestamptz not null,
  primary key (lane, account_id, key_hash)
);
-- every lane: a block range index on time costs next to nothing, and pruning looks at all lanes.
create index idempotency_keys_age on idempotency_keys using brin (created_at);
