// gateway payouts: the switch of payouts on the database itself, for one channel or all of them.
import { EXAMPLES } from '../../connectors/catalogue.ts'
import {
  ALL_CHANNELS,
  type PayoutPause,
  type PayoutState,
  type WaitingPayouts,
} from '../../domain/channel/payout-pauses.ts'
import { command, groupOf, option } from '../command.ts'
import { paint, print } from '../output.ts'
import { timeText } from '../times.ts'
import { printMany, type Shows } from '../view.ts'
import { asOperator, DEED, deedOf } from './as-operator.ts'

const SWITCH = { channel: option('<id>', 'one channel (default: all of them)'), ...DEED }

const status = command('status', 'tell whether payouts are paused, by whom and why, and what waits', {
  examples: ['gateway payouts status', 'gateway payouts status --json'],
  notes: 'Exit code 1 while anything is paused.',
  run: () => asOperator((operator) => operator.payouts()),
  json: payoutsJson,
  print: printPayouts,
  failed: ({ pauses }) => pauses.length > 0,
})

const pause = command('pause', 'send nothing new, from the next second on; kept with who did it and why', {
  examples: [
    'gateway payouts pause --evidence "payouts that nobody ordered, ticket 4711"',
    `gateway payouts pause --channel ${EXAMPLES.bank} --evidence "the bank pays twice"`,
  ],
  notes: 'Contracts are paid and wait. What has been sent is still asked about, and payments come in.',
  options: SWITCH,
  run: ({ channel, ...deed }) => asOperator((operator) => operator.pausePayouts(channel ?? null, deedOf(deed))),
  json: payoutsJson,
  print: printPayouts,
})

const resume = command('resume', 'let payouts go on; kept with who did it and why', {
  examples: [
    'gateway payouts resume --evidence "it was a drill"',
    `gateway payouts resume --channel ${EXAMPLES.bank} --evidence "the bank mended it, ticket 4712"`,
  ],
  notes: 'Takes back one pause: that of the channel, or without --channel that of all channels.',
  options: SWITCH,
  run: ({ channel, ...deed }) => asOperator((operator) => operator.resumePayouts(channel ?? null, deedOf(deed))),
  json: payoutsJson,
  print: printPayouts,
})

export const payouts = groupOf('payouts', 'pause payouts, of one channel or all, and let them go on', [
  status,
  pause,
  resume,
])

const channelOf = ({ channelId }: PayoutPause) => (channelId === ALL_CHANNELS ? null : channelId)

function payoutsJson({ pauses, waiting }: PayoutState) {
  return {
    state: pauses.length > 0 ? 'paused' : 'on',
    pauses: pauses.map((each) => ({
      channel: channelOf(each),
      operator: each.operator,
      evidence: each.evidence,
      since: new Date(each.sinceMs).toISOString(),
    })),
    waiting: waiting.map(({ channelId, count, oldestMs }) => ({
      channel: channelId,
      payouts: count,
      oldest: new Date(oldestMs).toISOString(),
    })),
  }
}

const PAUSES: Shows<PayoutPause> = [
  ['paused', (each) => channelOf(each) ?? 'all channels'],
  ['since', ({ sinceMs }) => timeText(new Date(sinceMs))],
  ['by', 'operator'],
  ['why', 'evidence'],
]

const WAITING: Shows<WaitingPayouts> = [
  ['channel', 'channelId'],
  ['due and not sent', ({ count }) => String(count)],
  ['oldest due since', ({ oldestMs }) => timeText(new Date(oldestMs))],
]

function printPayouts({ pauses, waiting }: PayoutState): void {
  print(pauses.length > 0 ? `${paint('red', 'Payouts are paused')}: nothing new is sent.` : 'Payouts are on.')
  if (pauses.length > 0) printMany(pauses, PAUSES)
  if (waiting.length > 0) printMany(waiting, WAITING)
}
