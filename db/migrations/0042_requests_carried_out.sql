-- safe
-- What a request with an idempotency key has made, noted in the transaction that makes it: a request whose process died before its
-- reply was kept is not carried out twice. claimed_at is when the key was claimed, by the first try or by one that went on; an older
-- release leaves both empty, and gives its claims up after a minute.
alter table idempotency_keys add column carried_out text, add column claimed_at timestamptz;
grant update (carried_out, claimed_at) on idempotency_keys to gateway_app;
