-- safe
-- Webhook endpoints and what became of each delivery. No row is written for a delivery before it was tried: the contract versions
-- are the outbox, and an endpoint's progress says how far in them the endpoint has been served (docs/adr/0013-history-is-the-outbox.md).

create table webhook_endpoints (
  lane int not null,
  account_id uuid not null,
  livemode boolean not null,
  id uuid not null,
  url text not null,
  description text,
  -- Event types, or the one word '*' for all there are and will be.
  events text[] not null check (cardinality(events) > 0),
  api_version text not null,
  in_flight_max int not null check (in_flight_max between 1 and 16),
  status text not null check (status in ('enabled', 'paused', 'disabled', 'deleted')),
  -- Why it is disabled: by its caller, by the receiver's 410, or after days without a success.
  disabled_because text check (disabled_because in ('caller', 'gone', 'failing')),
  -- AES-256-GCM; the associated data names the account, the endpoint and the purpose.
  secrets_sealed json not null,
  bearer_sealed text not null,
  -- Which key of the gateway sealed them.
  sealing_key_id text not null,
  -- Events up to here were before its time.
  since_position bigint not null check (since_position >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (lane, account_id, id),
  check ((disabled_because is null) = (status <> 'disabled')),
  foreign key (lane, account_id) references accounts (lane, account_id),
  constraint webhook_endpoints_mode foreign key (lane, account_id, livemode) references account_modes (lane, account_id, livemode)
);

-- How far an endpoint has been served and how it fares. One process at a time serves it: the lease, told by its fence.
create table webhook_progress (
  lane int not null,
  account_id uuid not null,
  endpoint_id uuid not null,
  -- Every event up to here has been tried once, or does not concern the endpoint.
  position bigint not null check (position >= 0),
  -- The earliest delivery that waits for another try.
  next_due_at timestamptz,
  fence int not null default 0,
  leased_until timestamptz,
  claimed_at timestamptz not null default now(),
  -- The breaker: failures in a row, how often it opened since the last success, and until when nothing is sent.
  failures int not null default 0 check (failures >= 0),
  openings int not null default 0 check (openings >= 0),
  open_until timestamptz,
  -- How many calls at once it is trusted with: slow start after the breaker.
  trusted int not null default 16 check (trusted between 1 and 16),
  last_success_at timestamptz,
  last_failure_at timestamptz,
  -- Since when it has been failing without a success, and how many tries that were.
  failing_since timestamptz,
  failed_tries int not null default 0,
  latency_ms int,
  primary key (lane, account_id, endpoint_id),
  foreign key (lane, account_id, endpoint_id) references webhook_endpoints (lane, account_id, id)
) with (fillfactor = 50);

-- One event for one endpoint, from its first try on. `replay` tells a delivery that was asked for again from the original.
create table deliveries (
  lane int not null,
  account_id uuid not null,
  endpoint_id uuid not null,
  position bigint not null,
  replay int not null default 0 check (replay >= 0),
  status text not null check (status in ('pending', 'delivered', 'dead', 'held')),
  tries int not null check (tries >= 0),
  due_at timestamptz,
  -- The horizon runs from here.
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The very bytes of the first try, kept as long as another may follow.
  body bytea,
  primary key (lane, account_id, endpoint_id, position, replay),
  check ((due_at is null) = (status <> 'pending'))
) with (fillfactor = 70);
create index deliveries_due on deliveries (lane, account_id, endpoint_id, due_at, position) where due_at is not null;
-- Both small: what was put aside or given up, and what was asked for again.
create index deliveries_kept on deliveries (lane, account_id, endpoint_id, status) where status in ('held', 'dead');
create index deliveries_replayed on deliveries (lane, account_id, endpoint_id, replay) where replay > 0;
-- every lane: pruning looks at all lanes, by age.
create index deliveries_age on deliveries using brin (created_at);

-- Append-only, kept for 30 days.
create table delivery_attempts (
  lane int not null,
  account_id uuid not null,
  endpoint_id uuid not null,
  position bigint not null,
  replay int not null,
  number int not null check (number > 0),
  at timestamptz not null,
  duration_ms int not null check (duration_ms >= 0),
  outcome text not null check (outcome in ('delivered', 'refused', 'no_answer', 'not_sent')),
  status_code int,
  -- What was wrong, in general words: never an address, nor a word of a refused target.
  fault text,
  response_body text,
  primary key (lane, account_id, endpoint_id, position, replay, number)
);
-- every lane: pruning looks at all lanes, by age.
create index delivery_attempts_age on delivery_attempts using brin (at);
