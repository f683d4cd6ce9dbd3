-- safe
-- The servers beside home that a process cannot work with, by their names: its share of their lanes goes to processes that can. One of the
-- release before says none and shares by the processes alone: a lane may have two owners then, which leases and fences are there for, or
-- none but the one that does not reach it, which is how it was.
alter table processes add column unreached text[] not null default '{}';
grant update (unreached) on processes to gateway_app;
