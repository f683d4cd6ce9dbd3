// How operators see that the gateway is in recovery, and end it: one says why, another one confirms.
import { compareAll } from '../../app/operator/compare.ts'
import type { Desk } from '../../app/operator/desk.ts'
import { openLines, reportOf } from '../../app/operator/recovery-report.ts'
import { epochOf, resume } from '../../app/operator/resume.ts'
import { isRefusal } from '../../domain/contract/refusals.ts'
import { inRecovery } from '../../domain/recovery/epoch.ts'
import { CompareBody, presentRecovery, RecoveryReply, ResumeBody } from '../../wire/operations/recovery.ts'
import { type Context, described, guard, parserOf } from '../context.ts'
import { sendRefusal } from '../errors.ts'
import { succeed } from '../replies.ts'
import { APPROVE, deedBy, deskOf, OFFERED, OPERATIONS, READ, WRITE } from './doors.ts'

export function recoveryRoutes(context: Context): void {
  const { app } = context
  const summary = 'Whether the gateway is in recovery, since when and why'
  const reads = described('recovery.get', summary, OPERATIONS, { reply: RecoveryReply }, READ, OFFERED)
  app.get('/operations/recovery', { schema: reads, onRequest: guard(context, READ) }, async (_, reply) => {
    const recovery = await recoveryAsFound(await deskOf(context))
    return succeed(reply, 200, 'Recovery found.', { recovery })
  })
  compareRoute(context)
  resumeRoute(context)
}

async function recoveryAsFound(desk: Desk) {
  const epoch = await epochOf(desk)
  return presentRecovery(epoch, await reportOf(desk, epoch.number))
}

function compareRoute(context: Context): void {
  const { app } = context
  const shapes = { body: CompareBody, reply: RecoveryReply }
  const summary = 'Compare every channel with what its provider did since the books knew last'
  const schema = described('recovery.compare', summary, OPERATIONS, shapes, WRITE, OFFERED, {
    description:
      'In recovery only; as often as need be. What the books have open is settled, what they have forgotten is adopted with its money held, and what is left over is in the report. Nothing is sent.',
    refusals: ['not_in_recovery', 'lane_lost', 'lane_on_other_server', 'account_busy'],
  })
  const parse = parserOf(CompareBody)
  app.put('/operations/recovery/compare', { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const { since } = parse(request.body ?? {})
    const desk = await deskOf(context)
    const deed = await deedBy(desk, request, '', 'operations:write')
    const result = await compareAll(desk, since ? Date.parse(since) : null, deed)
    if (isRefusal(result)) return sendRefusal(reply, result)
    const open = openLines(result)
    const words = open === 0 ? 'Compared; no line is open.' : `Compared; ${open} lines are for an operator.`
    return succeed(reply, 200, words, { recovery: await recoveryAsFound(desk) })
  })
}

function resumeRoute(context: Context): void {
  const { app } = context
  const shapes = { body: ResumeBody, reply: RecoveryReply }
  const schema = described(
    'recovery.resume',
    'Say that the books fit the rails again',
    OPERATIONS,
    shapes,
    APPROVE,
    OFFERED,
    {
      description:
        'The first operator’s word waits a day; a second operator’s ends the recovery, and money moves again. The first one’s word again only renews it.',
      refusals: ['not_in_recovery', 'lane_lost', 'lane_on_other_server', 'recovery_not_compared', 'channel_not_found'],
    },
  )
  const parse = parserOf(ResumeBody)
  app.put('/operations/recovery/resume', { schema, onRequest: guard(context, APPROVE) }, async (request, reply) => {
    const { evidence, without = [] } = parse(request.body ?? {})
    const desk = await deskOf(context)
    const result = await resume(desk, await deedBy(desk, request, evidence, 'operations:approve'), without)
    if (isRefusal(result)) return sendRefusal(reply, result)
    const words = inRecovery(result) ? 'It waits for a second operator.' : 'The gateway works again.'
    return succeed(reply, 200, words, { recovery: await recoveryAsFound(desk) })
  })
}
