-- safe
-- What was signed for a chain, one row for each reference, written before a byte of it leaves. A chain knows no references:
-- this book is what makes a send happen once.

-- No tenant's table: the nonces are those of the gateway's own address, whoever's contract asked for the payout.
create table chain_sends (
  reference text primary key,
  -- CAIP-2: eip155 and the chain id.
  network text not null check (network ~ '^eip155:[1-9][0-9]*$'),
  sender text not null check (sender ~ '^0x[0-9a-fA-F]{40}$'),
  -- Null where the transfer was refused before anything was signed.
  nonce bigint check (nonce >= 0),
  recipient text not null check (recipient ~ '^0x[0-9a-fA-F]{40}$'),
  -- The token's contract; null for the chain's own coin.
  token text check (token ~ '^0x[0-9a-fA-F]{40}$'),
  -- In the smallest unit of the asset. A uint256 has 78 digits.
  amount numeric(78, 0) not null check (amount > 0),
  -- The most that the newest transaction may cost in gas, in wei.
  gas_max numeric(78, 0) not null check (gas_max >= 0),
  -- Signed transactions of the one nonce: the first, then each with a higher fee. At most one can be mined.
  raws text[] not null,
  hashes text[] not null,
  status text not null check (status in ('open', 'delivered', 'reverted', 'refused')),
  mined_block bigint check (mined_block >= 0),
  mined_hash text,
  created_at timestamptz not null default now(),
  -- When the newest of the transactions was signed.
  signed_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Also the lock: of two processes that claim the same nonce one waits, and then finds it taken.
  unique (network, sender, nonce),
  check (cardinality(raws) = cardinality(hashes)),
  check ((nonce is null) = (status = 'refused')),
  check ((cardinality(raws) = 0) = (status = 'refused')),
  check ((mined_block is null) = (mined_hash is null)),
  check (mined_block is not null or status in ('open', 'refused'))
);

-- Money that comes in on a chain: an address for each attempt, how far the chain was read, and what arrived.

-- No tenant's tables: whose an address is says its reference, which holds the contract's id.

-- The next address of each extended public key. A number that was taken is never given again; one may be left out.
create table chain_keys (
  -- A digest of the key, from which it cannot be told.
  fingerprint text primary key check (fingerprint ~ '^[0-9a-f]{16}$'),
  next_index bigint not null check (next_index >= 0)
);

create table chain_addresses (
  reference text primary key,
  -- CAIP-2: eip155 and the chain id.
  network text not null check (network ~ '^eip155:[1-9][0-9]*$'),
  -- The token's contract in lower case, or "coin" for the chain's own.
  asset text not null check (asset ~ '^(coin|0x[0-9a-f]{40})$'),
  address text not null check (address ~ '^0x[0-9a-f]{40}$'),
  fingerprint text not null,
  key_index bigint not null check (key_index >= 0),
  -- When the payer's time is over. Looked at it is for ever.
  expires_at timestamptz not null,
  -- The final block that its coins were last counted at; null for a token, and once its key has spent something.
  balance_block bigint check (balance_block >= 0),
  created_at timestamptz not null default now(),
  unique (network, address),
  unique (fingerprint, key_index)
);
create index chain_addresses_to_count on chain_addresses (network, balance_block) where balance_block is not null;

-- The last block that is read for good, for each asset that is followed.
create table chain_cursors (
  network text not null,
  asset text not null,
  block bigint not null check (block >= 0),
  block_hash text not null check (block_hash ~ '^0x[0-9a-f]{64}$'),
  updated_at timestamptz not null default now(),
  primary key (network, asset)
);

create table chain_payments (
  -- Network, transaction, and the how-manieth transfer in it; or the block and the address, where no transaction shows it.
  id text primary key,
  network text not null,
  asset text not null,
  reference text not null references chain_addresses,
  -- In the smallest unit of the asset. A uint256 has 78 digits.
  units numeric(78, 0) not null check (units > 0),
  -- Null where a contract paid in coins.
  transaction text check (transaction ~ '^0x[0-9a-f]{64}$'),
  block bigint not null check (block >= 0),
  block_hash text not null,
  -- seen: its block may still be undone. dropped: it was. final: it has its confirmations. reported: it is booked.
  status text not null check (status in ('seen', 'final', 'dropped', 'reported')),
  reported_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((reported_at is null) = (status <> 'reported'))
);
create index chain_payments_open on chain_payments (network, asset) where status in ('seen', 'final');
create index chain_payments_of on chain_payments (reference);

-- Chains and their keys are of one mode, too: whatever the gateway signs with, derives addresses from, or looks at.
create table chain_modes (
  -- "network eip155:1", "sender 0x…" in lower case, or "receiver" and the digest of an extended public key.
  name text primary key check (name ~ '^(network eip155:[1-9][0-9]*|sender 0x[0-9a-f]{40}|receiver [0-9a-f]{16})$'),
  livemode boolean not null,
  since timestamptz not null default now()
);
