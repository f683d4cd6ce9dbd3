-- safe
-- What stops payouts by word of a person, for one channel or for all of them: nothing new is sent, and all else goes on.

create table payout_pauses (
  -- The channel; * for all of them.
  channel_id text primary key check (btrim(channel_id) <> ''),
  operator text not null check (btrim(operator) <> ''),
  evidence text not null,
  since timestamptz not null default now()
);
-- The gateway may stop payouts (it may be started so); only operators let them go on.
grant select, insert on payout_pauses to gateway_app;
grant select, insert, delete on payout_pauses to gateway_operator;
