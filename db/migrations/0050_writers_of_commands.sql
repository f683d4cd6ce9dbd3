-- safe
-- Who wrote the rows of a command is kept, for they approve nothing of what it makes when it acts for somebody else. A gateway of the
-- release before leaves the writers as they are. Without any, it was written by whoever it acts for.
alter table commands add column writers text[] not null default '{}';
grant update (writers) on commands to gateway_app;
