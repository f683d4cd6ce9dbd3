// How operators see that the gateway is in recovery, and end it: one says why, another one confirms.
import { epochOf, resume } from '../../app/operator/resume.ts'
import { isRefusal } from '../../domain/contract/refusals.ts'
import { inRecovery } from '../../domain/recovery/epoch.ts'
import { presentRecovery, RecoveryReply, ResumeBody } from '../../wire/operations/recovery.ts'
import { type Context, described, guard, parserOf } from '../context.ts'
import { sendRefusal } from '../errors.ts'
import { succeed } from '../replies.ts'
import { APPROVE, deedBy, deskOf, OFFERED, OPERATIONS, READ } from './doors.ts'

export function recoveryRoutes(context: Context): void {
  const { app } = context
  const summary = 'Whether the gateway is in recovery, since when and why'
  const reads = described('recovery.get', summary, OPERATIONS, { reply: RecoveryReply }, READ, OFFERED)
  app.get('/operations/recovery', { schema: reads, onRequest: guard(context, READ) }, async (_, reply) => {
    const epoch = await epochOf(await deskOf(context))
    return succeed(reply, 200, 'Recovery found.', { recovery: presentRecovery(epoch) })
  })
  resumeRoute(context)
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
      refusals: ['not_in_recovery'],
    },
  )
  const parse = parserOf(ResumeBody)
  app.put('/operations/recovery/resume', { schema, onRequest: guard(context, APPROVE) }, async (request, reply) => {
    const { evidence } = parse(request.body ?? {})
    const desk = await deskOf(context)
    const result = await resume(desk, await deedBy(desk, request, evidence, 'operations:approve'))
    if (isRefusal(result)) return sendRefusal(reply, result)
    const words = inRecovery(result) ? 'It waits for a second operator.' : 'The gateway works again.'
    return succeed(reply, 200, words, { recovery: presentRecovery(result) })
  })
}
