-- safe
-- Approvals: the queue of contracts of which members were asked something, and who made which API key, so that nobody approves by
-- one hand what they made by the other.

-- The member who made the key, or who made the key that made it; null for keys of operators, and from before this was kept.
alter table api_keys add column made_by_member uuid;

-- Written by the write path with the version that says so.
create table approvals (
  lane int not null,
  account_id uuid not null,
  contract_id uuid not null,
  status text not null check (status in ('waiting', 'approved', 'rejected', 'ended')),
  asked_at timestamptz not null,
  -- The member or the API key whose command was held back.
  asked_by text,
  changed_at timestamptz not null,
  primary key (lane, account_id, contract_id),
  foreign key (lane, account_id) references accounts (lane, account_id)
);
create index approvals_by_status on approvals (lane, account_id, status, contract_id);
grant select, insert on approvals to gateway_app;
grant update (status, asked_at, asked_by, changed_at) on approvals to gateway_app;
