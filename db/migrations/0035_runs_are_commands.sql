-- safe
-- The run of a schedule is a command: whose run a command is, which acts as a member where no key made the schedule; and the command
-- of each run. Runs that were begun before have none, and are leased and carried out as they were.

alter table commands
  add column schedule_id uuid,
  add column schedule_run int,
  -- A gateway of the release before takes a command without a key for one whose key has ended: it stops it, and pays nothing.
  -- squawk-ignore ban-drop-not-null
  alter column key_id drop not null,
  -- One row for thousands of contracts: it is read in no time.
  -- squawk-ignore constraint-missing-not-valid
  add constraint commands_maker check (key_id is not null or (member_id is not null and schedule_id is not null)),
  -- The same.
  -- squawk-ignore constraint-missing-not-valid
  add constraint commands_schedule check ((schedule_id is null) = (schedule_run is null));

alter table schedule_runs
  add column command_id uuid,
  drop constraint schedule_runs_leased,
  -- One row for each run that there ever was: it is read in no time.
  -- squawk-ignore constraint-missing-not-valid
  add constraint schedule_runs_leased
    check ((status = 'running' and command_id is null) = (leased_until is not null));
