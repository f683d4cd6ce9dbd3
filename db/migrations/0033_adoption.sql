-- safe
-- What a recovery read of the rails, channel by channel, and each order that the books did not have as the provider has it.

create table recovery_channels (
  epoch int not null references epochs (number),
  channel_id text not null,
  -- complete: all that the provider lists was read. unlisted: it has no list. failed: not this time.
  state text not null check (state in ('complete', 'unlisted', 'failed')),
  read_from timestamptz not null,
  read_until timestamptz not null,
  -- Orders that the books have as the provider has them.
  matched int not null check (matched >= 0),
  words text not null,
  compared_by text not null,
  primary key (epoch, channel_id)
);
grant select on recovery_channels to gateway_app;
grant select, insert, delete on recovery_channels to gateway_operator;

create table recovery_lines (
  epoch int not null references epochs (number),
  channel_id text not null,
  reference text not null,
  contract_id uuid,
  kind text not null check (kind in ('settled', 'adopted', 'in_review', 'lacking', 'differs', 'extra', 'open')),
  amount_minor bigint check (amount_minor >= 0),
  currency text,
  words text not null,
  at timestamptz not null,
  primary key (epoch, channel_id, reference)
);
grant select on recovery_lines to gateway_app;
-- What is still open is written anew by each comparison.
grant select, insert, delete on recovery_lines to gateway_operator;
