// Makes docs/states.md from the tables of moves, and refuses when the SQL checks say something else.
import { readFileSync } from 'node:fs'
import { EXECUTION_STATUSES, TRANSFER_MOVES, TRANSFER_STATUSES } from '../src/domain/transfer/moves.ts'
import { PAYMENT_MOVES, PAYMENT_STATUSES } from '../src/domain/payment/moves.ts'
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

const tableOf = (moves: readonly Move[]) =>
  moves
    .map(
      ({ from, verb, to, when, ledger, activities, event }) =>
        `| ${from ?? '–'} | ${verb} | ${to} | ${when} | ${ledger} | ${activities} | ${event ?? ''} |`,
    )
    .join('\n')
const arrowsOf = (moves: readonly Move[]) =>
  [
    ...new Set(
      moves.filter(({ from, to }) => from !== to).map(({ from, to, verb }) => `  ${from ?? '[*]'} --> ${to}: ${verb}`),
    ),
  ].join('\n')
const wordsOf = (words: readonly string[]) => words.map((word) => `\`${word}\``).join(' · ')

settleGenerated([
  {
    path: 'docs/states.md',
    text: `# States of contracts

Made from \`src/domain/transfer/moves.ts\` and \`src/domain/payment/moves.ts\` by \`npm run generate\`; the SQL check and the tests are
made of the same tables.

## Transfer contract

\`\`\`mermaid
stateDiagram-v2
  [*] --> draft: create
${arrowsOf(TRANSFER_MOVES)}
\`\`\`

| from | verb | to | when | ledger | activities | event |
|---|---|---|---|---|---|---|
${tableOf(TRANSFER_MOVES)}

Expiry is checked by every move of a draft or issued contract; the sweep only tidies up. Any pair that is not in the table
changes nothing: the same PUT or DELETE again answers with the contract as it stands, everything else is refused.

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

| from | verb | to | when | ledger | activities | event |
|---|---|---|---|---|---|---|
${tableOf(PAYMENT_MOVES)}

create opens it and choose begins an attempt, for its caller or its payer; a rail's answer about an attempt is its collection,
and what anybody says of money that came or did not is received: a provider's signed event, an inquiry, the chain, a payer's
wallet. tend is a worker's look at what is due; refund and return give money back, each by a transfer contract of its own, whose
end is the verb transfer ended. Money is told by its rail's own id and booked once for each; what does not fit the contract as it
stands waits in suspense and never brings an ended contract back. Any pair that is not in the table changes nothing.

### How far an attempt has got (\`attempts[].status\`)

${wordsOf(PAYMENT_ATTEMPT_STATUSES)}

starting → pending → processing → succeeded. \`starting\`: the rail is being told. \`pending\`: the payer has to act. \`processing\`:
the payer did, and the rail works on it. A definite refusal is \`failed\`; what was closed before anything was paid is \`cancelled\`.
Anything that is not definite is \`unknown\`, and the rail is asked again by the same reference.
`,
  },
])
