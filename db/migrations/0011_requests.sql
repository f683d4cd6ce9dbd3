-- safe
-- What was answered to a keyed request that is about no contract, sealed: it may hold a secret that is shown once. And the
-- origins whose pages may call with a token of the account.
alter table idempotency_keys add column reply_sealed text;
grant update (reply_sealed) on idempotency_keys to gateway_app;

-- Null for none: the row of an account is written all the time.
alter table accounts add column cors_origins text[];
