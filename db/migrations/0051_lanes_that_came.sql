-- safe
-- Which move has brought a lane to the server that has it: the moment in which that move began, by home's clock. It is in the server's
-- own row of the lane, so that a server which came back from before the move is known by it. Null where no move brought it, or one of a
-- release before this.
alter table lanes add column came_at timestamptz;

-- The same at home, of each move that has ended and was noted there; a move that a release before this has ended says nothing.
alter table lane_moves add column came_at timestamptz;
grant update (came_at) on lane_moves to gateway_operator;
