// Channels: what they are, what they ask, and what a draft would cost on each.
import type { ChannelFacts } from '../domain/channels.ts'
import { previewOf } from '../domain/preview.ts'
import { isRefusal, refuse } from '../domain/refusals.ts'
import { callerOf, type Context, described, guard, KEY_OR_TOKEN, KEY_ONLY, succeed } from './context.ts'
import { parseDraft } from './draft.ts'
import { sendRefusal } from './errors.ts'
import { presentChannel, presentContractChannel, previewBody } from './present.ts'
import { ChannelReply, ChannelsReply, CompareReply, DraftBody } from './schemas.ts'

const TAG = 'Channels'
const READ = { accepts: 'api key or token', scope: 'contracts:read' } as const

export function channelRoutes(context: Context): void {
  const { app, deps, presenter, settings } = context

  const list = described('List channels', TAG, { reply: ChannelsReply }, KEY_OR_TOKEN)
  app.get('/channels', { schema: list, onRequest: guard(context, READ) }, async (_, reply) =>
    succeed(reply, 200, 'Channels found.', {
      channels: deps.channels.all().map((channel) => presentChannel(presenter, channel)),
      next: null,
    }),
  )

  const get = described('Get a channel', TAG, { reply: ChannelReply }, [])
  // Open to all: a contract's channel.policy.uri leads here, and the reader of a contract may be anybody.
  app.get('/channels/:id', { schema: get }, async (request, reply) => {
    const { id } = request.params as { id: string }
    const channel = deps.channels.current(id)
    if (!channel)
      return sendRefusal(reply, refuse('channel_not_found', 'id', 'No channel has this id. See GET /channels.'))
    return succeed(reply, 200, 'Channel found.', { channel: presentChannel(presenter, channel) })
  })

  const compare = described('Price a draft on every channel', TAG, { body: DraftBody, reply: CompareReply }, KEY_ONLY)
  app.post(
    '/channels/compare',
    { schema: compare, onRequest: guard(context, { accepts: 'api key', scope: 'contracts:read' }) },
    async (request, reply) => {
      const { livemode } = callerOf(request)
      const draft = parseDraft(request.body, { currencies: settings.currencies, livemode })
      if (isRefusal(draft)) return sendRefusal(reply, draft)
      const { currency } = draft.terms
      const priced = (channel: ChannelFacts) => ({
        channel: presentContractChannel(presenter, channel, currency),
        preview: previewBody(
          presenter,
          previewOf({ ...draft.terms, channelId: channel.id }, channel),
          currency,
          channel,
          [],
        ),
        undo_seconds: channel.undoSeconds,
      })
      return succeed(reply, 200, 'Draft priced.', { channels: deps.channels.all().map(priced), next: null })
    },
  )
}
