-- safe
-- What people did by hand, with the proof of it, and what they compared.

-- What people did to the books by hand: append-only.
create table operator_actions (
  id uuid primary key,
  at timestamptz not null default now(),
  operator text not null,
  action text not null,
  target text not null,
  evidence text not null,
  -- Nobody approves what they do themselves.
  approved_by text,
  constraint operator_actions_two_names check (approved_by is null or lower(btrim(approved_by)) <> lower(btrim(operator))),
  constraint operator_actions_kind unique (id, action)
);

-- Money that comes into a wallet from outside of any contract: made up for a test wallet, and for a live one from a clearing
-- account, by two people. Operators alone may write such a row of the ledger, with what stands behind it here: a grant, and
-- no foreign key, which every other row of the ledger would be looked at for (docs/adr/0020-trial-or-production.md).
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

-- Provider statements that were compared with our payouts, line by line.
create table reconciliations (
  id uuid primary key,
  channel_id text not null,
  day date not null,
  at timestamptz not null default now(),
  matched int not null,
  findings json not null
);

-- Written and rolled back by whoever asks whether the database can be written; it never holds a row that counts. Stored
-- as it is, a row needs a page of its own, and what is rolled back is cleaned up often.
create table write_probes (filler text not null)
  with (autovacuum_vacuum_threshold = 20, autovacuum_vacuum_scale_factor = 0);
alter table write_probes alter column filler set storage plain;
