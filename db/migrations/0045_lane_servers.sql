-- safe
-- Which server has a lane, where lanes are spread over several. At home, the server that has what is no tenant's: a lane that is
-- not named here is there, too.
create table lane_servers (
  server text not null check (server ~ '^[a-z][a-z0-9-]{0,31}$'),
  lane int primary key check (lane between 0 and 255),
  since timestamptz not null default now()
);
grant select on lane_servers to gateway_app;
grant select, insert, update (server, since) on lane_servers to gateway_operator;

-- Moves of lanes from one server to another, at home. `copying`: its rows are copied, and followed while they are worked on.
-- `held`: until that moment gateways send nothing to the lane, and say so (processes). `decided`: the lane is taken from its
-- server at this moment, or was; where it is now its rows say. `undoing`: it stays where it was, and what was copied is removed. Then
-- `moved`, or `given_up` with all of it where it was.
create table lane_moves (
  id uuid primary key,
  lane int not null check (lane between 0 and 255),
  from_server text not null,
  to_server text not null,
  state text not null check (state in ('copying', 'held', 'decided', 'undoing', 'moved', 'given_up')),
  held_until timestamptz,
  began_at timestamptz not null default now(),
  ended_at timestamptz,
  check ((ended_at is null) = (state in ('copying', 'held', 'decided', 'undoing')))
);
-- One at a time.
create unique index lane_moves_open on lane_moves ((true)) where ended_at is null;
grant select on lane_moves to gateway_app;
grant select, insert, update (state, held_until, ended_at) on lane_moves to gateway_operator;

-- The move for which a process sends nothing to a lane.
alter table processes add column holds uuid;
grant update (holds) on processes to gateway_app;

-- Which of the servers this database is: home where nothing is said. So a mistaken address is found out before anything is written.
alter table installation add column server text;
