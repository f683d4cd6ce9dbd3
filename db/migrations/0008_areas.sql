-- safe
-- What happens in an account beside its contracts: events of wallets, profiles, keys and members, and the audit list.

-- One row an event. Positions are those of the account's history, which the versions of its contracts count on, too: both
-- together are numbered without a gap. Append-only.
create table account_events (
  lane int not null,
  account_id uuid not null,
  position bigint not null check (position > 0),
  id uuid not null,
  type text not null,
  -- What it is about: first tries about one object go in order.
  subject text not null,
  at timestamptz not null,
  -- The object as the API shows it.
  object json not null,
  primary key (lane, account_id, position),
  unique (lane, account_id, id)
);
grant select, insert on account_events to gateway_app;

-- The account's history, in the order of commit. Where `is_contract` is false, `contract_id` is the event's own id.
create view account_history as
  select v.lane, v.account_id, v.position, true as is_contract, v.contract_id, v.version, v.sequence, v.event, v.at,
         v.document, null::text as subject
    from contract_versions v
  union all
  select e.lane, e.account_id, e.position, false, e.id, 1, 1, e.type, e.at, e.object, e.subject
    from account_events e;
grant select on account_history to gateway_app;

-- Who did what, on what, from where: every change by a person or a key that is not a contract's, whose activities say it.
-- Append-only.
create table audit_entries (
  lane int not null,
  account_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  actor_kind text not null check (actor_kind in ('key', 'member', 'operator', 'gateway')),
  -- A key's id, a member's id, an operator's name.
  actor_id text not null,
  action text not null check (action ~ '^[a-z_]+\.[a-z_]+$'),
  object_type text not null,
  object_id text not null,
  -- The address that the request came from; null for what came by no request.
  address text,
  request_id text,
  -- The members that changed, without secrets.
  before json,
  after json,
  primary key (lane, account_id, id)
);
create index audit_entries_of_object on audit_entries (lane, account_id, object_id, id);
create index audit_entries_of_actor on audit_entries (lane, account_id, actor_id, id);
grant select, insert on audit_entries to gateway_app;
