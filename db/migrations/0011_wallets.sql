-- safe
-- Several wallets a currency, one of them the default; what each came to after every row of the ledger; made-up money for
-- test wallets.

alter table wallets add column label text constraint wallets_label check (char_length(label) <= 80);
-- Where money goes and comes from that names no wallet. There was one wallet a currency so far.
alter table wallets add column is_default boolean not null default true;
alter table wallets add column status text not null default 'open' constraint wallets_status check (status in ('open', 'closed'));
-- Below this the account is told, once until the balance has been there again; null where nobody wants to know.
alter table wallets add column low_minor bigint constraint wallets_low check (low_minor > 0);
alter table wallets add column is_low boolean not null default false;
alter table wallets add column metadata json not null default '{}';
-- An account has a handful of wallets: the table is read in a moment.
-- squawk-ignore constraint-missing-not-valid
alter table wallets add constraint wallets_default_open check (status = 'open' or not is_default);
-- For the same reason.
-- squawk-ignore require-concurrent-index-creation
create unique index wallets_default on wallets (lane, account_id, currency) where is_default;
alter table wallets drop constraint wallets_lane_account_id_currency_key;
grant update (label, is_default, status, low_minor, is_low, metadata) on wallets to gateway_app;

-- The other balances after the row, so that the state of a wallet at any moment is one row; null in rows of before.
alter table ledger add column held_after_minor bigint;
alter table ledger add column in_transit_after_minor bigint;
alter table ledger add column pending_after_minor bigint;
alter table ledger add column suspense_after_minor bigint;
grant insert (held_after_minor, in_transit_after_minor, pending_after_minor, suspense_after_minor) on ledger to gateway_app;

-- Which wallet the money of an event is in: an account's default may be another one by the time that it goes back.
alter table payment_events add column wallet_id uuid;
update payment_events e set wallet_id = w.id
  from wallets w
 where w.lane = e.lane and w.account_id = e.account_id and w.currency = e.currency and e.suspense_minor > 0;
grant update (wallet_id) on payment_events to gateway_app;

-- Made-up money comes into a wallet: its row of the ledger, and what stands behind it. The gateway's own login may run this and
-- may not write either by itself, and the key to account_modes refuses every account that is not a test one
-- (docs/adr/0031-wallets.md). Runs as the owner of the tables, which it is
-- bound to when it is made.
create function top_up_test_wallet(
  lane int, account_id uuid, wallet_id uuid, sequence bigint, reference text, amount_minor bigint, available_after_minor bigint,
  held_after_minor bigint, in_transit_after_minor bigint, pending_after_minor bigint, suspense_after_minor bigint,
  at timestamptz
) returns void language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  insert into outside_credits (lane, account_id, wallet_id, sequence, reference, amount_minor, debit, livemode)
  values ($1, $2, $3, $4, $5, $6, 'external', false);
  insert into ledger (lane, account_id, wallet_id, sequence, debit, credit, amount_minor, available_after_minor,
    held_after_minor, in_transit_after_minor, pending_after_minor, suspense_after_minor, reference, outside, at)
  values ($1, $2, $3, $4, 'external', 'available', $6, $7, $8, $9, $10, $11, $5, $4, $12);
end;
revoke execute on function top_up_test_wallet from public;
grant execute on function top_up_test_wallet to gateway_app;
