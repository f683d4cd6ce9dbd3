-- safe
-- What was made after a restore is never taken for what was made before it (docs/adr/0064).

-- How far each account's history had come when an epoch began: what stands behind that position is of that epoch, or of a later
-- one. Of the first epoch there are no rows, nor of accounts that are younger than it. Append-only.
create table epoch_positions (
  lane int not null,
  account_id uuid not null,
  epoch int not null check (epoch > 1),
  position bigint not null check (position >= 0),
  primary key (lane, account_id, epoch)
);
grant select, insert on epoch_positions to gateway_app;
grant select, insert on epoch_positions to gateway_operator;

-- Orders that a provider knew and the books did not, as a recovery found and adopted them.
create table adopted_orders (
  lane int not null,
  account_id uuid not null,
  contract_id uuid not null,
  reference text not null,
  epoch int not null check (epoch > 1),
  channel_id text not null,
  amount_minor bigint not null,
  currency text not null,
  found_at timestamptz not null default now(),
  primary key (lane, account_id, contract_id, reference)
);
-- By the digest of the key that the contract was requested under, as its id carries it (src/domain/contract/ids.ts).
create index adopted_orders_by_key on adopted_orders
  (lane, account_id, (substr(contract_id::text, 21, 3) || substr(contract_id::text, 29, 8)));
grant select, insert on adopted_orders to gateway_app;
grant select, insert on adopted_orders to gateway_operator;

-- With the epoch of each step, which the ids of its events carry.
create or replace view account_history as
  select v.lane, v.account_id, v.position, true as is_contract, v.contract_id, v.version, v.sequence, v.event, v.at,
         v.document, null::text as subject,
         (select max(p.epoch) from epoch_positions p
           where p.lane = v.lane and p.account_id = v.account_id and p.position < v.position) as epoch
    from contract_versions v
  union all
  select e.lane, e.account_id, e.position, false, e.id, 1, 1, e.type, e.at, e.object, e.subject,
         (select max(p.epoch) from epoch_positions p
           where p.lane = e.lane and p.account_id = e.account_id and p.position < e.position)
    from account_events e;
