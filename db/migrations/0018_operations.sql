-- safe
-- Operators over HTTP: whose members they are, what a second person confirms, and which transfers contradict themselves.

-- Whether the account is of those who run the gateway. Its members may then hold the scopes of operations.
alter table accounts add column operates boolean not null default false;
grant update (operates) on accounts to gateway_operator;

-- What an operator says about a transfer's outcome. Above a limit it waits for a second person.
create table resolutions (
  -- Of the account whose contract it is.
  lane int not null,
  account_id uuid not null,
  id uuid not null,
  contract_id uuid not null,
  -- The version of the contract that was looked at: of another one nothing is confirmed.
  contract_version int not null check (contract_version > 0),
  outcome text not null check (outcome in ('delivered', 'failed')),
  evidence text not null,
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  livemode boolean not null,
  status text not null check (status in ('waiting', 'applied', 'rejected')),
  -- People by the ids of their members and by their addresses, which the records name.
  proposed_by uuid not null,
  proposed_by_email text not null,
  proposed_at timestamptz not null,
  expires_at timestamptz not null,
  decided_by uuid,
  decided_by_email text,
  decided_at timestamptz,
  reason text,
  primary key (lane, account_id, id),
  foreign key (lane, account_id) references accounts (lane, account_id),
  -- Nobody is two people.
  constraint resolutions_two_people check (status = 'rejected'
    or (decided_by is distinct from proposed_by and decided_by_email is distinct from proposed_by_email)),
  constraint resolutions_decided check ((status = 'rejected') <= (decided_at is not null and decided_by is not null))
);
-- every lane: operators see those of all accounts
create index resolutions_newest on resolutions (id);
-- every lane: operators see those of all accounts
create index resolutions_of_status on resolutions (status, id);
create index resolutions_of_contract on resolutions (lane, account_id, contract_id);
grant select, insert on resolutions to gateway_operator;
grant update (status, decided_by, decided_by_email, decided_at, reason) on resolutions to gateway_operator;

-- Transfers about which a channel contradicted itself, or reported what nobody can ask it about. Written by the write path with
-- the version that says so; closed by an operator.
create table transfer_reviews (
  lane int not null,
  account_id uuid not null,
  contract_id uuid not null,
  since timestamptz not null,
  closed_at timestamptz,
  primary key (lane, account_id, contract_id),
  foreign key (lane, account_id) references accounts (lane, account_id)
);
-- every lane: operators see those of all accounts
create index transfer_reviews_open on transfer_reviews (since, contract_id) where closed_at is null;
grant select, insert on transfer_reviews to gateway_app;
grant update (since, closed_at) on transfer_reviews to gateway_app;

-- every lane: operators see those of all accounts. They are few, so is the index; the table is locked while they are looked for.
-- squawk-ignore require-concurrent-index-creation
create index jobs_unknown on jobs (submitted_at, contract_id) where status = 'unknown' and kind = 'payout';
