// Makes docs/states.md from the tables of moves, and refuses when the SQL checks say something else.
import { readFileSync } from 'node:fs'
import { SOURCES } from '../src/domain/contract/move.ts'
import { EXECUTION_STATUSES, TRANSFER_STATUSES } from '../src/domain/transfer/moves.ts'
import { TRANSFER_MOVES } from '../src/domain/transfer/move-table.ts'
import { PAYMENT_MOVES } from '../src/domain/payment/move-table.ts'
import { PAYMENT_STATUSES } from '../src/domain/payment/moves.ts'
import { PAYMENT_ATTEMPT_STATUSES } from '../src/domain/payment/payment.ts'
import { settleGenerated } from './generated.ts'

const sql = readFileSync('db/migrations/0002_contracts.sql', 'utf8')
for (const [column, words, before] of [
  ['contracts.status', TRANSFER_STATUSES, 'check (status in ('],
  ['jobs.status of payouts', EXECUTION_STATUSES.filter((status) => status !== 'none'), 'status in\n        ('],
] as const) {
  const list = words.map((word) => `'${word}'`).join(', ')
  if (!sql.includes(`${before}${list})`)) throw new Error(`the check on ${column} in db/migrations is not: ${list}`)
}

// Contracts of both kinds are rows of one table, so its check must know the words of both.
const unknown = PAYMENT_STATUSES.filter((status) => !TRANSFER_STATUSES.some((each) => each === status))
if (unknown.length > 0)
  throw new Error(`the check on contracts.status in db/migrations does not know: ${unknown.join(', ')}`)

type Move = (typeof TRANSFER_MOVES)[number] | (typeof PAYMENT_MOVES)[number]

const HEADINGS = `| from | verb | to | when | postings | activities | event |
|---|---|---|---|---|---|---|`
const tableOf = (moves: readonly Move[], statuses: readonly string[]) =>
  [
    HEADINGS,
    ...inOrder(moves, statuses).map(({ from, verb, to, when, postings, activities, event }) =>
      ['', from ?? '–', verb, to, when, postings.join('; '), activities.join(', '), event ?? '', ''].join(' | ').trim(),
    ),
  ].join('\n')

/** By status, and what is of one verb together. */
function inOrder(moves: readonly Move[], statuses: readonly string[]): readonly Move[] {
  const place = ({ from, verb }: Move) =>
    (from === null ? -1 : statuses.indexOf(from)) * moves.length +
    moves.findIndex((move) => move.from === from && move.verb === verb)
  return moves.toSorted((a, b) => place(a) - place(b))
}

/** One arrow for each two statuses, with the verbs that lead from one to the other. */
function arrowsOf(moves: readonly Move[]): string {
  const verbs = new Map<string, Set<string>>()
  for (const { from, to, verb } of moves.filter((move) => move.from !== move.to)) {
    const arrow = `${from ?? '[*]'} --> ${to}`
    verbs.set(arrow, (verbs.get(arrow) ?? new Set()).add(verb))
  }
  return [...verbs].map(([arrow, names]) => `  ${arrow}: ${[...names].join(', ')}`).join('\n')
}

const wordsOf = (words: readonly string[]) => words.map((word) => `\`${word}\``).join(' · ')

settleGenerated([
  {
    path: 'docs/states.md',
    text: `# States of contracts

Made from \`src/domain/transfer/move-table.ts\` and \`src/domain/payment/move-table.ts\` by \`npm run generate\`. The tests hold
every row against what is decided: its statuses, postings, activities and event are exact, in this order. \`when\` tells rows
apart for people. A row that writes nothing changes what the contract shows of its attempt, or only the job that works on it.

Postings are debit → credit. \`clearing\` is the account of the channel that moves the money. \`source\` is where the money of the
contract came from, and goes back to: ${SOURCES.map((accounts) => accounts.map((name) => `\`${name}\``).join(' and ')).join(', ')}.
An ordinary transfer is paid out of \`available\`; one that gives a payment back takes what is not settled yet from \`pending\`, and
money that fit no contract from \`suspense\`, with a fee on top from \`available\`.

## Transfer contract

\`\`\`mermaid
stateDiagram-v2
${arrowsOf(TRANSFER_MOVES)}
\`\`\`

${tableOf(TRANSFER_MOVES, TRANSFER_STATUSES)}

create and refund open a contract: for its caller, or for a payment contract that gives money back. Where the account refunds at
once, a worker cancels what bounced. Expiry is checked by every move of a draft or issued contract; the sweep only tidies up. Any
pair that is not in the table changes nothing: the same PUT or DELETE again answers with the contract as it stands, everything
else is refused.

### How far the money has got (\`transfer.status\`)

${wordsOf(EXECUTION_STATUSES)}

none → queued → submitting → accepted → delivered. A definite refusal is \`failed\`; anything that is not definite
(a timeout, a reset, a 5xx, a lost worker) is \`unknown\`, and only evidence leaves it: an inquiry or the channel's own news.
A transfer of which not one byte was sent goes back to \`queued\`. \`voided\`: cancelled before anything was sent.
\`returned\`: bounced after delivery.

## Payment contract

\`\`\`mermaid
stateDiagram-v2
${arrowsOf(PAYMENT_MOVES)}
\`\`\`

${tableOf(PAYMENT_MOVES, PAYMENT_STATUSES)}

create opens it and choose begins an attempt, for its caller or its payer; report_collection is a rail's answer about an
attempt, and receive what anybody says of money that came or did not: a provider's signed event, an inquiry, the chain, a
payer's wallet. process_due is a worker's look at what is due; a channel that settles at once completes the contract in the
same moment. refund and return give money back, each by a transfer contract of its own, opened with the postings shown; its
end is the verb transfer ended, whose money the transfer's own move has posted. Money is told by its rail's own id and booked once for each; what does not fit the contract as it
stands waits in suspense and never brings an ended contract back. Any pair that is not in the table changes nothing.

### How far an attempt has got (\`attempts[].status\`)

${wordsOf(PAYMENT_ATTEMPT_STATUSES)}

starting → pending → processing → succeeded. \`starting\`: the rail is being told. \`pending\`: the payer has to act. \`processing\`:
the payer did, and the rail works on it. A definite refusal is \`failed\`; what was closed before anything was paid is \`cancelled\`.
Anything that is not definite is \`unknown\`, and the rail is asked again by the same reference.
`,
  },
])
