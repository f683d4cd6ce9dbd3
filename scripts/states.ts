// Makes docs/states.md from the table of moves, and refuses when the SQL checks say something else.
import { readFileSync } from 'node:fs'
import { EXECUTION_STATUSES, TRANSFER_MOVES, TRANSFER_STATUSES } from '../src/domain/moves.ts'
import { settleGenerated } from './generated.ts'

const sql = readFileSync('db/migrations/0001_books.sql', 'utf8')
for (const [column, words] of [
  ['contracts.status', TRANSFER_STATUSES],
  ['attempts.status', EXECUTION_STATUSES.filter((status) => status !== 'none')],
] as const) {
  const list = words.map((word) => `'${word}'`).join(', ')
  if (!sql.includes(`check (status in (${list}))`))
    throw new Error(`the check on ${column} in db/migrations is not: ${list}`)
}

const events = TRANSFER_MOVES.map(
  ({ from, verb, to, when, ledger, activities, event }) =>
    `| ${from} | ${verb} | ${to} | ${when} | ${ledger} | ${activities} | ${event ?? ''} |`,
)
const arrows = [
  ...new Set(
    TRANSFER_MOVES.filter((move) => move.from !== move.to).map((move) => `  ${move.from} --> ${move.to}: ${move.verb}`),
  ),
]

settleGenerated([
  {
    path: 'docs/states.md',
    text: `# States of a transfer contract

Made from \`src/domain/moves.ts\` by \`npm run generate\`; the SQL check and the tests are made of the same table.

\`\`\`mermaid
stateDiagram-v2
  [*] --> draft: create
${arrows.join('\n')}
\`\`\`

| from | verb | to | when | ledger | activities | event |
|---|---|---|---|---|---|---|
${events.join('\n')}

Expiry is checked by every move of a draft or issued contract; the sweep only tidies up. Any pair that is not in the table
changes nothing: the same PUT or DELETE again answers with the contract as it stands, everything else is refused.

## How far the money has got (\`transfer.status\`)

${EXECUTION_STATUSES.map((status) => `\`${status}\``).join(' · ')}

none → queued → submitting → accepted → delivered. A definite refusal is \`failed\`; anything that is not definite
(a timeout, a reset, a 5xx, a lost worker) is \`unknown\`, and only evidence leaves it: an inquiry or the channel's own news.
A transfer of which not one byte was sent goes back to \`queued\`. \`voided\`: cancelled before anything was sent.
\`returned\`: bounced after delivery.
`,
  },
])
