// Who is sent events: the receivers of callbacks about payouts, and those of payment events.
import { RAILS, type Rail } from './books/orders.ts'
import { isRail } from './books/state.ts'
import { bodyOf, isHttpUrl } from './rails/request-fields.ts'
import { json, problem, type Reply } from './replies.ts'
import type { Call, Routes } from './routing.ts'
import { textIn } from './text/fields.ts'
import { Malformed } from './text/malformed.ts'

const TEXT_CHARACTERS_MAX = 256

export const RECEIVERS: Routes = {
  'GET /callbacks': ({ books }) => json({ callbacks: [...books.receivers()].map(({ secret: _, ...shown }) => shown) }),
  'POST /callbacks': addCallbacks,
  'DELETE /callbacks/*': ({ books, id }) => ended(books.endReceiver(id), 'receiver'),
  'GET /payment-receivers': ({ books }) => {
    const receivers = [...books.paymentReceivers.receivers()]
    return json({ receivers: receivers.map(({ id, url, accountId }) => ({ id, url, account_id: accountId })) })
  },
  'POST /payment-receivers': addPaymentReceiver,
  'DELETE /payment-receivers/*': ({ books, id }) => ended(books.paymentReceivers.endReceiver(id), 'receiver'),
}

function addCallbacks({ books, request }: Call): Reply {
  const fields = bodyOf(request)
  const [url, secret] = [textIn(fields, 'url') ?? '', textIn(fields, 'secret') ?? '']
  needUrl(url)
  needSecret(secret)
  return json({ id: books.addReceiver({ url, secret, rails: railsIn(fields['rails'] ?? RAILS) }).id })
}

function railsIn(value: unknown): Rail[] {
  const rails = Array.isArray(value)
    ? value.filter((each): each is Rail => typeof each === 'string' && isRail(each))
    : []
  if (rails.length === 0 || !Array.isArray(value) || rails.length < value.length)
    throw new Malformed(`rails is a list of: ${RAILS.join(', ')}.`)
  return rails
}

function addPaymentReceiver({ books, request }: Call): Reply {
  const fields = bodyOf(request)
  const url = textIn(fields, 'url') ?? ''
  needUrl(url)
  const [apiKey, secret] = [textIn(fields, 'api_key') ?? '', textIn(fields, 'secret') ?? '']
  if (!/^[\x21-\x7e]+$/.test(apiKey) || apiKey.length > TEXT_CHARACTERS_MAX)
    throw new Malformed(`api_key is 1 to ${TEXT_CHARACTERS_MAX} printable characters.`)
  needSecret(secret)
  const accountId = textIn(fields, 'account_id')
  return json({ id: books.paymentReceivers.addReceiver({ url, apiKey, secret, accountId }).id })
}

function needUrl(url: string): void {
  if (!isHttpUrl(url)) throw new Malformed('url is one of http or https.')
}

function needSecret(secret: string): void {
  if (secret === '' || secret.length > TEXT_CHARACTERS_MAX)
    throw new Malformed(`secret is a text of 1 to ${TEXT_CHARACTERS_MAX} characters.`)
}

/** The answer to a call that ended something, or found nothing to end. */
export function ended(isEnded: boolean, kind: string): Reply {
  return isEnded ? json({ status: 'ended' }) : problem(404, 'not_found', `No ${kind} has this id.`)
}
