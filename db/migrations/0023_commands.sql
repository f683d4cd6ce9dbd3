-- safe
-- Commands: work on many contracts at once. A command is worked on by whoever holds its lease, window by window; its counters
-- move in the statement that writes the results of a window.

create table commands (
  lane int not null,
  account_id uuid not null,
  livemode boolean not null,
  id uuid not null,
  type text not null,
  status text not null check (status in ('open', 'queued', 'running', 'paused', 'completed', 'cancelled')),
  dry_run boolean not null,
  description text,
  reference text,
  -- Whether it was cancelled, and what was begun is still being finished.
  cancelling boolean not null default false,
  -- Who made it: each row is refused as a request of theirs would be.
  key_id text not null,
  member_id uuid,
  total int not null default 0 check (total between 0 and 100000),
  done int not null default 0 check (done >= 0),
  failed int not null default 0 check (failed >= 0),
  waiting int not null default 0 check (waiting >= 0),
  skipped int not null default 0 check (skipped >= 0),
  -- Rows up to this index may have been begun.
  begun int not null default -1,
  fence int not null default 0,
  due_at timestamptz,
  leased_until timestamptz,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz,
  primary key (lane, account_id, id),
  foreign key (lane, account_id) references accounts (lane, account_id),
  constraint commands_mode foreign key (lane, account_id, livemode) references account_modes (lane, account_id, livemode),
  check (done + failed + waiting + skipped <= total),
  check ((ended_at is null) = (status not in ('completed', 'cancelled')))
) with (fillfactor = 70);
create index commands_due on commands (lane, due_at) where due_at is not null;

create table command_rows (
  lane int not null,
  account_id uuid not null,
  command_id uuid not null,
  index int not null check (index between 0 and 99999),
  -- Where it stood in the file that it came from; null for one that came as JSON.
  line int,
  -- 128 bits of what was sent: the same row again changes nothing, another one is refused.
  hash uuid not null,
  sent json not null,
  status text not null default 'queued' check (status in ('queued', 'waiting', 'done', 'failed', 'skipped')),
  contract_id uuid,
  -- What it came to last: issue, pay.
  step text,
  error json,
  preview json,
  currency text,
  amount_minor bigint,
  debit_minor bigint,
  due_at timestamptz,
  updated_at timestamptz,
  primary key (lane, account_id, command_id, index),
  foreign key (lane, account_id, command_id) references commands (lane, account_id, id)
) with (fillfactor = 80);
create index command_rows_open on command_rows (lane, account_id, command_id, status, index);

grant select, insert, delete on commands, command_rows to gateway_app;
grant update (status, cancelling, total, done, failed, waiting, skipped, begun, fence, due_at, leased_until, started_at, ended_at)
  on commands to gateway_app;
grant update (status, contract_id, step, error, preview, currency, amount_minor, debit_minor, due_at, updated_at)
  on command_rows to gateway_app;
