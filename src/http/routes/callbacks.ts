// Where providers call back. No API key: the provider's signature over the bytes is the credential, and nothing of a body
// is read before it holds.
import { SIGNED, OPEN } from '../openapi/facts.ts'
import { callbackSecrets, receiveCallback } from '../../app/transfers/callbacks.ts'
import { isRefusal, refuse } from '../../domain/contract/refusals.ts'
import { parseBody } from '../request/body.ts'
import { signaturesOf } from '../request/signatures.ts'
import { ChannelParams } from '../../wire/channels.ts'
import { CallbackBody, CallbackReply } from '../../wire/provider-events.ts'
import { type Context, described, parserOf } from '../context.ts'
import { sendJson, type WireTypes } from '../replies.ts'
import { sendRefusal } from '../errors.ts'
import { BODY_BYTES_MAX } from '../request/sizes.ts'

/** Of others nothing is known, so nothing is done. */
const TYPES: ReadonlySet<string> = new Set([
  'transfer.accepted',
  'transfer.completed',
  'transfer.failed',
  'transfer.returned',
])

export function callbackRoutes({ app, deps }: Context): void {
  const shapes = { params: ChannelParams, body: CallbackBody, reply: CallbackReply }
  const schema = described(
    'channels.callback',
    'Hear what a provider tells',
    'Channels',
    shapes,
    OPEN,
    {
      description:
        'For the provider of the channel. Service-Signature: t=<unix seconds>,v1=<hex of HMAC-SHA256 over "<t>.<body>">, not older than five minutes. Told again, it changes nothing.',
    },
    SIGNED,
    { refusals: ['channel_not_found', 'in_recovery'] },
  )
  const parse = parserOf(CallbackBody)
  // A scope of its own, where bodies stay bytes.
  void app.register(async (plain) => {
    const scope = plain.withTypeProvider<WireTypes>()
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX.callback }, (_, raw, done) =>
      done(null, raw),
    )
    scope.post(
      '/channels/:id/callbacks',
      {
        schema,
        bodyLimit: BODY_BYTES_MAX.callback,
        onRequest: (request, reply, done) => {
          if (callbackSecrets(deps, request.params.id) !== null) done()
          else sendRefusal(reply, refuse('channel_not_found', 'id', 'No channel that takes callbacks has this id.'))
        },
      },
      async (request, reply) => {
        const { id } = request.params
        const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        if (!deps.callbacks.isGenuine(raw, signaturesOf(request), callbackSecrets(deps, id) ?? []))
          return sendRefusal(reply, refuse('invalid_signature', 'Service-Signature', SIGNATURE_MEND))
        const parsed = parseBody(raw, 'kept as text')
        if (isRefusal(parsed)) return sendRefusal(reply, parsed)
        const { type, data } = parse(parsed.value)
        const received = TYPES.has(type) ? await receiveCallback(deps, id, data.object) : 'not ours'
        return isRefusal(received) ? sendRefusal(reply, received) : sendJson(reply, {})
      },
    )
  })
}

const SIGNATURE_MEND =
  'The signature does not prove the body. Sign the bytes that are sent with the secret of this channel, and send them within five minutes.'
