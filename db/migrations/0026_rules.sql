-- safe
-- Policies made whole (docs/adr/0051, 0062): what active policies look at stands with the account, so that nothing else is
-- looked for; and counts whose windows have rolled by are deleted.

-- What the account's active policies look at; null where it has none, and of policies from before this was kept: then all is.
alter table accounts add column policies_look_at json;
grant update (policies_look_at) on accounts to gateway_app;

-- When nothing of it is in any window any more; null for counts that are kept for ever, and until a payment is counted anew.
alter table policy_meters add column rolled_by_at timestamptz;
grant update (rolled_by_at) on policy_meters to gateway_app;
grant delete on policy_meters to gateway_app;
-- The column is new and empty: there is nothing to index yet.
-- squawk-ignore require-concurrent-index-creation
create index policy_meters_rolled_by on policy_meters (lane, rolled_by_at) where rolled_by_at is not null;
