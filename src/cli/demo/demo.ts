// gateway demo: a contract that sends money and one that brings it in, on a running gateway, told as it goes, with their
// webhooks as they arrive, and their events and ledger rows afterwards.
import type { Command } from 'commander'
import { commandWithJson, type WithJson } from '../arguments.ts'
import { type PlaceOptions, placeOf, withPlace } from '../client.ts'
import { tellPayment } from './demo-payment.ts'
import { openHearing } from './demo-receiver.ts'
import { openTeller, QUIET, type Stage } from './demo-story.ts'
import { tellTransfer } from './demo-transfer.ts'
import { paint, print, printJson } from '../output.ts'

const INTERRUPTED = 130

export function demoCommand(): Command {
  return withPlace(
    commandWithJson('demo', 'show a contract that sends money, and one that brings it in, on a running gateway', [
      'gateway demo',
      'gateway demo --json',
    ]),
  ).action(demo)
}

async function demo(options: WithJson & PlaceOptions): Promise<void> {
  const place = placeOf(options)
  const teller = options.json ? QUIET : openTeller()
  const hearing = await openHearing(place)
  // Nothing is left behind: an endpoint whose receiver is gone would be tried for days.
  const leave = () => void hearing.end().finally(() => process.exit(INTERRUPTED))
  process.once('SIGINT', leave)
  try {
    const stage = { place, teller, hearing }
    tellWay(stage)
    const transfer = await tellTransfer(stage)
    const payment = await tellPayment(stage)
    if (options.json) printJson({ ...transfer, payment })
  } finally {
    process.off('SIGINT', leave)
    await hearing.end()
  }
}

function tellWay({ teller, hearing: { way } }: Stage): void {
  if ('because' in way) {
    teller.chapter('Events are heard over the event stream, for an endpoint was refused.', 'GET /events/stream')
    return teller.show(() => print(`   ${way.because}`))
  }
  const { id, url } = way.endpoint
  const body = JSON.stringify({ url, events: ['*'] })
  teller.chapter('A receiver of the demo, on this machine, hears of all events.', `POST /webhook-endpoints  ${body}`)
  teller.show(() => print(`   ${paint('dim', id)}`))
}
