// What a test can call on the provider beside its rails: the clock, scenarios, the receivers of events, and the books.
import type { Books } from './books/books.ts'
import { COLLECT_SCENARIOS, REFUND_SCENARIOS } from './collections/collect-scenarios.ts'
import { bodyOf } from './rails/request-fields.ts'
import { presentTransfer } from './rails/transfers.ts'
import { ended, RECEIVERS } from './receivers.ts'
import { json, problem, type Reply, textOf } from './replies.ts'
import type { Api, Call } from './routing.ts'
import { HOLDERS, NAME_SCENARIOS } from './rails/accounts.ts'
import { SCENARIOS } from './scenarios.ts'
import { numberIn, objectIn } from './text/fields.ts'
import { Malformed } from './text/malformed.ts'

const CLOCK_STEP_MAX_SECONDS = 366 * 86_400

const timeOf = (atMs: number) => new Date(atMs).toISOString()

export const CONTROL: Api = {
  routes: {
    'GET /books': ({ books }) => {
      const transfers = books.entriesOf('sandbox').map((entry) => presentTransfer(books, entry))
      return json({ transfers, totals: books.totals('sandbox') })
    },
    'GET /clock': ({ books }) => json(shownClock(books)),
    'POST /clock': advanceClock,
    'GET /scenarios': listScenarios,
    'POST /scenarios': ({ books, request }) => json({ id: books.addScript(bodyOf(request)).id }),
    'DELETE /scenarios/*': ({ books, id }) => ended(books.endScript(id), 'scenario'),
    ...RECEIVERS,
    'GET /healthz': () => json({ status: 'ok' }),
  },
  malformed: (message) => problem(400, 'invalid_request', message),
}

function advanceClock({ books, request }: Call): Reply {
  const seconds = numberIn(objectIn(textOf(request.body)) ?? {}, 'advance_seconds', 0, CLOCK_STEP_MAX_SECONDS)
  if (!seconds) throw new Malformed(`advance_seconds is a number above 0, at most ${CLOCK_STEP_MAX_SECONDS}.`)
  books.advanceClock(Math.round(seconds * 1_000))
  return json(shownClock(books))
}

/** Its time, and how far that is ahead of this machine's. */
const shownClock = (books: Books) => ({
  now: timeOf(books.nowMs()),
  offset_seconds: books.clockShiftMs() / 1_000,
})

function listScenarios({ books }: Call): Reply {
  return json({
    scenarios: SCENARIOS.map(({ name, ending, summary }) => ({
      name,
      wallet: `sandbox-${name}`,
      amount_ends_in: ending,
      summary,
    })),
    collections: [...COLLECT_SCENARIOS, ...REFUND_SCENARIOS].map(({ name, ending, summary }) => ({
      name,
      amount_ends_in: ending,
      summary,
    })),
    accounts: NAME_SCENARIOS.map(({ name, ending, summary }) => ({
      name,
      wallet: `sandbox-name-${name}`,
      account_ends_in: ending,
      summary,
    })),
    holders: HOLDERS.map((name, digit) => ({ account_ends_in: String(digit), name })),
    scripted: books.scripts().map(({ script, played }) => ({
      id: script.id,
      created_at: timeOf(script.createdAtMs),
      played,
      ...script.asked,
    })),
  })
}
