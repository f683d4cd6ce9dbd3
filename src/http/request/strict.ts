// What an operation does not read is refused, where nothing else would check: a query on an operation without one, a
// body on one that takes none. Operations that have them check them by their schemas (validation.ts).
import type { FastifyInstance, preValidationHookHandler } from 'fastify'
import type { Refusal } from '../../domain/contract/refusals.ts'
import { refuseAll } from '../../domain/contract/refusals.ts'
import { sendRefusal } from '../errors.ts'
import { unknownParameter } from '../../app/contracts/validation.ts'

/** For every operation of the API that is added from now on. Pages for people, and probes, take any query. */
export function refuseUnread(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { schema, method } = route
    if (!schema?.tags || schema.tags.includes('Health')) return
    const hooks: preValidationHookHandler[] = []
    if (schema.querystring === undefined) hooks.push(noQuery)
    if (schema.body === undefined && ![method].flat().every((each) => each === 'GET' || each === 'HEAD'))
      hooks.push(noBody)
    if (hooks.length > 0) route.preValidation = [...hooks, ...[route.preValidation ?? []].flat()]
  })
}

const noQuery: preValidationHookHandler = (request, reply, done) => {
  const refusal = unknownMemberIn(request.query)
  if (refusal) sendRefusal(reply, refusal)
  else done()
}

const noBody: preValidationHookHandler = (request, reply, done) => {
  const refusal = unknownMemberIn(request.body)
  if (refusal) sendRefusal(reply, refusal)
  else done()
}

function unknownMemberIn(sent: unknown): Refusal | null {
  if (typeof sent !== 'object' || sent === null) return null
  for (const name in sent) return refuseAll([unknownParameter('', name, [])])
  return null
}
