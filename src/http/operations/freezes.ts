// Channels that pay nothing out: which, why, freezing one by hand, and letting it go on.
import { acknowledgeFreeze, freezeByHand } from '../../app/operator/operator-actions.ts'
import type { Desk } from '../../app/operator/desk.ts'
import { isRefusal } from '../../domain/contract/refusals.ts'
import { frozenChannels } from '../../store/operator/channels.ts'
import {
  AcknowledgeBody,
  AcknowledgedReply,
  ChannelParams,
  type Freeze,
  FreezeBody,
  FreezeReply,
  FreezesReply,
  presentFreeze,
} from '../../wire/operations/freezes.ts'
import { type Context, described, guard, parserOf } from '../context.ts'
import { sendRefusal } from '../errors.ts'
import { succeed } from '../replies.ts'
import { deedBy, deskOf, OFFERED, OPERATIONS, READ, WRITE } from './doors.ts'

export function freezeRoutes(context: Context): void {
  listRoute(context)
  createRoute(context)
  deleteRoute(context)
}

async function freezesOf({ reader }: Desk): Promise<Freeze[]> {
  const [result] = await reader.send([frozenChannels()])
  return (result?.rows ?? []).map((row) => ({
    channelId: row['channel_id'] as string,
    reason: row['reason'] as string,
    sinceMs: row['since'] as number,
  }))
}

function listRoute(context: Context): void {
  const { app } = context
  const summary = 'List channels that pay nothing out until somebody has looked'
  const schema = described('freezes.list', summary, OPERATIONS, { reply: FreezesReply }, READ, OFFERED)
  app.get('/operations/freezes', { schema, onRequest: guard(context, READ) }, async (_, reply) => {
    const freezes = await freezesOf(await deskOf(context))
    return succeed(reply, 200, 'Freezes found.', { freezes: freezes.map(presentFreeze), next: null })
  })
}

function createRoute(context: Context): void {
  const { app } = context
  const shapes = { body: FreezeBody, reply: FreezeReply }
  const schema = described('freezes.create', 'Stop a channel’s payouts by hand', OPERATIONS, shapes, WRITE, OFFERED, {
    description: 'What has left already is still asked about; what waits can be cancelled.',
    refusals: ['channel_not_found', 'channel_frozen'],
  })
  const parse = parserOf(FreezeBody)
  app.post('/operations/freezes', { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const { channel, reason } = parse(request.body ?? {})
    const desk = await deskOf(context)
    const refusal = await freezeByHand(desk, channel, await deedBy(desk, request, reason, 'operations:write'))
    if (isRefusal(refusal)) return sendRefusal(reply, refusal)
    const made = (await freezesOf(desk)).find(({ channelId }) => channelId === channel)
    const freeze = presentFreeze(made ?? { channelId: channel, reason, sinceMs: desk.ids.nowMs() })
    return succeed(reply, 200, 'The channel pays nothing out.', { freeze })
  })
}

function deleteRoute(context: Context): void {
  const { app } = context
  const shapes = { params: ChannelParams, body: AcknowledgeBody, reply: AcknowledgedReply }
  const schema = described(
    'freezes.acknowledge',
    'Let a frozen channel pay out again',
    OPERATIONS,
    shapes,
    WRITE,
    OFFERED,
    { refusals: ['channel_not_found'] },
  )
  const parse = parserOf(AcknowledgeBody)
  const onRequest = guard(context, WRITE)
  app.delete('/operations/freezes/:channel', { schema, onRequest }, async (request, reply) => {
    const { evidence } = parse(request.body ?? {})
    const { channel } = request.params
    const desk = await deskOf(context)
    const refusal = await acknowledgeFreeze(desk, channel, await deedBy(desk, request, evidence, 'operations:write'))
    if (isRefusal(refusal)) return sendRefusal(reply, refusal)
    return succeed(reply, '200', 'The channel pays out again.', { channel })
  })
}
