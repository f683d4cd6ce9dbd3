// What holds for every operation (docs/design/areas.md), and the catalogue of errors. Knows no operation.
import { REFUSALS, typeOf } from '../../domain/contract/refusals.ts'
import { API_VERSION } from '../../wire/api.ts'
import { statusOf } from '../errors.ts'
import { type Html, html } from './html.ts'

export type Chapter = { readonly id: string; readonly title: string; readonly text: Html; readonly sample: Html }

/** Code to copy under a title; it scrolls sideways, by keyboard too. */
const sampleOf = (title: string, code: string): Html =>
  html`<figure><figcaption>${title}</figcaption><pre tabindex="0"><code>${code}</code></pre></figure>`

/** The chapters in their order. */
export function chapters(): Chapter[] {
  return [authentication(), errors(), idempotency(), versions(), conventions()]
}

function authentication(): Chapter {
  const text = html`
<p>Send an API key in the header <code>X-Api-Key</code>. A key of the test mode begins with <code>gck_test_</code>; one that
moves real money with <code>gck_live_</code>. It is shown once, when it is made. A key has scopes: an operation that needs
one it lacks is refused with <a href="#scope_missing"><code>scope_missing</code></a>.</p>
<p>Where an operation says so, a bearer token is accepted too, in <code>Authorization: Bearer …</code>. Tokens come from
<code>POST /oauth/token</code>, only read, live 15 minutes unless you ask for up to 12 hours, and can be bound to one
contract: give them to a browser or a partner instead of the key. If key and token are both sent they must belong to the same
account.</p>
<p>Another account’s contract or wallet is answered like one that does not exist.</p>`
  const code = `export BASE_URL="http://127.0.0.1:3000"
export API_KEY="gck_test_…"

curl "$BASE_URL/channels" \\
  -H "X-Api-Key: $API_KEY"`
  return { id: 'about-authentication', title: 'Authentication', text, sample: sampleOf('A first request', code) }
}

function errors(): Chapter {
  const text = html`
<p>Every failure has the same body: one object, <code>error</code>. Decide by <code>code</code>; show <code>message</code>,
which says how to mend it, to a person.</p>
<dl>
<dt><code>type</code></dt><dd>The kind of failure; it goes with the HTTP status.</dd>
<dt><code>code</code></dt><dd>Exactly what is wrong: see the <a href="#errors">error catalogue</a>.</dd>
<dt><code>param</code></dt><dd>The offending parameter, dotted when nested (<code>recipient.mobile</code>), or null.</dd>
<dt><code>errors</code></dt><dd>All problems at once, where there are several; the first is also on top.</dd>
<dt><code>contract_id</code></dt><dd>Where a payment was declined: its contract, which is open. Another method may pay it.</dd>
<dt><code>request_id</code></dt><dd>The same as the header <code>Request-Id</code>, which every reply has. Quote it when you
report something.</dd>
<dt><code>doc_url</code></dt><dd>Leads to the code on this page.</dd>
</dl>
<p>After 429 and 503 wait as many seconds as <code>Retry-After</code> says, then send the same request again.</p>`
  const error = {
    type: 'invalid_request_error',
    message: 'currency is missing. It is required.',
    code: 'missing_currency',
    param: 'currency',
    request_id: 'req_5f0c91d2aa00001b',
    doc_url: '/docs#missing_param',
  }
  return {
    id: 'about-errors',
    title: 'Errors',
    text,
    sample: sampleOf('400 Bad Request', JSON.stringify({ error }, null, 2)),
  }
}

