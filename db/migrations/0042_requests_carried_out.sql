-- safe
-- What a request with an idempotency key has made, noted in the transaction that makes it: a request whose process died before its
-- reply was kept is not carried out twice. A release from before notes nothing here, and gives such a claim up after a minute.
alter table idempotency_keys add column carried_out text;
grant update (carried_out, created_at) on idempotency_keys to gateway_app;
