-- safe
-- What has left by keys that have a mandate.

-- By the key that the mandate was given to: those that it was rolled into spend from the same totals. Written by the commit that
-- moves the money, under the lock of the account.
create table mandate_spending (
  lane int not null,
  account_id uuid not null,
  key_id text not null,
  currency text not null,
  spent_minor numeric not null check (spent_minor > 0),
  count bigint not null check (count > 0),
  primary key (lane, account_id, key_id, currency)
) with (fillfactor = 50);
grant select, insert on mandate_spending to gateway_app;
grant update (spent_minor, count) on mandate_spending to gateway_app;
