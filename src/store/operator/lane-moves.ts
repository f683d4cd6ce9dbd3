// Moves of lanes from one server to another, as they are noted at home: gateways and whoever moves a lane speak through them.
import { exact } from '../../platform/columns.ts'
import type { Row, Statement } from '../../platform/db.ts'
import { LIVES } from './processes.ts'

export type LaneMove = {
  readonly id: string
  readonly lane: number
  readonly from: string
  readonly to: string
  /** By home's clock, exactly. */
  readonly beganAt: string
  /** The newest epoch of before. */
  readonly epoch: number
  readonly state: 'copying' | 'held' | 'decided' | 'undoing'
  /** Whether nothing may be sent to the lane at this moment. */
  readonly isHeld: boolean
}

/** The move that goes on; there is one at most. */
export function openMove(): Statement {
  return {
    name: 'open_lane_move',
    text: `select m.id, m.lane, m.from_server, m.to_server, m.state, ${exact('m.began_at')} as began_at,
                  (select coalesce(max(e.number), 1) from epochs e where e.began_at < m.began_at) as epoch,
                  m.state = 'decided' or (m.state = 'held' and m.held_until > now()) as is_held
             from lane_moves m where m.ended_at is null`,
    values: [],
  }
}

export const laneMoveFrom = (row: Row): LaneMove => ({
  id: row['id'] as string,
  lane: row['lane'] as number,
  from: row['from_server'] as string,
  to: row['to_server'] as string,
  beganAt: row['began_at'] as string,
  epoch: row['epoch'] as number,
  state: row['state'] as LaneMove['state'],
  isHeld: row['is_held'] as boolean,
})

/** Begins one. The database refuses a second (SQLSTATE 23505). */
export function beginMove(id: string, lane: number, from: string, to: string): Statement {
  return {
    name: 'begin_lane_move',
    text: `insert into lane_moves (id, lane, from_server, to_server, state) values ($1, $2, $3, $4, 'copying')`,
    values: [id, lane, from, to],
  }
}

/** From now on, and for so long, nothing may be sent to the lane. */
export function holdLane(id: string, heldMs: number): Statement {
  return {
    name: 'hold_moving_lane',
    text: `update lane_moves m set state = 'held', held_until = now() + make_interval(secs => $2::float8 / 1000)
            where m.id = $1 and m.state = 'copying'`,
    values: [id, heldMs],
  }
}

/** The lane is taken from its server: gateways hold it until that is known. No row where it is not held any more. */
export function decideMove(id: string): Statement {
  return {
    name: 'decide_lane_move',
    text: `update lane_moves m set state = 'decided' where m.id = $1 and m.state = 'held' and m.held_until > now() returning m.id`,
    values: [id],
  }
}

/** The lane stays where it is, whatever whoever moved it still does: no row where that is decided already. */
export function undoMove(id: string): Statement {
  return {
    name: 'undo_lane_move',
    text: `update lane_moves m set state = 'undoing', held_until = null
            where m.id = $1 and m.state in ('copying', 'held', 'undoing') returning m.id`,
    values: [id],
  }
}

/** It was decided, and the lane was not taken after all. */
export function revokeDecision(id: string): Statement {
  return {
    name: 'revoke_lane_move',
    text: `update lane_moves m set state = 'undoing', held_until = null where m.id = $1 and m.state = 'decided'`,
    values: [id],
  }
}

/** The lane is where it was: the move ends. */
export function giveUpMove(id: string): Statement {
  return {
    name: 'give_up_lane_move',
    text: `update lane_moves m set state = 'given_up', held_until = null, ended_at = now() where m.id = $1 and m.ended_at is null`,
    values: [id],
  }
}

/**
 * The lane is where it was to go from now on, and its server's row of it says when the move began: the move ends. Nothing where somebody
 * else has ended it, and moved it on since.
 */
export function placeMovedLane(id: string): Statement {
  return {
    name: 'place_moved_lane',
    text: `with ended as (
             update lane_moves m set state = 'moved', held_until = null, ended_at = now(), came_at = m.began_at
              where m.id = $1 and m.ended_at is null
             returning m.to_server, m.lane
           )
           insert into lane_servers (server, lane) select e.to_server, e.lane from ended e
               on conflict (lane) do update set server = excluded.server, since = now()`,
    values: [id],
  }
}

/** This process sends nothing to the lane of the move. */
export function noteHolding(processId: string, moveId: string): Statement {
  return {
    name: 'note_holding',
    text: 'update processes set holds = $2::uuid where id = $1::uuid',
    values: [processId, moveId],
  }
}

/** How many processes are alive that have not said so. */
export function countNotHolding(moveId: string): Statement {
  return {
    name: 'count_not_holding',
    text: `select count(*)::int as left from processes p where ${LIVES} and p.holds is distinct from $1::uuid`,
    values: [moveId],
  }
}
