-- safe
-- What was exchanged with a channel in calls that ended in no definite success, without headers and with account numbers cut
-- (docs/adr/0048-what-a-channel-said-is-kept.md). The newest calls of an attempt, each in a place of its own; forgotten after 30 days.
create table channel_calls (
  lane int not null,
  account_id uuid not null,
  contract_id uuid not null,
  attempt int not null check (attempt > 0),
  slot int not null check (slot >= 0),
  fence int not null,
  at timestamptz not null,
  outcome text not null,
  exchanges json not null,
  primary key (lane, account_id, contract_id, attempt, slot)
);
-- every lane: pruning looks at all lanes, by age.
create index channel_calls_age on channel_calls using brin (at);
grant select, insert, delete on channel_calls to gateway_app;
grant update (fence, at, outcome, exchanges) on channel_calls to gateway_app;
