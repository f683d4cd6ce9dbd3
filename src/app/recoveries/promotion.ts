// What a gateway at work does when it meets a server that took over: it writes nothing, looks whether what it knows of is there,
// says so in the database, and goes on when every gateway that was at work has said the same, or was silent for long. Where
// something is missing it begins a recovery, which all of them see.
import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabasePlace } from '../../domain/recovery/epoch.ts'
import { type KnownBefore, lossOf, type PromotionWord, type TookOver } from '../../domain/recovery/promotion.ts'
import type { Session } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import type { ServerPlace, Standing } from '../../platform/postgres/standing.ts'
import { placeFrom } from '../../store/operator/epochs.ts'
import {
  promotionFrom,
  promotionWordFrom,
  readPromotion,
  readPromotionsSince,
  readPromotionWords,
  sayPromotion,
} from '../../store/operator/promotions.ts'
import type { Epochs } from './epochs.ts'
import type { Placed } from './placed.ts'

export type PromotionDeps = {
  /** Reaches a server that took over, and no other. */
  readonly look: Session
  /** Where gateways say their word. */
  readonly words: Session
  readonly place: Placed
  readonly epochs: Epochs
  readonly standing: Standing
  readonly monotonicMs: () => number
  readonly log: Log
}

export type Promotions = {
  /**
   * One look at the server that took over: `wait` while others have not said their word, `recover` where a recovery was begun,
   * and where the server stands once it is worked with.
   */
  readonly look: (before: KnownBefore, others: readonly string[]) => Promise<'wait' | 'recover' | DatabasePlace>
}

/** Longer than a gateway takes to notice that its server is gone, with what it waits for an answer and for a connection. */
const OTHERS_WITHIN_MS = 12_000

export function openPromotions(deps: PromotionDeps): Promotions {
  const { look, words, epochs, standing, monotonicMs, log } = deps
  let waiting: { readonly timeline: number; readonly fromMs: number } | null = null

  const takeOver = async (): Promise<TookOver> => {
    const [answers, epoch] = await Promise.all([
      look.send([deps.place.read(), readPromotion(standing.acknowledged())]),
      epochs.newest(),
    ])
    const [place, promotion] = answers.map((each) => each.rows[0])
    if (!place || !promotion) throw new Error('the server that took over does not say where it stands')
    return { place: placeFrom(place), epoch, ...promotionFrom(promotion) }
  }

  const begin = async (before: KnownBefore, after: TookOver, why: string) => {
    if (after.epoch.resumedAt === null) return
    const number = Math.max(before.epoch, after.epoch.number) + 1
    const { timeline } = after.place
    log.error({ timeline, epoch: number, because: why }, 'commits are missing on the server that took over, or may be')
    await epochs.begin(number, 'other_timeline', before.place, after.place)
  }

  return {
    look: async (before, others) => {
      const after = await takeOver()
      const { place, replayedTo } = after
      const why = lossOf(before, after)
      if (why !== null) {
        await begin(before, after, why)
        return 'recover'
      }
      const { timeline, systemId } = place
      if (waiting?.timeline !== timeline) {
        waiting = { timeline, fromMs: monotonicMs() }
        log.warn({ timeline }, 'another server took over, and has all that this gateway knows of')
      }
      await words.transaction([], () => ({
        statements: [sayPromotion(place, standing.name, replayedTo ?? 0n)],
        value: null,
      }))
      const [[found], newest] = await Promise.all([words.send([readPromotionWords(place)]), epochs.newest()])
      if (newest.resumedAt === null) return 'recover'
      const said = new Set(found?.rows.map((row) => row['gateway']))
      const silent = others.filter((name) => name !== standing.name && !said.has(name))
      if (silent.length > 0 && monotonicMs() - waiting.fromMs < OTHERS_WITHIN_MS) return 'wait'
      if (silent.length > 0) log.warn({ silent: silent.length }, 'gateways that were at work have said nothing')
      waiting = null
      standing.workWith({ systemId, timeline })
      return place
    },
  }
}

/**
 * What gateways at work said of the histories after this one. Not before each of them has had its time to say the contrary: whoever was not
 * there may not go on sooner than they do.
 */
export async function wordsSince(words: Session, place: ServerPlace): Promise<readonly PromotionWord[]> {
  const read = async () => {
    const [found] = await words.send([readPromotionsSince(place)])
    return (found?.rows ?? []).map(promotionWordFrom)
  }
  const said = await read()
  const leftMs = Math.max(0, ...said.map(({ agoSeconds }) => OTHERS_WITHIN_MS - agoSeconds * 1000))
  if (leftMs === 0) return said
  // No longer, whatever the clock of the server was when that was said.
  await sleep(Math.min(leftMs, OTHERS_WITHIN_MS))
  return read()
}
