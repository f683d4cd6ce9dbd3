// The choice of how to pay: each way with its cost. One click where nothing more is needed; works without a script.
import { PAYMENT_METHODS, type PaymentKind } from '../../domain/payment/kinds.ts'
import type { OfferedMethod } from '../../domain/payment/methods.ts'
import { FORM_ICONS, icon } from './icons.ts'
import { copyField, heading, hrefOf, type Look, note, wordsOf } from './parts.ts'
import type { CheckoutView } from './view.ts'
import type { Words } from './english.ts'
import { amountText, networkName } from './words.ts'
import { type Html, html, NOTHING } from './html.ts'

const FAILURES: readonly [RegExp, keyof Words['failures']][] = [
  [/fund|balance/, 'funds'],
  [/token/, 'token'],
  [/authent|3ds|challenge/, 'authentication'],
  [/payer_(declined|cancel)|cancel|closed|void|expired|not_approved/, 'stopped'],
  [/amount|currency|partial|excess/, 'amount'],
  [/declin|refus/, 'declined'],
]

export function choosePanel(view: CheckoutView, look: Look): Html {
  const words = wordsOf(look)
  const { methods, merchant } = view
  const ways = methods.map((method, index) => wayItem(view, look, method, index))
  const list =
    ways.length === 0 ? note('warn', html`<p>${words.noWays(merchant)}</p>`) : html`<ul class="ways">${ways}</ul>`
  return html`${failureNote(view, words)}${heading(words.chooseTitle)}${priceForAll(view, words)}${resumeNote(view, look)}${list}`
}

/** Whether every way costs the same: then the price is said once, above them. */
const isOnePrice = ({ methods }: CheckoutView) =>
  methods.length > 1 && methods.every(({ debitMinor }) => debitMinor === methods[0]?.debitMinor)

function priceForAll(view: CheckoutView, words: Words): Html {
  const { methods, amountMinor, currency } = view
  const [first] = methods
  if (!first || !isOnePrice(view)) return NOTHING
  const { debitMinor } = first
  // The amount stands above already.
  if (debitMinor === amountMinor) return html`<p class="soft">${words.waysSame}</p>`
  const fee = words.waysFee(amountText(debitMinor - amountMinor, currency))
  return html`<p class="soft">${words.waysPrice(amountText(debitMinor, currency), fee)}</p>`
}

/** Why the last attempt came to nothing. */
function failureNote({ attempt, state }: CheckoutView, words: Words): Html {
  if (attempt?.status !== 'failed' || state !== 'choose') return NOTHING
  const code = (attempt.failureCode ?? '').toLowerCase()
  const reason = FAILURES.find(([pattern]) => pattern.test(code))?.[1] ?? 'other'
  return note(
    'bad',
    html`<p><strong>${words.failedTitle(attempt.name)}</strong></p><p>${words.failures[reason]} ${words.tryAnother}</p>`,
  )
}

/** The way back to an open attempt while the payer chooses another way. */
function resumeNote(view: CheckoutView, look: Look): Html {
  const { attempt, state } = view
  const isOpen = attempt?.status === 'starting' || attempt?.status === 'pending' || attempt?.status === 'unknown'
  if (!attempt || !isOpen || state !== 'choose' || attempt.action === null) return NOTHING
  const words = wordsOf(look)
  return html`<p class="resume"><span>${words.resume(attempt.name)}</span> <a href="${hrefOf(view, look, '')}">${words.resumeLink}</a></p>`
}

function wayItem(view: CheckoutView, look: Look, method: OfferedMethod, index: number): Html {
  const words = wordsOf(look)
  const id = `way-${index}`
  switch (PAYMENT_METHODS[method.kind].form) {
    case 'e_wallet':
    case 'code':
    case 'card_token':
      return html`<li>${form(view, look, method, html`<button class="way">${wayFace(view, method, words)}</button>`)}</li>`
    case 'asset':
      return disclosure(view, method, words, form(view, look, method, cryptoFields(words, id)))
    case 'own_wallet':
      return disclosure(view, method, words, walletText(view, words))
  }
}

function disclosure(view: CheckoutView, method: OfferedMethod, words: Words, inside: Html): Html {
  return html`<li><details name="way"><summary class="way">${wayFace(view, method, words)}</summary><div class="more">${inside}</div></details></li>`
}

function wayFace(view: CheckoutView, method: OfferedMethod, words: Words): Html {
  const { kind, name, asset } = method
  const price = isOnePrice(view) ? NOTHING : priceOf(view, method, words)
  return html`${icon(FORM_ICONS[PAYMENT_METHODS[kind].form])}<span class="name"><strong>${name}</strong><small>${hintOf(kind, asset, words)}</small></span>
${price}${icon('next')}`
}

function priceOf({ amountMinor, currency }: CheckoutView, { feeMinor, debitMinor }: OfferedMethod, words: Words): Html {
  const said = debitMinor > amountMinor ? words.waysFee(amountText(feeMinor, currency)) : words.waysNoFee
  const total = amountText(debitMinor, currency)
  return html`<span class="price"><strong><span class="away">${words.youPay} </span>${total}</strong><small>${said}</small></span>`
}

function hintOf(kind: PaymentKind, asset: OfferedMethod['asset'], { forms }: Words): string {
  const method = PAYMENT_METHODS[kind]
  switch (method.form) {
    case 'e_wallet':
      return forms.e_wallet(method.label)
    case 'asset':
      return forms.asset(asset?.asset ?? '', networkName(asset?.network ?? ''))
    case 'code':
    case 'card_token':
    case 'own_wallet':
      return forms[method.form]
  }
}

function form(view: CheckoutView, look: Look, { kind, channelId, asset }: OfferedMethod, inside: Html): Html {
  const named = asset ? [hidden('asset', asset.asset), hidden('network', asset.network)] : []
  return html`<form method="post" action="${hrefOf(view, look, '')}">${hidden('type', kind)}${hidden('channel', channelId)}${named}${inside}</form>`
}

const hidden = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}">`

function cryptoFields(words: Words, id: string): Html {
  return html`<p class="field"><label for="${id}-refund">${words.cryptoRefund}</label>
<input id="${id}-refund" name="refund_address" type="text" maxlength="128" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="${id}-hint">
<small id="${id}-hint">${words.cryptoRefundHint}</small></p>
<button class="button">${words.cryptoShow}</button>`
}

/** The owner of a wallet pays with their own key, and sends the contract's token as proof of access. */
function walletText({ token, baseUrl, contractId }: CheckoutView, words: Words): Html {
  const command = `curl -X PUT "${baseUrl}/contracts/payment/${contractId}/pay" \\
  -H "Authorization: Bearer ${token}" \\
  -H "X-Api-Key: $API_KEY" -H "Content-Type: application/json" \\
  -d '{"type":"wallet","wallet":{"wallet_id":"'$WALLET_ID'"}}'`
  return html`<p>${words.walletText}</p>${copyField('wallet-code', words.walletCode, token, words, 'short')}${copyField('wallet-command', words.walletCommand, command, words, 'long')}`
}
