// A world whose gateway's marks are in files, as of one that runs: openings of its recovery, one after another.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import type { Log } from '../../../src/platform/log.ts'
import { onTestFinished } from 'vitest'
import { type Epochs, openEpochs } from '../../../src/app/recoveries/epochs.ts'
import { openPromotions } from '../../../src/app/recoveries/promotion.ts'
import { openRecovery, type Recovery } from '../../../src/app/recoveries/recovery.ts'
import { openPlannedSession } from '../../../src/main/database/database.ts'
import { openMarkFiles } from '../../../src/main/database/mark.ts'
import type { Session } from '../../../src/platform/db.ts'
import { openStanding, type Standing } from '../../../src/platform/postgres/standing.ts'
import { countMark, placeFrom, readPlace } from '../../../src/store/operator/epochs.ts'
import { openWorld, type World } from '../../world.ts'

type Opening = {
  readonly epochs?: Epochs
  readonly count?: typeof countMark
  readonly monotonicMs?: () => number
  readonly standing?: Standing
  readonly onEnded?: () => void
  readonly log?: Log
  readonly marks?: ReturnType<typeof openMarkFiles>
}

export type MarkedWorld = {
  readonly world: World
  readonly session: Session
  readonly marks: ReturnType<typeof openMarkFiles>
  readonly epochs: Epochs
  readonly placeNow: () => Promise<ReturnType<typeof placeFrom>>
  /** As a start of the gateway does, with these in place of its own parts. */
  readonly open: (opening?: Opening) => Promise<Recovery>
}

/** It ends with the test. */
export async function openMarkedWorld(): Promise<MarkedWorld> {
  const world = await openWorld({ workers: 'resting' })
  const directory = mkdtempSync(join(tmpdir(), 'gateway-mark-'))
  const session = openPlannedSession(world.operators)
  onTestFinished(async () => {
    await session.close()
    await world.stop()
    rmSync(directory, { recursive: true })
  })
  const own = openEpochs(session, [])
  const ownMarks = openMarkFiles([directory])
  return {
    world,
    session,
    marks: ownMarks,
    epochs: own,
    placeNow: async () => placeFrom((await session.send([readPlace()]))[0]!.rows[0]!),
    open: ({
      epochs = own,
      count = countMark,
      monotonicMs = () => 0,
      standing = openStanding(),
      onEnded = () => undefined,
      log = pino({ enabled: false }),
      marks = ownMarks,
    } = {}) => {
      const place = { read: readPlace, count }
      const parts = { epochs, place, standing, onEnded, log, monotonicMs }
      const promotions = openPromotions({ ...parts, look: session, words: session })
      return openRecovery({ ...parts, session, books: session, words: session, marks, promotions })
    },
  }
}
