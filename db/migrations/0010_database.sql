-- breaking
-- Two roles that log in and own nothing: the gateway's, and the operators', who may do what the gateway may and append to
-- what only people decide. A column that no statement changes cannot be changed: a later column that is needs its grant.
-- Roles belong to the whole server: another database's migration may have made them, or be making them.
do $$
begin
  if not exists (select from pg_roles where rolname = 'gateway_operator') then
    create role gateway_operator nologin;
  end if;
exception
  when duplicate_object or unique_violation then null;
end
$$;
do $$
begin
  if (select rolinherit from pg_roles where rolname = 'gateway_app') then
    alter role gateway_app noinherit;
  end if;
  if not pg_has_role('gateway_operator', 'gateway_app', 'member') then
    grant gateway_app to gateway_operator;
  end if;
exception
  -- Another migration changed the same row of the server's catalogue at this moment, to the same.
  when internal_error or duplicate_object or unique_violation then null;
end
$$;

-- What people decide: accounts' settings, channels that stand still, and the records of it.
revoke insert, select on operator_actions from gateway_app;
revoke insert, select on reconciliations from gateway_app;
revoke insert, delete on channel_freezes from gateway_app;
grant select, insert on operator_actions, reconciliations to gateway_operator;
grant insert, delete on channel_freezes to gateway_operator;

revoke update on lanes, accounts, api_keys, wallets, contracts, attempts, channel_news, webhook_endpoints,
  webhook_progress, deliveries, payment_events, payment_jobs, receiver_secrets, chain_keys, chain_addresses,
  chain_cursors, chain_payments, chain_sends from gateway_app;
grant update (swept_until) on lanes to gateway_app;
grant update (position) on accounts to gateway_app;
grant update (refunds_at_once, retries, fallback_channels, returns_at_once) on accounts to gateway_operator;
grant update (revoked_at, expires_at) on api_keys to gateway_app;
grant update (available_minor, held_minor, in_transit_minor, pending_minor, suspense_minor, sequence) on wallets
  to gateway_app;
grant update (status, version, position, currency, amount_minor, held_minor, channel_id, reference_id, expires_at,
  paid_minor, pending_minor, refunded_minor) on contracts to gateway_app;
grant update (number, channel_id, reference, status, due_at, fence, tries, submitted_at, absent_since) on attempts
  to gateway_app;
grant update (read_until) on channel_news to gateway_app;
grant update (url, description, events, in_flight_max, status, disabled_because, secrets_sealed, bearer_sealed,
  sealing_key_id, updated_at) on webhook_endpoints to gateway_app;
grant update (position, next_due_at, fence, leased_until, claimed_at, failures, openings, open_until, trusted,
  last_success_at, last_failure_at, failing_since, failed_tries, latency_ms) on webhook_progress to gateway_app;
grant update (status, tries, due_at, updated_at, body) on deliveries to gateway_app;
-- What the provider said, and when, stays.
grant update (status, contract_id, object_id, attempt, channel_id, currency, amount_minor, suspense_minor, reason, payer,
  due_at, tries) on payment_events to gateway_app;
grant update (channel_id, due_at, fence, tries) on payment_jobs to gateway_app;
grant update (secrets_sealed, sealing_key_id, updated_at) on receiver_secrets to gateway_app;
grant update (next_index) on chain_keys to gateway_app;
grant update (balance_block) on chain_addresses to gateway_app;
grant update (block, block_hash, updated_at) on chain_cursors to gateway_app;
grant update (units, block, block_hash, status, told_at, updated_at) on chain_payments to gateway_app;
grant update (raws, hashes, gas_max, signed_at, status, mined_block, mined_hash, updated_at) on chain_sends
  to gateway_app;

-- Written and rolled back by whoever asks whether the database can be written; it never holds a row that counts. Stored
-- as it is, a row needs a page of its own, and what is rolled back is cleaned up often.
create table write_probes (filler text not null)
  with (autovacuum_vacuum_threshold = 20, autovacuum_vacuum_scale_factor = 0);
alter table write_probes alter column filler set storage plain;
grant insert on write_probes to gateway_app;