function idempotency(): Chapter {
  const text = html`
<p>Writes to contracts take a header <code>Idempotency-Key</code>: 1 to 255 printable ASCII characters of your choice, a
new one for each thing that you want done. If the answer was lost, send the same request with the same key: nothing is
done twice, and you get the first answer, marked <code>Idempotent-Replayed: true</code>.</p>
<p>The same key with another method, path or body is refused with
<a href="#idempotency_key_reused"><code>idempotency_key_reused</code></a>. A refused request keeps no key, so mend it and
send it again; the one exception is <a href="#insufficient_funds"><code>insufficient_funds</code></a>, which needs a new key.</p>
<p>Issue, pay and cancel are safe without a key as well: asking again for what is done already returns the contract as it is.</p>`
  const code = `curl -X PUT \\
  "$BASE_URL/contracts/transfer/$CONTRACT_ID/pay" \\
  -H "X-Api-Key: $API_KEY" \\
  -H "Idempotency-Key: pay-payroll-2026-10-0042"`
  return {
    id: 'about-idempotency',
    title: 'Idempotency',
    text,
    sample: sampleOf('Pay, however often it is sent', code),
  }
}

function versions(): Chapter {
  const text = html`
<p>Paths carry no version. The version is a date, <strong>${API_VERSION}</strong>, and every reply names it in the header
<code>Service-Version</code>. Send the same header to be sure of what you get: a version that does not exist is refused with
<a href="#unsupported_version"><code>unsupported_version</code></a>.</p>
<p>New fields, codes and operations may appear within a version. Ignore what you do not know.</p>`
  return {
    id: 'about-versions',
    title: 'Versions',
    text,
    sample: sampleOf('Header', `Service-Version: ${API_VERSION}`),
  }
}

function conventions(): Chapter {
  const text = html`
<p><strong>Bodies</strong> are JSON in UTF-8, at most 64 KiB, 16 levels deep. <strong>Amounts</strong> are numbers in major
units: <code>1500.5</code> is 1,500.50 pesos. More decimals than the currency has are refused, never rounded.
<strong>Times</strong> are ISO 8601 in UTC.</p>
<p>Every success is HTTP 200 with <code>status</code>, <code>message</code> and <code>data</code>. Fields without a value are
there, and null.</p>
<p><strong>Lists</strong> return <code>data.next</code>; send it as <code>after</code> to get the page that follows. It is null
at the end. <code>limit</code> is 1 to 100, 25 by default.</p>
<p><strong>Rates</strong> are limited for each key; <code>RateLimit-Limit</code>, <code>RateLimit-Remaining</code> and
<code>RateLimit-Reset</code> say where you stand.</p>`
  const reply = { status: 200, message: 'Transfer contracts found.', data: { contracts: [], next: null } }
  return {
    id: 'about-requests',
    title: 'Requests and replies',
    text,
    sample: sampleOf('200 OK', JSON.stringify(reply, null, 2)),
  }
}

const FAMILIES = [
  {
    code: 'missing_param',
    when: 'A required parameter is missing. The code itself names it: missing_currency, missing_recipient_mobile.',
  },
  {
    code: 'invalid_param',
    when: 'A parameter has a value that cannot be taken. The code itself names it: invalid_amount, invalid_recipient_country.',
  },
]

/** Every code, its number and what it means, with the code as anchor (the doc_url of an error leads here). */
export function catalogue(): Html {
  const named = Object.entries(REFUSALS).map(([code, { type, when }]) => ({ code, type, when, status: statusOf(code) }))
  const families = FAMILIES.map((family) => ({ ...family, type: typeOf('missing_'), status: statusOf(family.code) }))
  const all = [...families, ...named].toSorted((a, b) => a.status - b.status)
  const rows = all.map(
    ({ code, type, when, status }) => html`
<tr id="${code}"><td><a class="code" href="#${code}"><code>${code}</code></a></td><td class="status">${status}</td>
<td class="type">${type}</td><td class="when">${when}</td></tr>`,
  )
  return html`
<div class="rows"><table class="errors"><thead><tr><th scope="col">Code</th><th scope="col">HTTP</th><th scope="col">Type</th>
<th scope="col">When</th></tr></thead><tbody>${rows}</tbody></table></div>`
}
