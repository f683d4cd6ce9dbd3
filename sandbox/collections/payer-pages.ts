// What the payer's browser sees of the provider: the pages of the two wallets, of a card's bank, and of a bank that pays
// codes. Plain HTML and forms. It must not know how a rail answers its callers.
import { CARD_FIELDS, needsCard, typedCard } from './card-page.ts'
import type { CardToken } from './card-tokens.ts'
import type { CollectBooks } from './collect-books.ts'
import { isCollectRail } from './collect-books.ts'
import { readOr } from '../rails/request-fields.ts'
import type { Act, Collection, CollectRail, CollectStatus } from './collections.ts'
import { payCode, payerIn } from '../rails/qrph.ts'
import { type HttpRequest, json, noSuchRoute, type Reply, textOf } from '../replies.ts'

const LABELS: Readonly<Record<CollectRail, string>> = {
  gcash: 'Sandbox GCash',
  maya: 'Sandbox Maya',
  card: 'Sandbox card bank',
  qrph: 'Sandbox bank',
}

const ENDINGS: Readonly<Record<CollectStatus, string>> = {
  pending: 'waits for you',
  processing: 'is in process',
  succeeded: 'is done',
  failed: 'was not made',
  voided: 'was withdrawn by the merchant',
  expired: 'can no longer be made',
}

const ACTS: Readonly<Record<string, Act>> = { pay: 'pay', decline: 'decline', cancel: 'cancel' }

/** Any other code passes the challenge of a card's bank. */
const WRONG_CODE = '000'

/** Below /payer. */
export function routePayer(books: CollectBooks, request: HttpRequest): Reply {
  const [, rail = '', id, ...rest] = request.path
  if (rail === 'qrph' && id === undefined) return request.method === 'POST' ? scanned(books, request) : scanPage()
  const collection = isCollectRail(rail) && id !== undefined && rest.length === 0 ? books.byId(rail, id) : undefined
  if (!collection || rail === 'qrph') return page(404, 'Sandbox provider', '<p>There is no such payment.</p>')
  if (request.method === 'GET') return collection.status === 'pending' ? askPage(collection) : endPage(collection)
  if (request.method !== 'POST') return noSuchRoute()
  return answered(books, collection, formOf(request))
}

function answered(books: CollectBooks, collection: Collection, form: URLSearchParams): Reply {
  const act = ACTS[form.get('action') ?? '']
  if (!act) return page(400, LABELS[collection.rail], '<p>Choose one of the buttons.</p>')
  const wasPending = collection.status === 'pending'
  const typed = act === 'pay' && wasPending && needsCard(collection) ? typedCard(books, form) : null
  if (typed?.kind === 'fault') return askPage(collection, typed.fault)
  if (typed?.kind === 'challenge') return codePage(collection, typed.card)
  const isWrong = collection.rail === 'card' && act === 'pay' && form.get('code')?.trim() === WRONG_CODE
  const after = books.act(collection, isWrong ? 'fail_authentication' : act, typed?.card)
  // A payer back on an old page is shown how it ended, and not sent on as if the button had done it.
  return wasPending && after.returnTo ? seeOther(returnUrl(after)) : endPage(after)
}

function returnUrl({ status, failure, returnTo }: Collection): string {
  if (status === 'succeeded' || status === 'processing') return returnTo?.success ?? ''
  return (failure?.code === 'payer_cancelled' ? returnTo?.cancel : returnTo?.failure) ?? ''
}

const CODE_FIELD = `<p><label for="code">Code from your bank</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required aria-describedby="hint"></p>
<p id="hint">Any code but ${WRONG_CODE} is right.</p>`

/** What the payer is asked for: consent, a card, or the code of its bank. */
function askPage(collection: Collection, fault = ''): Reply {
  if (needsCard(collection)) return form(collection, CARD_FIELDS, 'Pay', 'Sandbox card provider', fault)
  return collection.rail === 'card' ? form(collection, CODE_FIELD, 'Confirm') : form(collection, '', 'Pay')
}

/** The bank of a card that was just typed wants to see the payer. */
function codePage(collection: Collection, { id }: CardToken): Reply {
  return form(collection, `<input type="hidden" name="token" value="${escaped(id)}">${CODE_FIELD}`, 'Confirm')
}

