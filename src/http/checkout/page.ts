// The payment page as a document: head, summary, panel, and the pages for what does not exist. It must not know routes
// or books.
import { accentPath, type CheckoutAssets } from './assets.ts'
import type { Words } from './english.ts'
import { help, logo } from './help.ts'
import { facts, hrefOf, LONG_AMOUNT, type Look, note, sumOf, wordsOf } from './parts.ts'
import { panel } from './panels.ts'
import type { CheckoutState, CheckoutView } from './view.ts'
import { amountText, type Language, LANGUAGES, timeElement } from './words.ts'
import { type Html, html, NOTHING } from './html.ts'

/** How often a browser without a script reloads, in seconds. A choice is not disturbed, and what has ended stays. */
const LOOK_AGAIN_SECONDS: Partial<Record<CheckoutState, number>> = {
  starting: 3,
  redirect: 15,
  qr: 15,
  address: 20,
  processing: 5,
  closing: 5,
}

/** The whole page of a payment. */
export function checkoutPage(view: CheckoutView, look: Look, assets: CheckoutAssets): string {
  const words = wordsOf(look)
  const { merchant, state } = view
  const isTest = view.livemode ? '' : 'TEST – '
  const title = `${isTest}${titleOf(state, words, merchant)} – ${amountText(view.amountMinor, view.currency)}`
  const inside = html`<main id="main" data-path="${view.path}" data-stamp="${view.stamp}" data-now="${view.nowMs}"${view.isFinal ? html` data-final` : NOTHING}>
${summary(view, look)}
<section class="card ${state}" aria-labelledby="now">${problemNote(look)}${panel(view, look)}</section>
${help(view, look)}
</main>`
  const frame = {
    title,
    language: look.language,
    head: html`${accent(view)}${refreshOf(view, look)}`,
    banner: banner(view, words),
    query: choiceOf(view),
  }
  return document(frame, assets, inside)
}

const accent = ({ colour }: CheckoutView): Html =>
  colour === null ? NOTHING : html`<link rel="stylesheet" href="${accentPath(colour)}">`

const titleOf = (state: CheckoutState, words: Words, merchant: string) =>
  state === 'paid'
    ? words.paidToWhom(merchant)
    : state === 'cancelled' || state === 'expired'
      ? merchant
      : words.payTo(merchant)

const choiceOf = ({ state }: CheckoutView) => (state === 'choose' ? '&choose=1' : '')

/** On to the rail at once; or a reload, where no script does it. A refused choice is not reloaded. */
function refreshOf(view: CheckoutView, look: Look): Html {
  const { attempt, state } = view
  const action = attempt?.action
  if (look.isLeaving && state === 'redirect' && action?.type === 'redirect')
    return html`<meta http-equiv="refresh" content="0;url=${action.url}">`
  const seconds = LOOK_AGAIN_SECONDS[state]
  if (seconds === undefined || look.problem !== null) return NOTHING
  const url = look.isBack ? '' : `;url=${hrefOf(view, look, '')}`
  return html`<noscript><meta http-equiv="refresh" content="${seconds}${url}"></noscript>`
}

function banner({ livemode }: CheckoutView, words: Words): Html {
  return livemode ? NOTHING : html`<p class="test">${words.testMode}</p>`
}

function summary(view: CheckoutView, look: Look): Html {
  const words = wordsOf(look)
  const { merchant, currency, amountMinor, attempt, state, description, referenceId } = view
  const isBegun =
    attempt !== null && state !== 'choose' && state !== 'lapsed' && state !== 'cancelled' && state !== 'expired'
  const debitMinor = isBegun ? attempt.debitMinor : amountMinor
  const amount = amountText(debitMinor, currency)
  const size = amount.length > LONG_AMOUNT ? 'amount long' : 'amount'
  const head = html`${logo(view)}<h1 id="to">${titleOf(state, words, merchant)}</h1><p class="${size}">${amount}</p>`
  // The receipt shows the rest.
  if (state === 'paid') return html`<section class="sum" aria-labelledby="to">${head}</section>`
  const hasFee = debitMinor > amountMinor
  return html`<section class="sum" aria-labelledby="to">${head}
${description === null ? NOTHING : html`<p class="what">${description}</p>`}
${facts([
  [words.reference, referenceId],
  [words.amount, hasFee ? sumOf(amountMinor, currency) : null],
  [words.fee, hasFee ? sumOf(debitMinor - amountMinor, currency) : null],
])}
${timer(view, words)}</section>`
}

/** Without a script it shows until when; with one, how long still. */
function timer({ dueAt }: CheckoutView, words: Words): Html {
  if (dueAt === null) return NOTHING
  const said = { left: words.timeLeft, up: words.timeUp, minutes: words.minutesLeft, minute: words.minuteLeft }
  return html`<p class="timer" role="timer" id="timer" data-due="${dueAt}" data-left="${said.left}" data-up="${said.up}"
 data-minutes="${said.minutes}" data-minute="${said.minute}">${words.payBefore} ${timeElement(dueAt)}</p>`
}

function problemNote(look: Look): Html {
  const { problem } = look
  if (problem === null) return NOTHING
  return html`<div role="alert">${note('bad', html`<p>${wordsOf(look).problems[problem]}</p>`)}</div>`
}

/** One page for every address that is no payment's, and one for every fault of ours. */
export function plainPage(kind: 'notFound' | 'fault', language: Language, assets: CheckoutAssets): string {
  const { words } = LANGUAGES[language]
  const title = words[`${kind}Title`]
  const again = kind === 'fault' ? html`<p><a class="button" href="">${words.tryAgain}</a></p>` : NOTHING
  const inside = html`<main id="main" data-final><section class="card plain"><h1>${title}</h1><p>${words[`${kind}Text`]}</p>${again}</section></main>`
  return document({ title, language, head: NOTHING, banner: NOTHING, query: '' }, { ...assets, scripts: [] }, inside)
}

type Frame = {
  readonly title: string
  readonly language: Language
  readonly head: Html
  readonly banner: Html
  /** What a change of language keeps of the address. */
  readonly query: string
}

function document({ title, language, head, banner, query }: Frame, assets: CheckoutAssets, inside: Html): string {
  const { words } = LANGUAGES[language]
  const others = Object.entries(LANGUAGES).map(
    ([code, { name }]) =>
      html`<a href="?lang=${code}${query}" lang="${code}" hreflang="${code}"${code === language ? html` aria-current="true"` : NOTHING}>${name}</a>`,
  )
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assets.style}">
${assets.scripts.map((url) => html`<script type="module" src="${url}"></script>`)}
${head}
</head>
<body>
<a class="skip" href="#main">${words.skip}</a>
<header>${banner}<nav aria-label="${words.language}">${others}</nav></header>
<p class="away" role="status" id="said"></p>
${inside}
</body>
</html>
`.markup
}
