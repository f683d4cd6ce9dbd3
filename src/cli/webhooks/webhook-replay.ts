// gateway webhooks replay: events that are to be delivered again, named, missed, or of a stretch of time.
import type { Static } from 'typebox'
import type { ReplayReply } from '../../wire/webhook-delivery.ts'
import { endpointId, repeated } from '../arguments.ts'
import { CommandFailed } from '../failures.ts'
import { type Call, post } from '../client.ts'
import { apiCommand, argument, flag, option } from '../command.ts'
import { print } from '../output.ts'
import { eventIdText, timeOf } from './webhook-arguments.ts'

export type ReplayData = Static<typeof ReplayReply>['data']

/** The call that queues events of an endpoint again. */
export const replayOf = (endpoint: string, body: object): Call => post(`/webhook-endpoints/${endpoint}/replay`, body)

export const replay = apiCommand('replay', 'deliver events again; their ids stay, so receivers know them', {
  examples: [
    'gateway webhooks replay 0198… --missed',
    'gateway webhooks replay 0198… --event evt_…',
    'gateway webhooks replay 0198… --from 2d --to 1d',
  ],
  arguments: [argument('<id>', 'the endpoint', endpointId)],
  options: {
    event: option('<event>', 'this event; once for each', repeated(eventIdText)),
    missed: flag('all that were never delivered'),
    from: option('<time>', 'all from this time on: 2026-11-01T08:00:00Z, or 2d for two days ago', timeOf),
    to: option('<time>', 'all up to this time', timeOf),
  },
  call: ({ event: events, missed, from, to }, id) => {
    if ([events, missed, from ?? to].filter((way) => way !== undefined).length !== 1)
      throw new CommandFailed(
        'Say what is to be replayed, in one way: --event, --missed, or a time with --from and --to.',
      )
    return replayOf(id, { events, missed, from, to })
  },
  print: ({ replay: { number, events, next_from: from } }: ReplayData, _, id) => {
    print(`Replay ${number}: ${events} ${events === 1 ? 'event is' : 'events are'} on the way.`)
    if (from !== null) print(`There are more. Go on with: gateway webhooks replay ${id} --from ${from}`)
  },
})
