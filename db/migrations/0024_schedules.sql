-- safe
-- Schedules: transfers that are made, issued and paid again and again by a rule; and each of their runs. A schedule's next run is a
-- row that is due; a run is begun in the transaction that moves next_at on, so that neither is without the other.

create table schedules (
  lane int not null,
  account_id uuid not null,
  livemode boolean not null,
  id uuid not null,
  version int not null check (version > 0),
  status text not null check (status in ('active', 'paused', 'ended')),
  next_at timestamptz,
  document json not null,
  primary key (lane, account_id, id),
  foreign key (lane, account_id) references accounts (lane, account_id),
  constraint schedules_mode foreign key (lane, account_id, livemode) references account_modes (lane, account_id, livemode),
  constraint schedules_due check ((status = 'active') = (next_at is not null))
);
create index schedules_by_status on schedules (lane, account_id, status, id);
create index schedules_due_at on schedules (lane, next_at) where next_at is not null;

create table schedule_runs (
  lane int not null,
  account_id uuid not null,
  schedule_id uuid not null,
  number int not null check (number > 0),
  due_at timestamptz not null,
  started_at timestamptz not null,
  contract_id uuid not null,
  status text not null check (status in ('running', 'paid', 'failed')),
  problem json,
  leased_until timestamptz,
  primary key (lane, account_id, schedule_id, number),
  foreign key (lane, account_id, schedule_id) references schedules (lane, account_id, id),
  constraint schedule_runs_leased check ((status = 'running') = (leased_until is not null))
);
create index schedule_runs_due on schedule_runs (lane, leased_until) where leased_until is not null;

grant select, insert on schedules, schedule_runs to gateway_app;
grant update (version, status, next_at, document) on schedules to gateway_app;
grant update (status, problem, leased_until) on schedule_runs to gateway_app;
