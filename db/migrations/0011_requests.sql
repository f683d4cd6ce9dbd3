-- safe
-- What was answered to a keyed request that is about no contract, sealed: it may hold a secret that is shown once. And the
-- origins whose pages may call with a token of the account; apart from the account's row, which is written all the time.
alter table idempotency_keys add column reply_sealed text;
grant update (reply_sealed) on idempotency_keys to gateway_app;

create table account_origins (
  lane int not null,
  account_id uuid not null,
  origin text not null,
  primary key (lane, account_id, origin),
  foreign key (lane, account_id) references accounts (lane, account_id)
);
grant select on account_origins to gateway_app;
grant select, insert, delete on account_origins to gateway_operator;
