// What the payment page shows at each point of a payment, under the summary. Texts come from the languages.
import type { NextAction } from '../../domain/channel/collection.ts'
import { PAYMENT_METHODS } from '../../domain/payment/kinds.ts'
import { emvValue, readEmv } from '../../formats/emv-qr.ts'
import { qrSvg } from '../../formats/qr-image.ts'
import type { Words } from './english.ts'
import { icon } from './icons.ts'
import {
  anotherWay,
  backLink,
  copyField,
  facts,
  heading,
  type Look,
  lookAgain,
  note,
  noticesOf,
  spinner,
  sumOf,
  wordsOf,
} from './parts.ts'
import type { CheckoutAttempt, CheckoutState, CheckoutView } from './view.ts'
import { choosePanel } from './ways.ts'
import { amountText, networkName, sensibleAmount, timeElement } from './words.ts'
import { type Html, html, NOTHING, trusted } from './html.ts'

/** What there is to do or to know, and the notices about money: after the heading where there is no choice. */
export function panel(view: CheckoutView, look: Look): Html {
  // Money that is being confirmed may be the rest: the payer is not asked for it meanwhile.
  const isRestAsked = view.state !== 'processing' && view.state !== 'closing'
  const shown = isRestAsked ? view.notices : view.notices.filter(({ kind }) => kind !== 'part')
  const notices = noticesOf({ ...view, notices: shown }, look)
  const { state } = view
  if (state === 'paid') return receipt(view, look, notices)
  if (state === 'cancelled' || state === 'expired') return endPanel(view, look, notices, state)
  const open = openPanel(view, state, look)
  return state === 'address' ? open : html`${notices}${open}`
}

function endPanel(view: CheckoutView, look: Look, notices: Html, state: 'cancelled' | 'expired'): Html {
  const words = wordsOf(look)
  const said = words[`${state}Text`](view.merchant)
  return html`${sign('stop')}${heading(words[`${state}Title`])}${notices}<p>${said}</p>${numberOf(view, look)}${backLink(view, look)}`
}

type OpenState = Exclude<CheckoutState, 'paid' | 'cancelled' | 'expired'>

function openPanel(view: CheckoutView, state: OpenState, look: Look): Html {
  const words = wordsOf(look)
  const { attempt, merchant } = view
  const place = attempt ? placeOf(attempt, words) : merchant
  switch (state) {
    case 'choose':
      return choosePanel(view, look)
    case 'lapsed':
      return html`${note('warn', html`<p><strong>${words.lapsedTitle}</strong></p><p>${words.lapsedText}</p>`)}${choosePanel(view, look)}`
    case 'starting':
      return html`${spinner}${heading(words.startingTitle(place))}<p>${words.startingText}</p>${anotherWay(view, look)}${lookAgain(view, look)}`
    case 'redirect':
    case 'qr':
    case 'address':
      return attempt?.action ? actPanel(view, look, attempt, attempt.action) : NOTHING
    case 'processing':
      return html`${spinner}${heading(words.processingTitle)}${progress(view, look)}<p>${attempt?.kind === 'crypto' ? words.confirmingText : words.processingText(place)}</p>${lookAgain(view, look)}`
    case 'closing':
      return html`${spinner}${heading(words.closingTitle)}<p>${words.closingText(place)}</p>${lookAgain(view, look)}`
  }
}

/** Where the payer goes or has been: a card is not a place. */
const placeOf = ({ kind, name }: CheckoutAttempt, words: Words): string =>
  PAYMENT_METHODS[kind].form === 'card_token' ? words.cardPlace : name

const numberOf = ({ contractId }: CheckoutView, look: Look): Html =>
  facts([[wordsOf(look).paymentNumber, html`<code>${contractId}</code>`]])

const sign = (name: 'done' | 'stop'): Html => html`<div class="sign ${name}">${icon(name)}</div>`

function actPanel(view: CheckoutView, look: Look, attempt: CheckoutAttempt, action: NextAction): Html {
  const end = html`${anotherWay(view, look)}${lookAgain(view, look)}`
  switch (action.type) {
    case 'redirect':
      return html`${redirectPanel(view, look, attempt, action.url)}${end}`
    case 'display_qr':
      return html`${codePanel(view, look, attempt, action.data)}${end}`
    case 'display_address':
      return html`${addressPanel(view, look, action)}${end}`
  }
}

function redirectPanel({ currency }: CheckoutView, look: Look, attempt: CheckoutAttempt, url: string): Html {
  const words = wordsOf(look)
  const { name, debitMinor } = attempt
  const place = placeOf(attempt, words)
  const go = html`<p><a class="button${look.isBack ? ' second' : ''}" href="${url}" rel="noreferrer">${words.redirectGo(place)}</a></p>`
  if (look.isBack) return html`${spinner}${heading(words.returnedTitle(place))}<p>${words.returnedText(place)}</p>${go}`
  const amount = amountText(debitMinor, currency)
  return html`${heading(words.redirectTitle(name))}<p>${words.redirectText(place, amount)}</p>${go}`
}

