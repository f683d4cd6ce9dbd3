-- safe
-- In whose place a key stands (docs/adr/0102). Empty where it is a key of its own: as keys are from before there was this, and those that
-- an older release makes meanwhile.

-- The key that it was first rolled from; null for one that was rolled from none. Keys are never deleted, so that this always names one.
alter table api_keys add column origin_key_id text;
-- The first keys of those that made it, one by the other; null where a person or an operator did.
alter table api_keys add column made_by_keys text[];
-- Under which key what leaves by its mandates is counted, whether it has one now or not; null for its origin. An older release neither
-- reads nor writes it.
alter table api_keys add column mandate_key_id text;
grant update (mandate_key_id) on api_keys to gateway_app;
