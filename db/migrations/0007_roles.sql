-- safe
-- Three roles. The owner migrates. The gateway's own logs in and owns nothing: it appends where rows are never changed, and
-- updates only the columns that its statements change, so that a later column which is to change needs its grant. The
-- operators' may do what the gateway may, and append to what only people decide.
-- Roles belong to the whole server: another database's migration may have made them, or be making them.
do $$
begin
  create role gateway_app nologin;
exception
  when duplicate_object or unique_violation then null;
end
$$;
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
grant gateway_app to current_user;
grant usage on schema public to gateway_app;

-- Read by the gateway, written by others.
grant select on lanes, schema_migrations, channel_freezes, account_origins, ledger to gateway_app;
-- Append-only, or changed in the columns below.
grant select, insert on account_modes, accounts, api_keys, wallets, channel_versions, channel_modes, rail_event_positions,
  contracts, contract_versions, jobs, receiver_secrets, payment_events, provider_payment_ids, webhook_endpoints,
  webhook_progress, chain_sends, chain_keys, chain_addresses, chain_cursors, chain_payments, chain_modes to gateway_app;
-- Forgotten when their time is over.
grant select, insert, delete on access_tokens, idempotency_keys, deliveries, delivery_attempts to gateway_app;
grant insert on write_probes to gateway_app;
-- All but what says that money comes from outside.
grant insert (lane, account_id, wallet_id, sequence, position, contract_id, debit, credit, amount_minor,
  available_after_minor, reference, at) on ledger to gateway_app;

grant update (swept_until) on lanes to gateway_app;
grant update (position) on accounts to gateway_app;
grant update (revoked_at, expires_at) on api_keys to gateway_app;
grant update (available_minor, held_minor, in_transit_minor, pending_minor, suspense_minor, sequence) on wallets
  to gateway_app;
-- What a key is answered with moves on with what the rail reports while its caller waits.
grant update (position, reply_sealed) on idempotency_keys to gateway_app;
grant update (status, version, position, currency, amount_minor, held_minor, channel_id, reference_id, expires_at,
  paid_minor, pending_minor, refunded_minor) on contracts to gateway_app;
grant update (channel_id, status, due_at, fence, tries, number, reference, submitted_at, absent_since) on jobs
  to gateway_app;
grant update (read_until) on rail_event_positions to gateway_app;
-- What the provider reported, and when, stays.
grant update (status, contract_id, object_id, attempt, channel_id, currency, amount_minor, suspense_minor, reason, payer,
  due_at, tries) on payment_events to gateway_app;
grant update (secrets_sealed, sealing_key_id, updated_at) on receiver_secrets to gateway_app;
grant update (url, description, events, in_flight_max, status, disabled_because, secrets_sealed, bearer_sealed,
  sealing_key_id, updated_at) on webhook_endpoints to gateway_app;
grant update (position, next_due_at, fence, leased_until, claimed_at, failures, openings, open_until, trusted,
  last_success_at, last_failure_at, failing_since, failed_tries, latency_ms) on webhook_progress to gateway_app;
grant update (status, tries, due_at, updated_at, body) on deliveries to gateway_app;
grant update (next_index) on chain_keys to gateway_app;
grant update (balance_block) on chain_addresses to gateway_app;
grant update (block, block_hash, updated_at) on chain_cursors to gateway_app;
grant update (units, block, block_hash, status, reported_at, updated_at) on chain_payments to gateway_app;
grant update (raws, hashes, gas_max, signed_at, status, mined_block, mined_hash, updated_at) on chain_sends
  to gateway_app;

grant update (owner_name, owner_email, refunds_at_once, returns_at_once, retries, fallback_channels, sites) on accounts
  to gateway_operator;
grant select, insert, delete on account_origins to gateway_operator;
grant insert, delete on channel_freezes to gateway_operator;
grant select, insert on operator_actions, reconciliations, outside_credits to gateway_operator;
grant insert (outside) on ledger to gateway_operator;
