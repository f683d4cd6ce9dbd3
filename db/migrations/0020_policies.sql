-- safe
-- Policies: what an account lets leave it, and under which conditions (docs/adr/0051).

-- The position of the account when its active policies changed last; null while it has none: then nothing more is read.
alter table accounts add column policies_at bigint constraint accounts_policies_at check (policies_at > 0);
grant update (policies_at) on accounts to gateway_app;

-- What a key may move altogether, and to whom; null for one that is bound to nothing.
alter table api_keys add column mandate json;
grant update (mandate) on api_keys to gateway_app;

create table policies (
  lane int not null,
  account_id uuid not null,
  id uuid not null,
  version int not null check (version > 0),
  status text not null check (status in ('active', 'paused', 'archived')),
  primary key (lane, account_id, id),
  foreign key (lane, account_id) references accounts (lane, account_id)
);
create index policies_by_status on policies (lane, account_id, status, id);

-- Append-only.
create table policy_versions (
  lane int not null,
  account_id uuid not null,
  policy_id uuid not null,
  version int not null check (version > 0),
  document json not null,
  primary key (lane, account_id, policy_id, version),
  foreign key (lane, account_id, policy_id) references policies (lane, account_id, id)
);

-- What was paid lately, in steps of time: by 128 bits of the SHA-256 of what is counted. Written with the payment itself.
create table policy_meters (
  lane int not null,
  account_id uuid not null,
  meter uuid not null,
  steps json not null,
  primary key (lane, account_id, meter),
  foreign key (lane, account_id) references accounts (lane, account_id)
) with (fillfactor = 50);

grant select, insert on policies, policy_versions, policy_meters to gateway_app;
grant update (version, status) on policies to gateway_app;
grant update (steps) on policy_meters to gateway_app;
