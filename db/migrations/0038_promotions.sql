-- safe
-- The words of gateways about a server that took over: each that was at work says that what it knows of is there, and where the copy
-- of the log ended. One that finds something missing begins an epoch instead.
create table promotions (
  timeline int not null check (timeline > 1),
  gateway text not null,
  -- Bytes of the log, as in the marks.
  replayed_to numeric(20) not null,
  said_at timestamptz not null default now(),
  primary key (timeline, gateway)
);
grant select, insert on promotions to gateway_app;
grant select on promotions to gateway_operator;
