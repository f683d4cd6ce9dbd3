// The payer's choice as it is sent -> a payment method. Parsed once, here: the API and the payment page use the same rules.
import { createHash } from 'node:crypto'
import { cardInUrl, maskCards } from '../../domain/text/cards.ts'
import type { PaymentMethod } from '../../domain/channel/collection.ts'
import { PAYMENT_METHODS, schemeOf } from '../../domain/payment/kinds.ts'
import { payableAddress } from '../../domain/text/evm-address.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import { invalid, isRefusal, missing, type Problem, type Refusal, refuseAll } from '../../domain/contract/refusals.ts'
import { mobileNumber } from '../../domain/text/mobile.ts'
import { type MethodBody, SentMethod } from '../../wire/payment-requests.ts'
import { readerOf } from '../../app/contracts/validation.ts'

const readShape = readerOf(SentMethod)

/** The method that a body names: `{type, <type>: {…}}`, or the same under `payment`. `at` is where it stands in the request. */
export function parseMethod(body: unknown, at: 'payment' | 'body' = 'payment'): PaymentMethod | Refusal {
  if (holdsCard(body)) return refuseAll([at === 'body' ? CARD_SENT : inPayment(CARD_SENT)])
  const sent = readShape(body)
  if (isRefusal(sent)) {
    const { problems, code, param, message } = sent
    return refusedAt(at, problems.length > 0 ? problems : [{ code, param, message }]) ?? sent
  }
  const problems: Problem[] = []
  const method = methodOf(sent.read, problems)
  return refusedAt(at, problems) ?? method
}

/** The problems by where they stand in the request: `payment.card.token` in one, `card.token` in the other. */
function refusedAt(at: 'payment' | 'body', problems: readonly Problem[]): Refusal | null {
  const [first, ...others] = at === 'body' ? problems : problems.map(inPayment)
  return first ? refuseAll([first, ...others]) : null
}

function inPayment({ code, param, message }: Problem): Problem {
  if (param === null || param === 'body') return invalid('payment', message.replace(/^body\b/, 'payment'))
  const placed = code.replace(/^(missing|invalid)_/, '$1_payment_') as Problem['code']
  return { code: placed, param: `payment.${param}`, message }
}

type Fields = Record<string, string | null | undefined>

function methodOf(sent: MethodBody, problems: Problem[]): PaymentMethod {
  const { type } = sent
  const { hosted, ...others } = sent[type] ?? {}
  const fields = others as Fields
  const plain = (details: Fields): PaymentMethod => ({ kind: type, details: present(details), secret: null })
  switch (PAYMENT_METHODS[type].form) {
    case 'e_wallet': {
      const { success_url, failure_url, cancel_url } = fields
      const urls = { success_url, failure_url, cancel_url }
      checkUrls(type, urls, problems)
      return plain({ mobile: mobileIn(type, fields['mobile'] ?? null, problems), ...urls })
    }
    case 'code':
      return plain({ scheme: schemeOf(type) })
    case 'card_token':
      return cardOf(fields, hosted === true, problems)
    case 'own_wallet': {
      const walletId = fields['wallet_id'] ?? ''
      if (walletId === '') problems.push(missing('wallet.wallet_id', 'Give a wallet of the payer: GET /wallets.'))
      else if (!isUuid(walletId))
        problems.push(invalid('wallet.wallet_id', 'wallet.wallet_id must be the id of a wallet.'))
      return plain({ wallet_id: walletId })
    }
    case 'asset':
      return plain(cryptoOf(fields, problems))
  }
}

function present(details: Fields): Record<string, string> {
  return Object.fromEntries(Object.entries(details).flatMap(([name, value]) => (value ? [[name, value]] : [])))
}

// Tokens of card providers begin with a letter; a number would be somebody's card.
const TOKEN = /^[A-Za-z][A-Za-z0-9_.-]{2,254}$/

function cardOf(fields: Fields, isHosted: boolean, problems: Problem[]): PaymentMethod {
  const token = fields['token'] ?? ''
  const { return_url } = fields
  checkUrls('card', { return_url }, problems)
  if (isHosted && token === '') return { kind: 'card', details: present({ hosted: 'yes', return_url }), secret: null }
  if (isHosted) problems.push(invalid('card.hosted', 'Send card.token, or card.hosted: one of them.'))
  else if (token === '')
    problems.push(
      missing('card.token', 'Give the token of your card provider, or "hosted": true for a page of the provider.'),
    )
  else if (!TOKEN.test(token) || /\d{12}/.test(token))
    problems.push(invalid('card.token', 'card.token must be a token of your card provider, never a card number.'))
  // Tells one card from another without keeping the token.
  const card = createHash('sha256').update(token).digest('hex').slice(0, 16)
  return { kind: 'card', details: present({ card, return_url }), secret: token }
}

const CARD_SENT: Problem = {
  code: 'card_data_not_allowed',
  param: 'card',
  message:
    'Card numbers are never accepted here. Send the token that your card provider makes of the card in the payer’s browser.',
}

/** Whether a card itself was sent beside its token, or in its place. */
function holdsCard(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || !('card' in body)) return false
  const { card } = body
  if (typeof card !== 'object' || card === null) return false
  const text = JSON.stringify(card)
  return 'number' in card || maskCards(text) !== text
}

function cryptoOf(fields: Fields, problems: Problem[]): Fields {
  const { asset, network, refund_address: refundAddress } = fields
  if (!asset) problems.push(missing('crypto.asset', 'Give an asset of a channel: GET /channels.'))
  if (!network) problems.push(missing('crypto.network', 'Give the network of the asset: GET /channels.'))
  if (!refundAddress) return { asset, network }
  const judged = payableAddress(refundAddress, [])
  if ('fault' in judged) problems.push(invalid('crypto.refund_address', `crypto.refund_address: ${judged.fault}`))
  return { asset, network, refund_address: refundAddress }
}

function mobileIn(type: string, sent: string | null, problems: Problem[]): string | null {
  if (sent === null || sent === '') return null
  const mobile = mobileNumber(sent)
  if (mobile !== null && /^\+639\d{9}$/.test(mobile)) return mobile
  problems.push(
    invalid(`${type}.mobile`, `${type}.mobile must be a mobile number of the Philippines, such as +639171234567.`),
  )
  return null
}

function checkUrls(type: string, urls: Fields, problems: Problem[]): void {
  for (const [name, value] of Object.entries(urls)) {
    if (!value) continue
    const param = `${type}.${name}`
    const fault = isWebUrl(value)
      ? cardInUrl(param, value)
      : invalid(param, `${param} must be a whole http or https URL.`)
    if (fault) problems.push(fault)
  }
}

/** A URL that a browser may be sent to. */
export function isWebUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === ''
}
