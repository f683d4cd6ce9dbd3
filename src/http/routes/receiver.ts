// POST /webhooks: where providers tell of payments (spec 4.11, docs/design/webhooks.md). An API key says whose it is, its secret proves the
// bytes, and nothing of a body is read before that. Answered with 200 only when the event is committed.
import { SIGNED } from '../openapi/facts.ts'
import type { Access } from '../auth/auth.ts'
import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import { takeEvent } from '../../app/payments/provider-events.ts'
import { keptText } from '../../domain/payment/provider-events.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/contract/refusals.ts'
import { type Doubt, doubtOf } from '../../webhooks/receive.ts'
import { parseBody } from '../request/body.ts'
import { signaturesOf } from '../request/signatures.ts'
import { callerOf, type Context, described, guard, parserOf } from '../context.ts'
import { sendJson, type WireTypes } from '../replies.ts'
import { RefusedRequest, sendRefusal } from '../errors.ts'
import { BODY_BYTES_MAX } from '../request/sizes.ts'
import { hash128 } from '../../platform/hashes.ts'
import { PaymentEventBody, PaymentEventReply } from '../../wire/provider-events.ts'

const WRITE: Access = { accepts: 'api key', scope: 'events:write' }

export function receiverRoutes(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'payment_events.create',
    'Hear of payments',
    'Payment events',
    { body: PaymentEventBody, reply: PaymentEventReply },
    WRITE,
    {
      description:
        'For providers. Beside the API key, Service-Signature: t=<unix seconds>,v1=<hex of HMAC-SHA256 over "<t>.<body>">, by the secret of that key, not older than five minutes. Told again, it changes nothing.',
    },
    SIGNED,
    { refusals: ['event_id_reused'] },
  )
  const parse = parserOf(PaymentEventBody)
  const onRequest = [refuseOversize, guard(context, WRITE)]
  // A scope of its own, where bodies stay bytes.
  void app.register(async (plain) => {
    const scope = plain.withTypeProvider<WireTypes>()
    keepBytes(plain)
    scope.post('/webhooks', { schema, bodyLimit: BODY_BYTES_MAX.callback, onRequest }, async (request, reply) => {
      const caller = callerOf(request)
      const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const secrets = await deps.receivers.secretsOf(caller)
      if (!deps.callbacks.isGenuine(raw, signaturesOf(request), secrets))
        return sendRefusal(reply, distrust(raw, signaturesOf(request), secrets, deps.nowMs()))
      const parsed = parseBody(raw, 'kept as text')
      if (isRefusal(parsed)) return sendRefusal(reply, parsed)
      const { id, type, data } = parse(parsed.value)
      const body = keptText(raw.toString('utf8'), parsed.value)
      const allowedChannels = await deps.receivers.channelsOf(caller)
      const event = { id, type, object: data.object, body, bodyHash: hash128(raw), allowedChannels }
      const answer = await takeEvent(deps, caller, event)
      if (isRefusal(answer)) return sendRefusal(reply, answer)
      return sendJson(reply, {})
    })
  })
}

/** What says that it is too large is not even asked who it is. */
const refuseOversize: onRequestHookHandler = (request, reply, done) => {
  if (!(Number(request.headers['content-length']) > BODY_BYTES_MAX.callback)) return done()
  reply.header('connection', 'close')
  sendRefusal(reply, refuse('body_too_large', 'body', `The body is larger than ${BODY_BYTES_MAX.callback} bytes.`))
}

function keepBytes(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  const options = { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX.callback } as const
  scope.addContentTypeParser('application/json', options, ({ headers }, raw, done) => {
    if (headers['content-encoding'] === undefined) return done(null, raw)
    const mend = 'Send the body without compression: its signature is over the bytes as they are sent.'
    done(new RefusedRequest(refuse('unsupported_media_type', 'Content-Encoding', mend)))
  })
}

const FORM = 'Service-Signature: t=<unix seconds>,v1=<hex of HMAC-SHA256 over "<t>.<body>">, once'
const TOO_FAR =
  'Its time t is more than five minutes from now: t is in seconds, not milliseconds, and each sending is signed anew.'

/** Each mistake is mended in another place. None of this says anything of a secret. */
const MENDS: Readonly<Record<Doubt, string>> = {
  missing: `The header is missing. Send ${FORM}.`,
  malformed: `The header does not have its form. Send ${FORM}.`,
  stale: TOO_FAR,
  future: TOO_FAR,
  mismatch:
    'The signature does not prove the body. Sign "<t>." and then the very bytes that are sent, with the whole text of the signing secret of this API key.',
}
const NO_SECRET =
  'This API key has no signing secret, so nothing proves the body. Use a key of gateway keys create --receiver, which makes both.'

function distrust(raw: Buffer, headers: readonly string[], secrets: readonly string[], nowMs: number): Refusal {
  const mend = secrets.length === 0 ? NO_SECRET : MENDS[doubtOf(raw, headers, secrets, nowMs) ?? 'mismatch']
  return refuse('invalid_signature', 'Service-Signature', mend)
}
