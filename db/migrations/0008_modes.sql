-- breaking
-- Test and live are two worlds: whatever belongs to an account has its mode, and a channel has one for as long as the
-- database lives (docs/adr/0019-modes.md). Rows that were written before are of their account's mode.

-- The mode of each account, for good: what the mode of its belongings refers to. Apart from the account's own row, which is
-- written all the time, and whose look-ups are to find exactly one index (docs/performance.md).
create table account_modes (
  lane int not null,
  account_id uuid not null,
  livemode boolean not null,
  primary key (lane, account_id, livemode),
  unique (lane, account_id)
);
insert into account_modes (lane, account_id, livemode) select a.lane, a.account_id, a.livemode from accounts a;
alter table accounts add constraint accounts_mode
  foreign key (lane, account_id, livemode) references account_modes (lane, account_id, livemode) not valid;
-- There are few rows: they are looked at before the new release serves.
-- squawk-ignore constraint-missing-not-valid
alter table accounts validate constraint accounts_mode;

alter table api_keys add column livemode boolean not null default false;
alter table wallets add column livemode boolean not null default false;
alter table webhook_endpoints add column livemode boolean not null default false;
alter table attempts add column livemode boolean not null default false;
update api_keys k set livemode = true
  from accounts a where a.lane = k.lane and a.account_id = k.account_id and a.livemode;
update wallets w set livemode = true
  from accounts a where a.lane = w.lane and a.account_id = w.account_id and a.livemode;
update webhook_endpoints e set livemode = true
  from accounts a where a.lane = e.lane and a.account_id = e.account_id and a.livemode;
update attempts t set livemode = true
  from accounts a where a.lane = t.lane and a.account_id = t.account_id and a.livemode;

alter table api_keys add constraint api_keys_mode
  foreign key (lane, account_id, livemode) references account_modes (lane, account_id, livemode) not valid;
-- There are few rows: they are looked at before the new release serves.
-- squawk-ignore constraint-missing-not-valid
alter table api_keys validate constraint api_keys_mode;
alter table wallets add constraint wallets_mode
  foreign key (lane, account_id, livemode) references account_modes (lane, account_id, livemode) not valid;
-- There are few rows: they are looked at before the new release serves.
-- squawk-ignore constraint-missing-not-valid
alter table wallets validate constraint wallets_mode;
alter table webhook_endpoints add constraint webhook_endpoints_mode
  foreign key (lane, account_id, livemode) references account_modes (lane, account_id, livemode) not valid;
-- There are few rows: they are looked at before the new release serves.
-- squawk-ignore constraint-missing-not-valid
alter table webhook_endpoints validate constraint webhook_endpoints_mode;

-- Which contracts a channel takes, written when a gateway first offers it and never changed. Small and shared.
create table channel_modes (
  channel_id text not null,
  livemode boolean not null,
  -- The channel between wallets of this gateway, which takes both, each among its own.
  internal boolean not null default false,
  since timestamptz not null default now(),
  primary key (channel_id, livemode)
);
create unique index channel_modes_one on channel_modes (channel_id) where not internal;
-- What moved test money alone so far is a test channel for good; of all others the next start says it.
insert into channel_modes (channel_id, livemode)
select t.channel_id, false from attempts t where t.channel_id <> 'wallet' group by t.channel_id having not bool_or(t.livemode);

-- every lane: channels are shared by all. Not valid: before there were modes, one channel could take both.
alter table attempts add constraint attempts_channel_mode
  foreign key (channel_id, livemode) references channel_modes (channel_id, livemode) not valid;

-- The channel that the newest attempt of a payment contract goes by.
alter table payment_jobs add column channel_id text;
alter table payment_jobs add column livemode boolean not null default false;
-- every lane: channels are shared by all.
alter table payment_jobs add constraint payment_jobs_channel_mode
  foreign key (channel_id, livemode) references channel_modes (channel_id, livemode) not valid;
-- There are few rows: they are looked at before the new release serves.
-- squawk-ignore constraint-missing-not-valid
alter table payment_jobs validate constraint payment_jobs_channel_mode;

-- Chains and their keys are of one mode, too: whatever the gateway signs with, derives addresses from, or looks at.
create table chain_modes (
  -- "network eip155:1", "sender 0x…" in lower case, or "receiver" and the digest of an extended public key.
  name text primary key check (name ~ '^(network eip155:[1-9][0-9]*|sender 0x[0-9a-f]{40}|receiver [0-9a-f]{16})$'),
  livemode boolean not null,
  since timestamptz not null default now()
);

grant select, insert on account_modes, channel_modes, chain_modes to gateway_app;