function form(collection: Collection, fields: string, pay: string, label = LABELS[collection.rail], fault = ''): Reply {
  const { amount, currency, description } = collection
  const what = description === null ? '' : `<p>${escaped(description)}</p>`
  const alert = fault === '' ? '' : `<p role="alert">${escaped(fault)}</p>`
  const inside = `<p class="amount">${escaped(currency)} ${escaped(grouped(amount))}</p>${what}${alert}
<form method="post">${fields}
<p class="buttons"><button name="action" value="pay">${pay}</button>
<button name="action" value="decline" formnovalidate>Decline</button>
<button name="action" value="cancel" formnovalidate>Cancel</button></p></form>`
  return page(fault === '' ? 200 : 400, label, inside)
}

function endPage(collection: Collection): Reply {
  const { rail, status, currency, amount, paid, offered, returnTo } = collection
  const money = `${currency} ${grouped(paid ?? offered ?? amount)}`
  const back = returnTo ? `<p><a href="${escaped(returnUrl(collection))}">Back to the merchant</a></p>` : ''
  return page(200, LABELS[rail], `<p>The payment of ${escaped(money)} ${ENDINGS[status]}.</p>${back}`)
}

function scanPage(fault = ''): Reply {
  const alert = fault === '' ? '' : `<p role="alert">${escaped(fault)}</p>`
  const inside = `${alert}<form method="post">
<p><label for="code">Text of the QR code</label>
<textarea id="code" name="code" rows="6" required></textarea></p>
<p><label for="amount">Another amount than the code says (optional)</label>
<input id="amount" name="amount" inputmode="decimal"></p>
<p><label for="wallet">Your account number (optional)</label>
<input id="wallet" name="wallet"></p>
<p class="buttons"><button>Pay</button></p></form>`
  return page(fault === '' ? 200 : 400, LABELS.qrph, inside)
}

function scanned(books: CollectBooks, request: HttpRequest): Reply {
  const form = formOf(request)
  const paid = readOr(() =>
    payCode(books, {
      code: form.get('code') ?? '',
      amount: form.get('amount')?.trim() || null,
      payer: payerIn({ wallet: form.get('wallet')?.trim() }),
    }),
  )
  return typeof paid === 'string' ? scanPage(paid) : endPage(paid)
}

function formOf(request: HttpRequest): URLSearchParams {
  return new URLSearchParams(textOf(request.body) ?? '')
}

function seeOther(location: string): Reply {
  return { ...json(null), status: 303, type: 'text/html; charset=utf-8', headers: { location }, text: '' }
}

const STYLE = `:root{color-scheme:light dark;--ink:#17202e;--soft:#556072;--line:#8a94a6;--card:#fff;--page:#eef1f6;--act:#0b57c2}
@media (prefers-color-scheme:dark){:root{--ink:#eef1f6;--soft:#a9b3c3;--line:#6d788b;--card:#1b2330;--page:#10151e;--act:#2f6fd6}}
body{font:1rem/1.5 system-ui,sans-serif;margin:0;padding:2rem 1rem;color:var(--ink);background:var(--page)}
main{max-width:24rem;margin:0 auto;padding:1.5rem;border-radius:.75rem;background:var(--card)}
h1{font-size:1rem;margin:0;color:var(--soft)}.amount{font-size:2rem;font-weight:700;margin:.25rem 0}
label{display:block;font-weight:600}input,textarea,button{font:inherit;color:inherit;box-sizing:border-box;width:100%;
min-height:2.75rem;padding:.5rem .75rem;border:1px solid var(--line);border-radius:.5rem;background:var(--card)}
.buttons{display:grid;gap:.5rem}button{font-weight:600;cursor:pointer}button:first-child{color:#fff;background:var(--act);
border-color:var(--act)}:focus-visible{outline:3px solid var(--act);outline-offset:2px}.note{color:var(--soft);font-size:.875rem}`

function page(status: number, label: string, inside: string): Reply {
  const text = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${label}</title><style>${STYLE}</style></head>
<body><main><h1>${label}</h1>
${inside}
<p class="note">This provider is played: no money moves here.</p></main></body></html>
`
  const headers = {
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  }
  return { ...json(null), status, type: 'text/html; charset=utf-8', headers, text }
}

/** A decimal with its thousands apart. */
function grouped(decimal: string): string {
  return decimal.replace(/(?<!\.\d*)\d(?=(?:\d{3})+(?:\.|$))/g, '$&,')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
