// gateway demo: a contract that sends money and one that brings it in, on a running gateway, shown as it goes, with their
// webhooks as they arrive, and their events and ledger rows afterwards.
import { placeOf } from '../place.ts'
import { command, PLACE } from '../command.ts'
import { paint, print, printJson } from '../output.ts'
import { showPayment } from './demo-payment.ts'
import { openInbox } from './demo-receiver.ts'
import { openStage, type Stage } from './demo-story.ts'
import { showTransfer } from './demo-transfer.ts'

const INTERRUPTED = 130

export const demo = command(
  'demo',
  'show a contract that sends money, and one that brings it in, on a running gateway',
  {
    examples: ['gateway demo', 'gateway demo --json'],
    options: PLACE,
    run: async ({ json, ...options }) => {
      const place = placeOf(options)
      const inbox = await openInbox(place)
      // Nothing is left behind: an endpoint whose receiver is gone would be tried for days.
      const leave = () => void inbox.end().finally(() => process.exit(INTERRUPTED))
      process.once('SIGINT', leave)
      try {
        const stage = openStage(place, inbox, json === true)
        showWay(stage)
        const transfer = await showTransfer(stage)
        const payment = await showPayment(stage)
        if (json) printJson({ ...transfer, payment })
      } finally {
        process.off('SIGINT', leave)
        await inbox.end()
      }
    },
  },
)

function showWay({ step, show, inbox: { way } }: Stage): void {
  if ('because' in way) {
    step('Events arrive over the event stream, for an endpoint was refused.', 'GET /events/stream')
    return show(() => print(`   ${way.because}`))
  }
  const { id, url } = way.endpoint
  const body = JSON.stringify({ url, events: ['*'] })
  step('A receiver of the demo, on this machine, gets all events.', `POST /webhook-endpoints  ${body}`)
  show(() => print(`   ${paint('dim', id)}`))
}
