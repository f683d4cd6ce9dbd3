// gateway explain: the one story behind an id: requests, what happened to the contract, its events and their deliveries.
import { call, get } from '../client.ts'
import { argument, command, PLACE } from '../command.ts'
import { note, paint, print, printPairs, modeWords } from '../output.ts'
import { placeOf } from '../place.ts'
import { timeText } from '../times.ts'
import { stateText } from '../view.ts'
import { type Ask, type Story, storyOf } from './story.ts'

export const explain = command('explain', 'tell the whole story of a contract, request, event or delivery', {
  examples: [
    'gateway explain 0198a3f2-…',
    'gateway explain req_…',
    'gateway explain evt_…',
    'gateway explain ENDPOINT/dlv_…',
  ],
  arguments: [argument('<id>', 'of a contract, a request (req_…), an event (evt_…), or ENDPOINT/dlv_…')],
  options: PLACE,
  run: (options, id) => {
    const place = placeOf(options)
    const ask: Ask = (path, query = {}) => call(place, get(path, query))
    return storyOf(ask, id)
  },
  print: printStory,
})

function printStory({ contract, explanation, trace, withheld, ...told }: Story): void {
  printPairs([
    ...(contract
      ? ([
          ['contract', paint('bold', contract.id)],
          ['kind', contract.kind],
          ['mode', modeWords(contract.livemode)],
          ['status', stateText(contract.status)],
        ] as const)
      : []),
    ...(explanation
      ? ([
          ['now', explanation.summary],
          ['waits for', `${explanation.waits_for}${explanation.by === null ? '' : `, by ${timeText(explanation.by)}`}`],
          ['attempt', attemptText(explanation)],
          ['a cancel', explanation.cancel_now],
        ] as const)
      : []),
    ['trace', trace],
  ])
  print()
  for (const { at, what, text } of linesOf(told).toSorted((a, b) => a.at - b.at))
    print(`${paint('dim', timeText(new Date(at)))}  ${what.padEnd(8)}  ${text}`)
  for (const each of withheld) note(`Left out: ${each}`)
}

function attemptText({ attempt }: NonNullable<Story['explanation']>): string | null {
  if (attempt === null) return null
  const tries = attempt.tries === 0 ? '' : `, asked ${attempt.tries} times without an outcome`
  const next = attempt.next_at === null ? '' : `, next at ${timeText(attempt.next_at)}`
  return `${attempt.number} by ${attempt.channel}, ${attempt.status}${tries}${next}; the channel knows it as ${attempt.reference}`
}

type Line = { readonly at: number; readonly what: string; readonly text: string }

/** Readings changed nothing: they are in gateway logs, and with --json. */
const isTold = ({ command: done, status }: Story['requests'][number]) => done !== null || status >= 400

/** An event says its second; the object in it was changed at the very moment. */
function momentOf({ created_at: seconds, data: { object } }: Story['events'][number]['event']): number {
  const { updated_at: at } = object as { readonly updated_at?: string }
  return at === undefined ? seconds * 1000 : Date.parse(at)
}

/** Everything that has a moment, in one order. */
function linesOf({ requests, activities, events }: Pick<Story, 'requests' | 'activities' | 'events'>): Line[] {
  return [
    ...requests.filter(isTold).map(({ at, id, operation, status, code, duration_ms: ms, command: done }): Line => {
      const batch = done === null ? '' : `, in a batch of ${done.batch_size}`
      const result = `${stateText(status < 400 ? 'done' : 'refused', String(status))}${code === null ? '' : ` ${code}`}`
      return {
        at: Date.parse(at),
        what: 'request',
        text: `${operation}  ${result}  ${ms} ms${batch}  ${paint('dim', id)}`,
      }
    }),
    ...activities.map(
      ({ published_at: at, summary }): Line => ({ at: Date.parse(at), what: 'activity', text: summary }),
    ),
    ...events.flatMap(({ event, deliveries }): Line[] => [
      { at: momentOf(event), what: 'event', text: `${event.type}  ${paint('dim', event.id)}` },
      ...deliveries.map(({ id, endpoint_id: endpoint, status, tries, updated_at: at }): Line => {
        const text = `${event.type} to ${endpoint}: ${stateText(status)} after ${tries} tries  ${paint('dim', id)}`
        return { at: Date.parse(at), what: 'delivery', text }
      }),
    ]),
  ]
}
