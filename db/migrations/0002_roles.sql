-- safe
-- The role that the gateway works as: it appends to history and ledger and can change neither. Migrations run as the owner.
do $$
begin
  create role gateway_app nologin;
exception
  -- Roles belong to the whole server: another database's migration may have made it, or be making it.
  when duplicate_object or unique_violation then null;
end
$$;
grant gateway_app to current_user;
grant usage on schema public to gateway_app;
grant select on lanes, channel_versions, accounts, api_keys, access_tokens, wallets, contracts, history, ledger, attempts,
  idempotency_keys, channel_news, schema_migrations to gateway_app;
grant insert on channel_versions, accounts, api_keys, access_tokens, wallets, contracts, history, ledger, attempts,
  idempotency_keys, channel_news to gateway_app;
grant update on lanes, accounts, api_keys, wallets, contracts, attempts, channel_news to gateway_app;
grant delete on access_tokens, idempotency_keys to gateway_app;
