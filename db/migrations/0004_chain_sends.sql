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

grant select, insert, update on chain_sends to gateway_app;
