// What a server that took over says of itself, and the words of gateways about it. One small table for the whole installation.
import type { Row, Statement } from '../../platform/db.ts'
import type { Acknowledged, ServerPlace } from '../../platform/postgres/standing.ts'
import { plainArray } from '../../platform/db.ts'

/**
 * Where its copy of the log ended, for how long it has run, and which of the transactions it has: one that was begun before
 * that place cannot be confused with a later one of the same number. Statistics begin anew after a crash.
 */
export function readPromotion(commits: readonly Acknowledged[]): Statement {
  return {
    name: 'read_promotion',
    text: `select (r.replayed - '0/0'::pg_lsn)::text as replayed_to,
                  extract(epoch from clock_timestamp() - greatest(pg_postmaster_start_time(), w.stats_reset))::float8 as up_seconds,
                  array(select case when '0/0'::pg_lsn + c.position <= r.replayed
                                    then coalesce(pg_xact_status(c.id::text::xid8) = 'committed', false)
                                    else false end
                          from unnest($1::numeric[], $2::numeric[]) with ordinality as c(id, position, place)
                         order by c.place) as has
             from (select pg_last_wal_replay_lsn() as replayed) r, pg_stat_bgwriter w`,
    values: [
      plainArray(commits.map(({ transactionId }) => transactionId)),
      plainArray(commits.map(({ position }) => position)),
    ],
  }
}

export const promotionFrom = (row: Row) => ({
  replayedTo: row['replayed_to'] === null ? null : BigInt(row['replayed_to'] as string),
  upSeconds: row['up_seconds'] as number,
  has: row['has'] as readonly boolean[],
})

/** This gateway misses nothing on the server that took over. */
export function sayPromotion({ systemId, timeline }: ServerPlace, gateway: string, replayedTo: bigint): Statement {
  return {
    name: 'say_promotion',
    text: `insert into promotions (system_id, timeline, gateway, replayed_to) values ($1, $2, $3, $4) on conflict do nothing`,
    values: [systemId, timeline, gateway, replayedTo],
  }
}

/** Who has said so. */
export function readPromotionWords({ systemId, timeline }: ServerPlace): Statement {
  return {
    name: 'read_promotion_words',
    text: `select w.gateway from promotions w where w.system_id = $1 and w.timeline = $2`,
    values: [systemId, timeline],
  }
}

/** What was said of the histories after this one, and how many seconds ago. Words are kept for good. */
export function readPromotionsSince({ systemId, timeline }: ServerPlace): Statement {
  return {
    name: 'read_promotions_since',
    text: `select w.timeline, w.replayed_to::text as replayed_to,
                  extract(epoch from clock_timestamp() - w.said_at)::float8 as ago_seconds
             from promotions w where w.system_id = $1 and w.timeline > $2`,
    values: [systemId, timeline],
  }
}

export const promotionWordFrom = (row: Row) => ({
  timeline: row['timeline'] as number,
  replayedTo: BigInt(row['replayed_to'] as string),
  agoSeconds: row['ago_seconds'] as number,
})
