-- safe
-- What is due is looked for lane by lane, all kinds of work in one statement: each look is a step down an index that begins with the
-- lane, and ends at the first row. On a distributed engine that is one task a shard. Each index is made by reading its table once, and
-- whoever writes there waits meanwhile: about a second for a million rows.

-- Only what is due is in it.
-- squawk-ignore require-concurrent-index-creation
create index jobs_due_in_lane on jobs (lane, kind, due_at) where due_at is not null;
-- What it was for is in that one too.
-- squawk-ignore require-concurrent-index-deletion
drop index jobs_due_collections;

-- The few events that wait for their contract.
-- squawk-ignore require-concurrent-index-creation
create index payment_events_due_in_lane on payment_events (lane, due_at) where due_at is not null;
-- The same rows, without the lane.
-- squawk-ignore require-concurrent-index-deletion
drop index payment_events_due;

-- Verifications under way.
-- squawk-ignore require-concurrent-index-creation
create index verifications_due_in_lane on verifications (lane, due_at) where due_at is not null;
-- The same rows, without the lane.
-- squawk-ignore require-concurrent-index-deletion
drop index verifications_due;
