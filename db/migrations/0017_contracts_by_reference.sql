-- safe
-- One reference may be that of very many contracts: with the id behind it a page of them is one range of the index, newest first.
-- The next statement makes it anew, in the same migration, while no gateway is at work.
-- squawk-ignore require-concurrent-index-deletion
drop index contracts_reference;
-- Built while the gateway is down for the migration: writers wait until it is there, and the table is read once.
-- squawk-ignore require-concurrent-index-creation
create index contracts_reference on contracts (lane, account_id, reference_id, id) where reference_id is not null;
