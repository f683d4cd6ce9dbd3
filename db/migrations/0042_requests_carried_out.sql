-- safe
-- What a request with an idempotency key has made, noted in the transaction that makes it: a request whose process died before its
-- reply was kept is not carried out twice. claim and claimed_at say which try has the key, and since when: the first, or one that went
-- on. An older release leaves all three empty, and gives its claims up after a minute.
alter table idempotency_keys add column carried_out text, add column claim text, add column claimed_at timestamptz;
grant update (carried_out, claim, claimed_at) on idempotency_keys to gateway_app;
