// Channels: what they are, what they promise, and what a draft would cost on each.
import { OPEN } from '../openapi/facts.ts'
import type { Access } from '../auth/auth.ts'
import type { FastifyReply } from 'fastify'
import { profilesNamed } from '../../app/profiles/named.ts'
import { findPayee } from '../../app/transfers/payees.ts'
import { isForMode } from '../../domain/channel/modes.ts'
import { type ChannelFacts, payingOut } from '../../domain/channel/channel.ts'
import { departureOf } from '../../domain/transfer/departure.ts'
import { payeeFaults } from '../../domain/transfer/payees.ts'
import { pricesOf } from '../../app/policies/prices.ts'
import type { Facts } from '../../domain/contract/decision.ts'
import { isValid, previewOf } from '../../domain/contract/preview.ts'
import { isRefusal, refuse } from '../../domain/contract/refusals.ts'
import type { Message, Terms } from '../../domain/transfer/transfer.ts'
import {
  ChannelParams,
  ChannelReply,
  ChannelsReply,
  CompareReply,
  type Offer,
  PolicyQuery,
  PolicyReply,
  presentChannel,
  presentOffer,
  presentPolicy,
} from '../../wire/channels.ts'
import { DraftBody } from '../../wire/transfer-requests.ts'
import { callerOf, type Context, described, guard, parserOf } from '../context.ts'
import { succeed } from '../replies.ts'
import { draftOf, readDraft } from '../../app/contracts/draft.ts'
import { sendRefusal } from '../errors.ts'

const TAG = 'Channels'
const READ = { accepts: 'api key or token', scope: 'contracts:read' } as const

const COMPARE: Access = { accepts: 'api key', scope: 'contracts:read' }

export function channelRoutes(context: Context): void {
  pageRoutes(context)
  policyRoute(context)
  compareRoute(context)
}

function pageRoutes(context: Context): void {
  const { app, deps } = context
  // Read for each reply: the address may be known only once it is bound.
  const { presenter } = context
  const list = described('channels.list', 'List channels', TAG, { reply: ChannelsReply }, READ)
  app.get('/channels', { schema: list, onRequest: guard(context, READ) }, async (request, reply) => {
    const { livemode } = callerOf(request)
    const fit = deps.channels.all().filter((channel) => isForMode(channel, livemode))
    const channels = fit.map((channel) => presentChannel(presenter.baseUrl, channel))
    return succeed(reply, 200, 'Channels found.', { channels, next: null })
  })

  const get = described('channels.get', 'Get a channel', TAG, { params: ChannelParams, reply: ChannelReply }, OPEN, {
    refusals: ['channel_not_found'],
  })
  // Open to all, as its policy is: the reader of a contract may be anybody.
  app.get('/channels/:id', { schema: get }, async (request, reply) => {
    const { id } = request.params
    const channel = deps.channels.current(id)
    if (!channel) return noSuchChannel(reply)
    return succeed(reply, 200, 'Channel found.', { channel: presentChannel(presenter.baseUrl, channel) })
  })
}

/** Where `channel.policy.uri` of a contract leads, with the version that prices it: old versions stay for ever. */
function policyRoute({ app, deps: { channels } }: Context): void {
  const shapes = { params: ChannelParams, querystring: PolicyQuery, reply: PolicyReply }
  const parse = parserOf(PolicyQuery)
  app.get(
    '/channels/:id/policy',
    {
      schema: described('channels.policy', "Get a channel's policy", TAG, shapes, OPEN, {
        refusals: ['channel_not_found'],
      }),
    },
    async (request, reply) => {
      const { id } = request.params
      const { version } = parse(request.query)
      const channel = version === undefined ? channels.current(id) : channels.at(id, Number(version))
      if (channel) return succeed(reply, 200, 'Policy found.', { policy: presentPolicy(channels, channel) })
      if (channels.versions(id).length === 0 || version === undefined) return noSuchChannel(reply)
      return sendRefusal(reply, refuse('channel_not_found', 'version', 'The channel never had this version.'))
    },
  )
}

function noSuchChannel(reply: FastifyReply): FastifyReply {
  return sendRefusal(reply, refuse('channel_not_found', 'id', 'No channel has this id. See GET /channels.'))
}

function compareRoute(context: Context): void {
  const { app, deps, settings, presenter } = context
  const schema = described(
    'channels.compare',
    'Price a draft on every channel',
    TAG,
    { body: DraftBody, reply: CompareReply },
    COMPARE,
    { refusals: ['channel_not_in_mode'] },
  )
  const onRequest = guard(context, COMPARE)
  app.post('/channels/compare', { schema, onRequest }, async (request, reply) => {
    const caller = callerOf(request)
    const { livemode } = caller
    const sent = readDraft(request.body)
    if (isRefusal(sent)) return sendRefusal(reply, sent)
    const profiles = await profilesNamed(deps, caller, sent.read)
    const rules = { currencies: settings.currencies, livemode }
    const draft = draftOf(sent.read, rules, { money: 'goes out', profiles })
    if (isRefusal(draft)) return sendRefusal(reply, draft)
    const { terms } = draft
    const nowMs = deps.nowMs()
    const open = payingOut(deps.channels).filter((channel) => isForMode(channel, livemode))
    const walletId = terms.recipient?.wallet ?? null
    const payee = walletId === null ? undefined : await findPayee(deps, walletId)
    const priced = await pricesOf(deps, caller)
    const offers = open.map((channel) => {
      const found = payeeFaults(terms, { livemode }, channel, payee)
      return offerOf(channel, { ...terms, channelId: channel.id }, found, { nowMs, ...priced })
    })
    return succeed(reply, 200, 'Draft priced.', {
      channels: offers.sort(byAdvantage).map((offer) => presentOffer(presenter.baseUrl, offer, terms.currency, nowMs)),
      next: null,
    })
  })
}

function offerOf(
  channel: ChannelFacts,
  terms: Terms,
  found: readonly Message[],
  { nowMs, price }: Pick<Facts, 'nowMs' | 'price'>,
): Offer {
  const asked = price?.(terms) ?? null
  const preview = previewOf(terms, channel, found, asked)
  return { channel, preview, departure: departureOf(channel, nowMs), ...(asked ? { price: asked } : {}) }
}

/** Those that would do come first, then the cheapest for the payer, then the quickest; an arrival nobody knows is late. */
function byAdvantage(a: Offer, b: Offer): number {
  const rank = ({ preview }: Offer) => (isValid(preview) ? 0 : 1)
  const arrival = ({ departure }: Offer) => departure.arrivesAt ?? Number.MAX_SAFE_INTEGER
  const dearer = a.preview.debitMinor - b.preview.debitMinor
  return rank(a) - rank(b) || (dearer > 0n ? 1 : dearer < 0n ? -1 : 0) || arrival(a) - arrival(b)
}
