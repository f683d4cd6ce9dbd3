// A rule by itself, before there is a schedule: in a sentence, with its next runs. Nothing is read and nothing made.
import { isRefusal, type Problem, refuseAll } from '../../domain/contract/refusals.ts'
import { readRule } from '../../domain/schedule/rule.ts'
import { presentRule, RuleBody, RuleReply } from '../../wire/schedules/schedule.ts'
import type { Access } from '../auth/auth.ts'
import { type Context, described, guard } from '../context.ts'
import { sendRefusal } from '../errors.ts'
import { succeed } from '../replies.ts'
import { readerOf } from '../../app/contracts/validation.ts'

const READ: Access = { accepts: 'api key', scope: 'commands:read' }
const read = readerOf(RuleBody)

export function ruleRoute(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'schedules.next',
    'See when a rule would run; nothing is made',
    'Schedules',
    { body: RuleBody, reply: RuleReply },
    READ,
  )
  app.post('/schedules/next', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const sent = read(request.body ?? {})
    if (isRefusal(sent)) return sendRefusal(reply, sent)
    const nowMs = deps.nowMs()
    const { rule: config } = sent.read
    const rule = readRule(config, nowMs)
    if (Array.isArray(rule)) {
      const [first, ...others] = rule as [Problem, ...Problem[]]
      return sendRefusal(reply, refuseAll([first, ...others]))
    }
    return succeed(reply, 200, 'Rule read.', presentRule(config, rule, nowMs))
  })
}
