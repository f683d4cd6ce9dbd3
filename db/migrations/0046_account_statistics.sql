-- safe
-- An account is in one lane, but the planner holds the two columns for independent: of a large account in a book of many it expects one
-- row where there are thousands, and takes an index by its first two columns and compares the rest of the key row by row. What it
-- is told here, it keeps with each later analysis. The tables of which an account may have many rows.
create statistics account_events_by_account (dependencies) on lane, account_id from account_events;
create statistics api_keys_by_account (dependencies) on lane, account_id from api_keys;
create statistics approvals_by_account (dependencies) on lane, account_id from approvals;
create statistics audit_entries_by_account (dependencies) on lane, account_id from audit_entries;
create statistics channel_calls_by_account (dependencies) on lane, account_id from channel_calls;
create statistics command_rows_by_account (dependencies) on lane, account_id from command_rows;
create statistics contract_matters_by_account (dependencies) on lane, account_id from contract_matters;
create statistics contract_versions_by_account (dependencies) on lane, account_id from contract_versions;
create statistics contracts_by_account (dependencies) on lane, account_id from contracts;
create statistics deliveries_by_account (dependencies) on lane, account_id from deliveries;
create statistics delivery_attempts_by_account (dependencies) on lane, account_id from delivery_attempts;
create statistics figures_by_account (dependencies) on lane, account_id from figures;
create statistics idempotency_keys_by_account (dependencies) on lane, account_id from idempotency_keys;
create statistics jobs_by_account (dependencies) on lane, account_id from jobs;
create statistics ledger_by_account (dependencies) on lane, account_id from ledger;
create statistics outside_credits_by_account (dependencies) on lane, account_id from outside_credits;
create statistics payment_events_by_account (dependencies) on lane, account_id from payment_events;
create statistics policy_meters_by_account (dependencies) on lane, account_id from policy_meters;
create statistics profile_versions_by_account (dependencies) on lane, account_id from profile_versions;
create statistics profiles_by_account (dependencies) on lane, account_id from profiles;
create statistics search_terms_by_account (dependencies) on lane, account_id from search_terms;
create statistics seals_by_account (dependencies) on lane, account_id from seals;
create statistics verifications_by_account (dependencies) on lane, account_id from verifications;
create statistics verifier_entries_by_account (dependencies) on lane, account_id from verifier_entries;
create statistics wallets_by_account (dependencies) on lane, account_id from wallets;

-- Where there are rows already. An empty table that was analysed would be planned for as one that stays empty; of one that never was, the
-- planner expects that it will not.
do $$
declare
  name text;
  has_rows boolean;
begin
  foreach name in array array[
    'account_events', 'api_keys', 'approvals', 'audit_entries', 'channel_calls', 'command_rows', 'contract_matters',
    'contract_versions', 'contracts', 'deliveries', 'delivery_attempts', 'figures', 'idempotency_keys', 'jobs',
    'ledger', 'outside_credits', 'payment_events', 'policy_meters', 'profile_versions', 'profiles', 'search_terms',
    'seals', 'verifications', 'verifier_entries', 'wallets'
  ] loop
    execute format('select exists (select 1 from %I)', name) into has_rows;
    if has_rows then
      execute format('analyze %I (lane, account_id)', name);
    end if;
  end loop;
end
$$;
