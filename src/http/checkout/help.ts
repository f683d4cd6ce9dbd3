// Whom a payer pays, and whom they may ask: the merchant's logo over the summary, and under every state a way to somebody who
// answers.
import type { Words } from './english.ts'
import { type Look, wordsOf } from './parts.ts'
import type { CheckoutView } from './view.ts'
import { type Html, html, NOTHING } from './html.ts'

/** Its name stands beside it, so that it says nothing of its own. */
export function logo({ logo: uri }: CheckoutView): Html {
  return uri === null ? NOTHING : html`<div class="logo"><img src="${uri}" alt=""></div>`
}

/** Where the number of the payment is not shown already it stands here: whoever answers asks for it. */
export function help(view: CheckoutView, look: Look): Html {
  const words = wordsOf(look)
  const { merchant, contractId, state } = view
  const contacts = contactsOf(view, words)
  const isNumbered = state === 'paid' || state === 'cancelled' || state === 'expired'
  const list = contacts.length === 0 ? NOTHING : html`<ul>${contacts.map((each) => html`<li>${each}</li>`)}</ul>`
  const number = isNumbered ? NOTHING : html`<p>${words.paymentNumber}: <code>${contractId}</code></p>`
  return html`<footer class="help" aria-label="${words.helpTitle}"><p>${words.help(merchant)}</p>${list}${number}</footer>`
}

function contactsOf({ support: { email, phone, url }, contractId }: CheckoutView, words: Words): Html[] {
  const subject = encodeURIComponent(`${words.paymentNumber} ${contractId}`)
  return [
    ...(email === null ? [] : [html`<a href="mailto:${email}?subject=${subject}">${email}</a>`]),
    ...(phone === null ? [] : [html`<a href="tel:${phone}">${phoneText(phone)}</a>`]),
    ...(url === null ? [] : [html`<a href="${url}" rel="noreferrer">${new URL(url).host}</a>`]),
  ]
}

/** A number of the Philippines in the groups that people there read: +63 917 123 4567, +63 2 8123 4567. Others as they are. */
function phoneText(phone: string): string {
  return phone
    .replace(/^\+63(9\d\d)(\d{3})(\d{4})$/, '+63 $1 $2 $3')
    .replace(/^\+632(\d{4})(\d{4})$/, '+63 2 $1 $2')
    .replaceAll(' ', '\u00a0')
}
