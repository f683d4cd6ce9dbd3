-- safe
-- Keys that do less than their account may, what an account says of itself, and what is used each day.

-- Where a key may be used from, in CIDR notation (null: anywhere), what may leave at a time by it (null: any amount), and whose
-- session it is: a member's row acts with the member's role, and is no key that anybody was given.
alter table api_keys add column member_id uuid;
alter table api_keys add column addresses text[];
alter table api_keys add column transfer_max json;
-- Written once a day at most, and off the path of requests.
alter table api_keys add column last_used_on date;
alter table api_keys set (fillfactor = 80);
grant update (name, addresses, transfer_max, last_used_on) on api_keys to gateway_app;

alter table accounts add column time_zone text not null default 'UTC';
alter table accounts add column default_currency text constraint accounts_default_currency check (default_currency ~ '^[A-Z]{3}$');
-- How long contracts can be paid that do not say it themselves; null for the gateway's own defaults.
alter table accounts add column transfer_expiry_seconds int constraint accounts_transfer_expiry check (transfer_expiry_seconds > 0);
alter table accounts add column payment_expiry_seconds int constraint accounts_payment_expiry check (payment_expiry_seconds > 0);
grant update (name, time_zone, default_currency, refunds_at_once, returns_at_once, retries, fallback_channels, sites,
  transfer_expiry_seconds, payment_expiry_seconds) on accounts to gateway_app;
grant insert, delete on account_origins to gateway_app;

-- What an account used, by day in UTC, counted by what writes it and never by scanning. Contracts by their currency.
create table usage_contracts (
  lane int not null,
  account_id uuid not null,
  day date not null,
  currency text not null,
  transfers_created bigint not null,
  transfers_completed bigint not null,
  transfers_failed bigint not null,
  payments_created bigint not null,
  payments_paid bigint not null,
  out_minor numeric not null,
  in_minor numeric not null,
  primary key (lane, account_id, day, currency)
) with (fillfactor = 50);
create table usage_deliveries (
  lane int not null,
  account_id uuid not null,
  day date not null,
  delivered bigint not null,
  failed bigint not null,
  primary key (lane, account_id, day)
) with (fillfactor = 50);
grant select, insert on usage_contracts, usage_deliveries to gateway_app;
grant update (transfers_created, transfers_completed, transfers_failed, payments_created, payments_paid, out_minor, in_minor)
  on usage_contracts to gateway_app;
grant update (delivered, failed) on usage_deliveries to gateway_app;
