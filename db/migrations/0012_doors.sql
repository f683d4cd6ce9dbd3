-- safe
-- The channels that a receiver key tells of: what it says of a payment by another one is not acted on. Null for all of its
-- mode, as it is for keys of before.
alter table receiver_secrets add column channels text[];

-- The same of an event, with commas between them, for as long as it waits for its contract.
alter table payment_events add column told_of text;

-- Where payers of the account may be sent to; null for any site.
alter table accounts add column sites text[];
grant update (sites) on accounts to gateway_operator;
