// What a test may ask of the provider beside its rails: the clock, scenarios, receivers of callbacks, and the books.
import type { Books } from './books/books.ts'
import { collectScenarios } from './collections/collect-control.ts'
import { type Fields, numberIn, objectIn, textIn } from './text/fields.ts'
import { movements, type Entry, RAILS, type Rail } from './books/orders.ts'
import { type Ask, json, problem, type Reply, textOf } from './replies.ts'
import { SCENARIOS } from './scenarios.ts'
import { isRail } from './books/state.ts'
import { presentTransfer } from './rails/transfers.ts'
import { wordOf } from './text/words.ts'

const CLOCK_STEP_MAX_SECONDS = 366 * 86_400
const SECRET_CHARACTERS_MAX = 256

const timeOf = (atMs: number) => new Date(atMs).toISOString()

/** Null when it is none of these routes. */
export function routeControl(books: Books, ask: Ask): Reply | null {
  const [area, id, ...rest] = ask.path
  if (rest.length > 0) return null
  switch ([ask.method, area, id === undefined ? '' : '*'].join(' ').trim()) {
    case 'GET books':
      return json({
        transfers: books.entriesOf('sandbox').map((entry) => presentTransfer(books, entry)),
        totals: books.totals('sandbox'),
      })
    case 'GET clock':
      return json({ now: timeOf(books.nowMs()) })
    case 'POST clock':
      return postClock(books, bodyOf(ask))
    case 'GET scenarios':
      return json({
        scenarios: SCENARIOS.map(presentScenario),
        collections: collectScenarios(),
        scripted: scripted(books),
      })
    case 'POST scenarios':
      return postScenario(books, bodyOf(ask))
    case 'DELETE scenarios *':
      return books.endScript(id ?? '')
        ? json({ status: 'ended' })
        : problem(404, 'not_found', 'No scenario has this id.')
    case 'GET callbacks':
      return json({ callbacks: [...books.receivers()].map(({ secret: _, ...shown }) => shown) })
    case 'POST callbacks':
      return postReceiver(books, bodyOf(ask))
    case 'DELETE callbacks *':
      return books.endReceiver(id ?? '')
        ? json({ status: 'ended' })
        : problem(404, 'not_found', 'No receiver has this id.')
    case 'GET healthz':
      return json({ status: 'ok' })
    default:
      return null
  }
}

const bodyOf = (ask: Ask) => objectIn(textOf(ask.body))
const noObject = () => problem(400, 'invalid_request', 'The body is no JSON object.')

function postClock(books: Books, fields: Fields | null): Reply {
  const seconds = fields && numberIn(fields, 'advance_seconds', 0, CLOCK_STEP_MAX_SECONDS)
  if (!seconds)
    return problem(400, 'invalid_request', `advance_seconds is a number above 0, at most ${CLOCK_STEP_MAX_SECONDS}.`)
  return json({ now: timeOf(books.advanceClock(Math.round(seconds * 1_000))) })
}

function postScenario(books: Books, fields: Fields | null): Reply {
  return fields ? json({ id: books.addScript(fields).id }) : noObject()
}

function presentScenario(scenario: (typeof SCENARIOS)[number]): Record<string, unknown> {
  const { name, ending, summary } = scenario
  return { name, wallet: `sandbox-${name}`, amount_ends_in: ending, summary }
}

function scripted(books: Books): unknown[] {
  return books.scripts().map(({ script, played }) => ({
    id: script.id,
    created_at: timeOf(script.createdAtMs),
    played,
    ...script.asked,
  }))
}

function postReceiver(books: Books, fields: Fields | null): Reply {
  if (!fields) return noObject()
  const [url, secret] = [textIn(fields, 'url') ?? '', textIn(fields, 'secret') ?? '']
  if (!isHttpUrl(url)) return problem(400, 'invalid_request', 'url is one of http or https.')
  if (secret === '' || secret.length > SECRET_CHARACTERS_MAX)
    return problem(400, 'invalid_request', `secret is a text of 1 to ${SECRET_CHARACTERS_MAX} characters.`)
  const rails = railsIn(fields['rails'] ?? RAILS)
  if (!rails) return problem(400, 'invalid_request', `rails is a list of: ${RAILS.join(', ')}.`)
  return json({ id: books.addReceiver({ url, secret, rails }).id })
}

function railsIn(value: unknown): Rail[] | null {
  if (!Array.isArray(value)) return null
  const rails = value.filter((each): each is Rail => typeof each === 'string' && isRail(each))
  return rails.length === value.length && rails.length > 0 ? rails : null
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

/** The truth about the orders of a rail, whatever its inquiries say; of one reference when it is given. */
export function railBooks(books: Books, rail: Rail, reference: string | undefined): Reply {
  if (reference === undefined) {
    const orders = books.entriesOf(rail).map((entry) => presentEntry(books, entry))
    return json({ orders, totals: books.totals(rail) })
  }
  books.settle()
  const entry = books.newest(rail, reference)
  return entry ? json(presentEntry(books, entry)) : problem(404, 'not_found', 'No order came under this reference.')
}

function presentEntry(books: Books, entry: Entry): Record<string, unknown> {
  const { digest: _, number: __, later: ___, earlier: ____, createdAtMs, ...shown } = entry
  const { rail } = entry
  return {
    ...shown,
    code: wordOf(rail, entry.code),
    executions: books.executionsOf(entry),
    created_at: timeOf(createdAtMs),
    history: entry.history.map((moment) => ({
      status: moment.status,
      code: wordOf(rail, moment.code),
      at: timeOf(moment.atMs),
    })),
    movements: movements(entry).map(({ moment, isBack }) => ({
      direction: isBack ? 'in' : 'out',
      at: timeOf(moment.atMs),
    })),
  }
}
