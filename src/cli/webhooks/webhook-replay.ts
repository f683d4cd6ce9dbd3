// gateway webhooks replay: events that are to be delivered again, named, missed, or of a stretch of time.
import type { Command } from 'commander'
import { CommandFailed, commandWithJson, type WithJson } from '../arguments.ts'
import { call, type Place, type PlaceOptions, placeOf, withPlace } from '../client.ts'
import { print, printJson } from '../output.ts'
import { endpointId, eventIdText, timeText } from './webhook-arguments.ts'

export type ReplayBody = {
  readonly number: number
  readonly events: number
  readonly more: boolean
  readonly next_from: string | null
}

type ReplayOptions = WithJson &
  PlaceOptions & {
    readonly event?: readonly string[]
    readonly missed?: true
    readonly from?: string
    readonly to?: string
  }

export function replayCommand(): Command {
  const command = commandWithJson('replay', 'deliver events again; their ids stay, so receivers know them', [
    'gateway webhooks replay 0198… --missed',
    'gateway webhooks replay 0198… --event evt_…',
    'gateway webhooks replay 0198… --from 2d --to 1d',
  ])
  return withPlace(command)
    .argument('<id>', 'the endpoint', endpointId)
    .option('--event <event>', 'this event; once for each', collectEvents)
    .option('--missed', 'all that were never delivered')
    .option('--from <time>', 'all from this time on: 2026-11-01T08:00:00Z, or 2d for two days ago', timeText)
    .option('--to <time>', 'all up to this time', timeText)
    .action(async (id: string, options: ReplayOptions) => {
      const data = await replay(placeOf(options), id, wantedOf(options))
      if (options.json) return printJson(data)
      const { number, events, next_from: from } = data.replay
      print(`Replay ${number}: ${events} ${events === 1 ? 'event is' : 'events are'} on the way.`)
      if (from !== null) print(`There are more. Go on with: gateway webhooks replay ${id} --from ${from}`)
    })
}

/** Queues events of one endpoint again. */
export function replay(place: Place, endpoint: string, body: Wanted): Promise<{ readonly replay: ReplayBody }> {
  return call(place, { method: 'POST', path: `/webhook-endpoints/${endpoint}/replay`, body })
}

type Wanted =
  | { readonly events: readonly string[] }
  | { readonly missed: true }
  | { readonly from?: string; readonly to?: string }

function wantedOf({ event, missed, from, to }: ReplayOptions): Wanted {
  const ways = [event !== undefined, missed === true, from !== undefined || to !== undefined].filter(Boolean).length
  if (ways !== 1)
    throw new CommandFailed(
      'Say what is to be replayed, in one way: --event, --missed, or a time with --from and --to.',
    )
  if (event !== undefined) return { events: event }
  if (missed) return { missed }
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
}

const collectEvents = (text: string, before: readonly string[] = []) => [...before, eventIdText(text)]
