// A lane is given to the server that a move has brought it to.
import type { LaneCopies } from '../../platform/postgres/lane-rows.ts'
import { inTransaction } from '../../platform/postgres/lane-tables.ts'
import type { LaneMove } from '../../store/operator/lane-moves.ts'

/** How far expired contracts of the lane were looked through at the source. */
export async function sweptOn({ source, lane, anchor }: LaneCopies): Promise<string | null> {
  const { rows } = await source.query<{ until: string }>(
    `select swept_until::text as until from ${anchor} where lane = $1`,
    [lane],
  )
  return rows[0]?.until ?? null
}

/**
 * The target has the lane since this move, before home says so: by that it is known where it comes back older. Where nobody knows how far
 * the lane was looked through, it is looked through from the start.
 */
export async function giveLane(
  { target, lane, anchor }: LaneCopies,
  { beganAt, epoch }: Pick<LaneMove, 'beganAt' | 'epoch'>,
  sweptUntil: string | null,
): Promise<void> {
  await inTransaction(target, {}, async () => {
    // An epoch that begins there at this moment does so before, and is noted here, or after, and finds the lane.
    await target.query('lock table epochs in share mode')
    await target.query(
      `insert into ${anchor} (lane, came_at, swept_until) select $1, $2::timestamptz, coalesce($3::timestamptz, '2000-01-01T00:00:00Z')
           on conflict (lane) do update set came_at = excluded.came_at`,
      [lane, beganAt, sweptUntil],
    )
    // One that began since the lane was taken was noted by neither: not where it was gone, and not where it was a copy.
    await target.query(
      `insert into epoch_positions (lane, account_id, epoch, position)
       select a.lane, a.account_id, e.number, a.position from accounts a cross join epochs e
        where a.lane = $1 and e.number > $2
           on conflict do nothing`,
      [lane, epoch],
    )
  })
}
