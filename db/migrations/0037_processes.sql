-- safe
-- The processes of gateways that are at work, so that they share the lanes out among themselves; and which of them serves an endpoint,
-- so that it is free as soon as that process is gone.

-- Unlogged: it is renewed every two seconds and empty after a crash of the server, when every process says again that it is there.
create unlogged table processes (
  id uuid primary key,
  host text not null,
  pid int not null check (pid > 0),
  role text not null check (role in ('all', 'worker', 'api')),
  version text not null,
  started_at timestamptz not null default now(),
  -- By the database's clock. One whose time is over is gone, and stays a while so that others see that.
  alive_until timestamptz not null
);
grant select, insert, delete, update (alive_until) on processes to gateway_app;
grant select on processes to gateway_operator;

alter table webhook_progress add column leased_by uuid;
grant update (leased_by) on webhook_progress to gateway_app;
