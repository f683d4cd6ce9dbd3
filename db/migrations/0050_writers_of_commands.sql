-- safe
-- A command of a member acts for the member, whichever session they gave it by; and who wrote its rows is kept, for they approve nothing
-- of what it makes when it acts for somebody else. A gateway of the release before works on it as on the run of a member's schedule, and
-- leaves the writers as they are. Without any, it was written by whoever it acts for.
alter table commands
  add column writers text[] not null default '{}',
  drop constraint commands_maker,
  -- One row for thousands of contracts: it is read in no time.
  -- squawk-ignore constraint-missing-not-valid
  add constraint commands_maker check (key_id is not null or member_id is not null);
grant update (writers) on commands to gateway_app;
