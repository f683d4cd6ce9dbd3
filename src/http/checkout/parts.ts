// Pieces that several panels of the payment page are made of.
import type { Words } from './english.ts'
import { icon } from './icons.ts'
import type { MoneyNotice } from './notices.ts'
import type { CheckoutView } from './view.ts'
import { amountText, type Language, LANGUAGES } from './words.ts'
import { type Html, html, NOTHING, trusted } from './html.ts'

export type Problem = keyof Words['problems']

/** How one request wants the page. */
export type Look = {
  readonly language: Language
  /** The address named the language: links keep it. */
  readonly isLanguageNamed: boolean
  /** Why what was chosen could not be done. */
  readonly problem: Problem | null
  /** A rail sent the payer back. */
  readonly isBack: boolean
  /** The payer chose just now, and goes on to the rail without another click. */
  readonly isLeaving: boolean
}

export const wordsOf = ({ language }: Look): Words => LANGUAGES[language].words

/** A link to this page that keeps its language. */
export function hrefOf({ path }: CheckoutView, { language, isLanguageNamed }: Look, query: string): string {
  const asked = [isLanguageNamed ? `lang=${language}` : '', query].filter((each) => each !== '').join('&')
  return asked === '' ? path : `${path}?${asked}`
}

/** The state's own heading: where a reader is led after a change. */
export const heading = (text: string): Html => html`<h2 id="now" tabindex="-1">${text}</h2>`

export const spinner: Html = trusted('<span class="spinner" aria-hidden="true"></span>')

/** A text to be copied, with its button, which appears where there is a script. A `long` one is whole when it is reached. */
export function copyField(id: string, label: string, text: string, words: Words, length: 'short' | 'long'): Html {
  return html`<div class="copy"><span class="label" id="${id}-label">${label}</span>
<div class="line ${length}"><code id="${id}" tabindex="0" aria-labelledby="${id}-label">${text}</code>
<button type="button" class="small" data-copy="${id}" data-done="${words.copied}" data-failed="${words.copyFailed}"
 aria-label="${words.copy}: ${label}" hidden>${words.copy}</button></div></div>`
}

/** More characters than read well beside a term on a phone: of all, of a word; and of all on any screen. */
const WIDE = 48
const WIDE_WORD = 22
const WHOLE = 72

/** A list of facts: terms and what they are. Empty ones are left out; a long one gets a line of its own. */
export function facts(rows: readonly (readonly [string, Html | string | null])[]): Html {
  const shown = rows.flatMap(([term, said]) => (said === null ? [] : [fact(term, said)]))
  return shown.length === 0 ? NOTHING : html`<dl class="facts">${shown}</dl>`
}

function fact(term: string, said: Html | string): Html {
  const size = sizeOf(said)
  if (size === '') return html`<dt>${term}</dt><dd>${said}</dd>`
  return html`<dt class="${size}">${term}</dt><dd class="${size}">${said}</dd>`
}

/** Markup is measured by its text, which is that of an amount, a time or a code. */
function sizeOf(said: Html | string): 'whole' | 'wide' | '' {
  const markup = typeof said === 'string' ? said : said.markup
  const text = typeof said === 'string' ? said : markup.replaceAll(/<[^>]*>/g, '')
  if (text.length > WHOLE) return 'whole'
  // Of an amount in bold a line has room for less; it has no spaces, but no place to break either.
  const wordMax = markup.includes('nowrap') ? LONG_AMOUNT : WIDE_WORD
  return text.length > WIDE || text.split(' ').some((word) => word.length > wordMax) ? 'wide' : ''
}

/** More characters than a narrow phone has room for in large type, or beside a word. */
export const LONG_AMOUNT = 13

/** An amount in a place that may be narrow. */
export const sumOf = (amountMinor: bigint, currency: string): Html =>
  html`<span class="nowrap">${amountText(amountMinor, currency)}</span>`

export function anotherWay(view: CheckoutView, look: Look): Html {
  return html`<p class="other"><a href="${hrefOf(view, look, 'choose=1')}">${wordsOf(look).another}</a></p>`
}

export function backLink({ returnUrl, merchant }: CheckoutView, look: Look): Html {
  if (returnUrl === null) return NOTHING
  return html`<p><a class="button second" href="${returnUrl}" rel="noreferrer">${wordsOf(look).backTo(merchant)}</a></p>`
}

/** Without a script the page reloads by itself, and on request. */
export function lookAgain(view: CheckoutView, look: Look): Html {
  return html`<noscript><p class="other"><a href="${hrefOf(view, look, '')}">${wordsOf(look).checkAgain}</a></p></noscript>`
}

export function note(kind: 'info' | 'warn' | 'bad' | 'good', inside: Html): Html {
  return html`<div class="note ${kind}">${icon(kind === 'good' ? 'done' : kind === 'bad' ? 'stop' : 'note')}<div>${inside}</div></div>`
}

/** The notices about money that does not fit, or is refunded. */
export function noticesOf({ notices, merchant, state }: CheckoutView, look: Look): Html {
  return html`${notices.map((each) => {
    const kind =
      each.kind === 'returned' || each.kind === 'refunded' ? 'good' : each.kind.endsWith('ing') ? 'info' : 'warn'
    const words = wordsOf(look)
    const amount = amountText(each.amountMinor, each.currency)
    const isHeldExcess = each.kind === 'held' && state === 'paid'
    const text = isHeldExcess ? words.heldExcess(amount, merchant) : noticeText(each, merchant, words)
    return note(kind, html`<p>${text}</p>`)
  })}`
}

function noticeText({ kind, amountMinor, restMinor, currency }: MoneyNotice, merchant: string, words: Words): string {
  const amount = amountText(amountMinor, currency)
  switch (kind) {
    case 'part':
      return words.part(amount, amountText(restMinor, currency))
    case 'held':
    case 'refunding':
    case 'refunded':
      return words[kind](amount, merchant)
    case 'unfit':
    case 'excess':
    case 'late':
    case 'returning':
    case 'returned':
      return words[kind](amount)
  }
}
