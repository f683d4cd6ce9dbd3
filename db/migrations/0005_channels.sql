-- safe
-- What becomes of a transfer that failed for good is the account's choice: tried again so often, then on these channels.
alter table accounts add column retries int not null default 0 check (retries between 0 and 5);
alter table accounts add column fallback_channels text[] not null default '{}';

-- Attempts are looked for channel by channel, so that a rail that does not answer hides nobody else's.
-- Only the rows that wait for something are in either index, so that both statements take a moment.
-- every lane: the worker takes what is due on a channel, whoever's it is.
-- squawk-ignore require-concurrent-index-creation
create index attempts_due_on_channel on attempts (channel_id, due_at) where due_at is not null;
-- What it held is in the new one.
-- squawk-ignore require-concurrent-index-deletion
drop index attempts_due;

-- A channel whose statement shows what is not ours pays nothing out until somebody has looked at it. Small and shared.
create table channel_freezes (
  channel_id text primary key,
  reason text not null,
  since timestamptz not null default now()
);

-- What people did to the books by hand: append-only.
create table operator_actions (
  id uuid primary key,
  at timestamptz not null default now(),
  operator text not null,
  action text not null,
  target text not null,
  evidence text not null
);

-- Provider statements that were compared with our attempts, line by line.
create table reconciliations (
  id uuid primary key,
  channel_id text not null,
  day date not null,
  at timestamptz not null default now(),
  matched int not null,
  findings json not null
);

grant select, insert, delete on channel_freezes to gateway_app;
grant select, insert on operator_actions, reconciliations to gateway_app;
