-- breaking
-- Money that comes into a wallet from outside of any contract: made up for a test wallet, and for a live one from a clearing
-- account, by two people. Operators alone may write such a row of the ledger, with what stands behind it here: a grant, and
-- no foreign key, which every other row of the ledger would be looked at for (docs/adr/0020-trial-or-production.md).
alter table operator_actions add column approved_by text;
-- Nobody approves what they do themselves. Records of before had nobody.
alter table operator_actions add constraint operator_actions_two_names
  check (approved_by is null or lower(btrim(approved_by)) <> lower(btrim(operator))) not valid;
-- A small table, written by people.
-- squawk-ignore disallowed-unique-constraint, constraint-missing-not-valid
alter table operator_actions add constraint operator_actions_kind unique (id, action);

create table outside_credits (
  lane int not null,
  account_id uuid not null,
  wallet_id uuid not null,
  -- The number of the ledger's row.
  sequence bigint not null,
  reference text not null,
  amount_minor bigint not null check (amount_minor > 0),
  debit text not null,
  livemode boolean not null,
  -- Who did it, for whom, and why.
  action_id uuid,
  action text check (action = 'fund wallet'),
  primary key (lane, account_id, wallet_id, sequence),
  unique (action_id),
  -- Everything that the ledger's row says, so that one row here stands for one row there.
  unique (lane, account_id, wallet_id, sequence, reference, amount_minor, debit),
  foreign key (lane, account_id, livemode) references account_modes (lane, account_id, livemode),
  -- every lane: records of operators are shared by all.
  foreign key (action_id, action) references operator_actions (id, action),
  check (case when livemode then debit ~ '^clearing:.' and debit <> 'clearing:wallet' and action_id is not null and action is not null
              else debit = 'external' and action_id is null end)
);

-- The row's own number, where money comes in from outside with it.
alter table ledger add column outside bigint;
-- Not valid, for good: what was credited before has no such row, and verify names each of them that is live.
alter table ledger add constraint ledger_outside_known
  check (coalesce(outside = sequence, (position is not null and contract_id is not null) or debit = 'clearing:wallet')) not valid;
-- Who owns an account, until it has members: whom to turn to.
alter table accounts add column owner_name text;
alter table accounts add column owner_email text;
alter table accounts add constraint accounts_owner check ((owner_name is null) = (owner_email is null)) not valid;

-- The operators' role, which the next migration has more to say about: roles belong to the whole server.
do $$
begin
  if not exists (select from pg_roles where rolname = 'gateway_operator') then
    create role gateway_operator nologin;
  end if;
exception
  when duplicate_object or unique_violation then null;
end
$$;
grant update (owner_name, owner_email) on accounts to gateway_operator;
grant select, insert on outside_credits to gateway_operator;
-- All but what says that money comes from outside.
revoke insert on ledger from gateway_app;
grant insert (lane, account_id, wallet_id, sequence, position, contract_id, debit, credit, amount_minor,
  available_after_minor, reference, at) on ledger to gateway_app;
grant insert (outside) on ledger to gateway_operator;
