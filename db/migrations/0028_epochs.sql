-- safe
-- Epochs: the lives of the books. A new one begins in recovery where the database is found to be older than what was done with it,
-- or to have gone its own way; it ends when two operators say that the books fit the rails again.

-- Whose books these are, wherever they are copied to; and how often it was noted beside the database how far they had come.
create table installation (
  is_one boolean primary key default true check (is_one),
  id uuid not null default gen_random_uuid(),
  marks bigint not null default 0
);
insert into installation default values;
grant select, update (marks) on installation to gateway_app;
grant select on installation to gateway_operator;

create table epochs (
  number int primary key check (number > 0),
  reason text not null check (reason in ('created', 'older', 'other_timeline', 'other_system', 'declared')),
  began_at timestamptz not null default now(),
  -- Where the gateway last saw the database stand, and where it stood then.
  mark jsonb,
  found jsonb,
  proposed_by text,
  proposed_at timestamptz,
  evidence text,
  resumed_by text,
  resumed_at timestamptz,
  constraint epochs_two_people check (reason = 'created' or resumed_at is null
    or (resumed_by is not null and proposed_by is not null and lower(btrim(resumed_by)) <> lower(btrim(proposed_by))))
);
insert into epochs (number, reason, resumed_at) values (1, 'created', now());
-- The gateway may begin a recovery, and operators; only operators end one.
grant select, insert on epochs to gateway_app;
grant select, insert on epochs to gateway_operator;
grant update (proposed_by, proposed_at, evidence, resumed_by, resumed_at) on epochs to gateway_operator;