/** The name of the payee that an EMVCo code carries (59): what the payer's app will show. */
function payeeIn(data: string): string | null {
  const read = readEmv(data)
  return 'fault' in read ? null : emvValue(read.items, '59')
}

function codePanel({ currency }: CheckoutView, look: Look, { debitMinor }: CheckoutAttempt, data: string): Html {
  const words = wordsOf(look)
  const payee = payeeIn(data)
  const shown = payee === null ? NOTHING : html`<p class="payee">${words.qrPayee} <strong>${payee}</strong></p>`
  return html`${heading(words.qrTitle)}
<div class="code">${trusted(qrSvg(data, words.qrPicture))}<p class="under"><strong>${amountText(debitMinor, currency)}</strong></p>${shown}</div>
<p class="keep"><button type="button" class="button here" data-save="qr.png" hidden>${words.qrSave}</button></p>
<ol class="steps">${words.qrSteps.map((step) => html`<li>${step}</li>`)}</ol>
${copyField('code-text', words.qrText, data, words, 'long')}`
}

function addressPanel(view: CheckoutView, look: Look, action: Extract<NextAction, { type: 'display_address' }>): Html {
  const words = wordsOf(look)
  const { address, amount, asset, network, uri, confirmations } = action
  const isRest = view.notices.some(({ kind }) => kind === 'part')
  const said = `${sensibleAmount(amount)} ${asset}`
  return html`${heading(isRest ? words.addressRestTitle(said) : words.addressTitle(said))}${noticesOf(view, look)}
${note('warn', html`<p>${words.addressWarn(asset, networkName(network))}</p>`)}
<div class="code">${trusted(qrSvg(uri, words.addressPicture))}</div>
<p><a class="button second here" href="${uri}">${words.addressOpen}</a></p>
${copyField('pay-amount', `${words.addressAmount} (${asset})`, amount, words, 'short')}
${copyField('pay-address', words.address, address, words, 'short')}
${facts([[words.network, networkName(network)]])}
<p class="soft">${words.confirmationsNeeded(confirmations)}</p>`
}

/** Blocks on top of a payment on a chain. */
function progress({ attempt }: CheckoutView, look: Look): Html {
  const action = attempt?.action
  if (action?.type !== 'display_address') return NOTHING
  const needed = action.confirmations
  const done = Math.min(needed, Math.max(0, Math.trunc(Number(attempt?.shown['confirmations'] ?? 0)) || 0))
  const text = wordsOf(look).confirmations(done, needed)
  return html`<p class="progress"><label for="confirmations">${text}</label><progress id="confirmations" max="${needed}" value="${done}">${text}</progress></p>`
}

function receipt(view: CheckoutView, look: Look, notices: Html): Html {
  const words = wordsOf(look)
  const { merchant, currency, amountMinor, attempt, paidAt, returnUrl } = view
  const debitMinor = attempt?.debitMinor ?? amountMinor
  const hasFee = debitMinor > amountMinor
  const rows = facts([
    [words.paidTo, merchant],
    [words.forReference, view.description],
    [words.reference, view.referenceId],
    [words.amount, hasFee ? sumOf(amountMinor, currency) : null],
    [words.fee, hasFee ? sumOf(debitMinor - amountMinor, currency) : null],
    [words.youPaid, html`<strong>${sumOf(debitMinor, currency)}</strong>`],
    [words.paidWith, attempt && meansOf(attempt)],
    [words.paidAt, paidAt === null ? null : timeElement(paidAt)],
    [words.paymentNumber, html`<code>${view.contractId}</code>`],
  ])
  // Who has a word about their money to read, and may have to ask about it, is not taken away from it.
  const leave = view.notices.length === 0 ? leaving(merchant, look) : NOTHING
  const back = returnUrl === null ? NOTHING : html`${returning(returnUrl, merchant, look)}${leave}`
  return html`${sign('done')}${heading(words.paidTitle)}${notices}
<h3>${words.receipt}</h3>${rows}
${back}<p class="other"><button type="button" class="link" data-print hidden>${words.print}</button></p>`
}

/** Back to the merchant by hand. */
function returning(url: string, merchant: string, look: Look): Html {
  return html`<p><a class="button" id="back" href="${url}" rel="noreferrer">${wordsOf(look).backTo(merchant)}</a></p>
`
}

/** And by itself, a moment after a payment that was seen here. */
function leaving(merchant: string, look: Look): Html {
  const words = wordsOf(look)
  return html`<p class="soft" id="leaving" data-said="${words.goingBack(merchant)}" data-seen="${look.isBack ? 'yes' : ''}" hidden><span></span> <button type="button" class="link" data-stay>${words.stay}</button></p>`
}

function meansOf({ name, shown }: CheckoutAttempt): string {
  const { brand, last4 } = shown
  if (brand === undefined || last4 === undefined) return name
  return `${brand.charAt(0).toUpperCase()}${brand.slice(1)} •••• ${last4}`
}
