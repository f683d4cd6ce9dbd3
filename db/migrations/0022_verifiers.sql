-- safe
-- Verifiers: what asks whether a payee is who the account thinks. The built-in ones have no row. A verifier is its versions;
-- the head says which is the newest. A verification is one question about one recipient, which is also the job that asks it.

create table verifiers (
  lane int not null,
  account_id uuid not null,
  livemode boolean not null,
  id uuid not null,
  version int not null check (version > 0),
  kind text not null check (kind in ('list', 'otp', 'http')),
  status text not null check (status in ('active', 'archived')),
  -- Since when it answers as it does: what was verified by it before counts no longer.
  changed_at timestamptz not null,
  -- Of kinds that are called: AES-256-GCM; the associated data names the account, the verifier and the purpose.
  secret_sealed text,
  primary key (lane, account_id, id),
  foreign key (lane, account_id) references accounts (lane, account_id),
  constraint verifiers_mode foreign key (lane, account_id, livemode) references account_modes (lane, account_id, livemode)
);

-- Append-only.
create table verifier_versions (
  lane int not null,
  account_id uuid not null,
  verifier_id uuid not null,
  version int not null check (version > 0),
  document json not null,
  primary key (lane, account_id, verifier_id, version),
  foreign key (lane, account_id, verifier_id) references verifiers (lane, account_id, id)
);

-- The entries of an account's own lists.
create table verifier_entries (
  lane int not null,
  account_id uuid not null,
  verifier_id uuid not null,
  id uuid not null,
  document json not null,
  primary key (lane, account_id, verifier_id, id),
  foreign key (lane, account_id, verifier_id) references verifiers (lane, account_id, id)
);

create table verifications (
  lane int not null,
  account_id uuid not null,
  livemode boolean not null,
  id uuid not null,
  kind text not null check (kind in ('name', 'mobile', 'chain_address', 'list', 'otp', 'http')),
  verifier_id uuid,
  contract_id uuid,
  -- What was asked about, as 128 bits of the SHA-256 of its canonical values.
  subject uuid not null,
  status text not null check (status in ('pending', 'pass', 'fail', 'review', 'unavailable')),
  due_at timestamptz,
  -- Rises with every lease: a late answer to an earlier question is recognised by it.
  fence int not null default 0,
  tries int not null default 0,
  created_at timestamptz not null,
  ended_at timestamptz,
  -- How long its result is taken again.
  expires_at timestamptz,
  document json not null,
  primary key (lane, account_id, id),
  check ((due_at is null) = (status <> 'pending')),
  check ((ended_at is null) = (status = 'pending')),
  foreign key (lane, account_id) references accounts (lane, account_id),
  foreign key (lane, account_id, verifier_id) references verifiers (lane, account_id, id),
  constraint verifications_mode foreign key (lane, account_id, livemode) references account_modes (lane, account_id, livemode)
) with (fillfactor = 70);
create index verifications_by_subject on verifications (lane, account_id, subject, kind, id);
create index verifications_by_contract on verifications (lane, account_id, contract_id, id) where contract_id is not null;
create index verifications_by_status on verifications (lane, account_id, status, id);
-- every lane: due ones are looked for in all lanes, by time.
create index verifications_due on verifications (due_at) where due_at is not null;

-- Published lists, loaded by whoever runs the gateway, for all accounts. One of each source is in force.
create table screening_lists (
  id uuid not null primary key,
  source text not null,
  version text not null,
  published_on text,
  hash text not null,
  entries int not null check (entries >= 0),
  loaded_at timestamptz not null default clock_timestamp(),
  is_current boolean not null
);
create unique index screening_lists_current on screening_lists (source) where is_current;

create table screening_entries (
  list_id uuid not null references screening_lists (id),
  entry text not null,
  document json not null,
  primary key (list_id, entry)
);

grant select, insert on verifiers, verifier_versions, verifications to gateway_app;
grant select, insert, delete on verifier_entries to gateway_app;
grant update (version, status, changed_at, secret_sealed) on verifiers to gateway_app;
grant update (status, due_at, fence, tries, ended_at, expires_at, document) on verifications to gateway_app;
grant select on screening_lists, screening_entries to gateway_app;
grant insert on screening_lists, screening_entries to gateway_operator;
grant update (is_current) on screening_lists to gateway_operator;
