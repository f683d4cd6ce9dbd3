// Pauses of payouts, and what waits behind them. One small table for the whole installation.
import { ms } from '../../platform/columns.ts'
import { plainArray, type Row, type Statement } from '../../platform/db.ts'
import { ALL_LANES } from '../../domain/contract/ids.ts'
import type { PayoutPause } from '../../domain/channel/payout-pauses.ts'

/** Oldest first. */
export function payoutPauses(): Statement {
  return {
    name: 'payout_pauses',
    isPrepared: true,
    text: `select p.channel_id, p.operator, p.evidence, ${ms('p.since')} as since_ms
             from payout_pauses p order by p.since, p.channel_id`,
    values: [],
  }
}

export const pauseFrom = (row: Row): PayoutPause => ({
  channelId: row['channel_id'] as string,
  operator: row['operator'] as string,
  evidence: row['evidence'] as string,
  sinceMs: row['since_ms'] as number,
})

/** Nothing where there is one: who came first stays. */
export function pausePayouts(channelId: string, operator: string, evidence: string): Statement {
  return {
    name: 'pause_payouts',
    text: `insert into payout_pauses (channel_id, operator, evidence) values ($1, $2, $3)
           on conflict (channel_id) do nothing returning channel_id`,
    values: [channelId, operator, evidence],
  }
}

export function resumePayouts(channelId: string): Statement {
  return {
    name: 'resume_payouts',
    text: `delete from payout_pauses p where p.channel_id = $1 returning p.channel_id`,
    values: [channelId],
  }
}

const COUNTED_MAX = 100_000

/**
 * How many payouts of a channel are due and not sent (counted up to a bound), and since when the oldest is; no row where none is.
 * Of a server that is away none is counted: that keeps nobody from pausing payouts.
 */
export function waitingPayouts(channelId: string): Statement {
  return {
    name: 'waiting_payouts',
    merge: { isPartial: true, fold: { by: [], columns: { count: 'sum', oldest_ms: 'least' } } },
    text: `-- every lane: payouts wait in the whole installation
           select w.count, w.oldest_ms
             from (select count(*)::float8 as count, ${ms('min(d.due_at)')} as oldest_ms
                     from (select j.due_at from jobs j
                            where j.lane = any($1::int[]) and j.channel_id = $2 and j.due_at is not null
                              and j.due_at <= now() and j.kind = 'payout' and j.status = 'queued'
                            order by j.due_at limit ${COUNTED_MAX}) d) w
            where w.count > 0`,
    values: [plainArray(ALL_LANES), channelId],
  }
}
