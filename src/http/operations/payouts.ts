// The switch of payouts: whether anything is paused and what waits, pausing one channel or all, and letting them go on.
import { pause, payoutState, resumePaused } from '../../app/operator/payout-pauses.ts'
import type { Desk } from '../../app/operator/desk.ts'
import type { Deed } from '../../app/operator/operator-actions.ts'
import type { PayoutState } from '../../domain/channel/payout-pauses.ts'
import { isRefusal, type Refusal } from '../../domain/contract/refusals.ts'
import { PauseBody, PayoutsReply, presentPayouts } from '../../wire/operations/payouts.ts'
import { type Context, described, guard, parserOf } from '../context.ts'
import { sendRefusal } from '../errors.ts'
import { succeed } from '../replies.ts'
import { deedBy, deskOf, OFFERED, OPERATIONS, READ, WRITE } from './doors.ts'

export function payoutRoutes(context: Context): void {
  const { app } = context
  const summary = 'Whether payouts are paused, by whom and why, and what waits'
  const schema = described('payouts.get', summary, OPERATIONS, { reply: PayoutsReply }, READ, OFFERED)
  app.get('/operations/payouts', { schema, onRequest: guard(context, READ) }, async (_, reply) => {
    const state = await payoutState(await deskOf(context))
    return succeed(reply, 200, 'Payouts found.', { payouts: presentPayouts(state) })
  })
  pauseRoute(context)
  resumeRoute(context)
}

const SHAPES = { body: PauseBody, reply: PayoutsReply }
const UNKNOWN = { refusals: ['channel_not_found'] } as const

function pauseRoute(context: Context): void {
  const description =
    'All channels, or the one that is named. From the next second on nothing new is sent, for every account and mode: contracts are paid and wait, refunds to payers too. What has been sent is still asked about, and payments come in. Where it is paused, the first word stays.'
  const facts = { ...UNKNOWN, description }
  const schema = described('payouts.pause', 'Send nothing new', OPERATIONS, SHAPES, WRITE, OFFERED, facts)
  switchRoute(context, '/operations/payouts/pause', schema, pause, 'Payouts are paused.')
}

function resumeRoute(context: Context): void {
  const description =
    'Takes back the pause of the channel that is named, or without one that of all channels. Each pause is taken back by itself: what is still paused is in the reply.'
  const facts = { ...UNKNOWN, description }
  const schema = described('payouts.resume', 'Let payouts go on', OPERATIONS, SHAPES, WRITE, OFFERED, facts)
  switchRoute(context, '/operations/payouts/resume', schema, resumePaused, 'Payouts go on.')
}

type Turn = (desk: Desk, channelId: string | null, deed: Deed) => Promise<PayoutState | Refusal>

function switchRoute(
  context: Context,
  path: string,
  schema: ReturnType<typeof described<typeof PayoutsReply>>,
  turn: Turn,
  words: string,
): void {
  const parse = parserOf(PauseBody)
  context.app.put(path, { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const { channel = null, evidence } = parse(request.body ?? {})
    const desk = await deskOf(context)
    const state = await turn(desk, channel, await deedBy(desk, request, evidence, 'operations:write'))
    if (isRefusal(state)) return sendRefusal(reply, state)
    return succeed(reply, 200, words, { payouts: presentPayouts(state) })
  })
}
