// Makes docs/crash-points.md from the named points of the code and the matrix of the test that dies at them.
import { CRASH_POINTS, type CrashPoint } from '../src/engine/crash-points.ts'
import { crashMatrix } from '../test/rig/sagas/crash-cases.ts'
import { PAYMENT_SAGA_KINDS } from '../test/rig/sagas/payment-saga-kinds.ts'
import { SAGA_KINDS } from '../test/rig/sagas/saga-kinds.ts'
import { settleGenerated } from './generated.ts'

/** What may differ there between the books, the rail and the caller, and how the next process goes on. */
const MEANING: Readonly<Record<CrashPoint, string>> = {
  'before a batch is committed': 'Nothing was done. The caller has no answer and asks again.',
  'after a batch is committed': 'All was done, and the caller has no answer. Asked again, it is as it stands.',
  'before submit is committed': 'The attempt is queued still, and is due.',
  'after submit is committed':
    'Leased, and the rail heard nothing. When the lease ends it is unknown: the rail is asked.',
  'after the rail was called': 'The rail may have moved the money, and the books do not know. Asked by the reference.',
  'after the report is committed': 'The books know what the rail said. What follows is due by its own row.',
  'before inquire is committed': 'The attempt is due still.',
  'after inquire is committed': 'Leased for a question that was not asked. When the lease ends it is asked.',
  'after the rail was asked': 'The answer is lost. A question moves nothing and is asked again.',
  'before the rail is asked to recall': 'The cancellation is pending, and when the lease ends the recall is asked for.',
  'after the rail was asked to recall':
    'The rail may have given the money back, and the books do not know. The next recall or inquiry says so.',
  'after the arrival of a return is recorded':
    'Delivered by the books; that it came back is read in the rail events again.',
  'before the refund of a return': 'Returned, and the attempt is due: the row is the job.',
  'after the refund of a return': 'Refunded. A cancel of what is cancelled changes nothing.',
  'before a file is sent': 'All its attempts are leased, none was sent. Each is asked about when its lease ends.',
  'after a file was sent': 'The rail may have all of them. Each is asked about by its own reference.',
  'after half of a file is reported': 'Some have their outcome, the others are asked about.',
  'after a file is reported': 'All have their outcome.',
  'before rail events are recorded': 'The position in the rail events is the old one: they are read again.',
  'before the position in the rail events is saved': 'Recorded, and read again. What is known already changes nothing.',
  'after the position in the rail events is saved': 'Read to there.',
  'before a callback is recorded': 'The provider has no answer and calls again; its news and an inquiry say the same.',
  'after a callback is recorded': 'Recorded, and the provider calls again. What is known already changes nothing.',
  'before a wallet is credited': 'The other wallet has nothing. When the lease ends it is looked up by the reference.',
  'after a wallet was credited': 'The other wallet has the money under the reference, and is not credited twice.',
  'before a send on a chain is claimed': 'No nonce is taken and nothing was sent. The inquiry finds nothing.',
  'after a send on a chain is claimed':
    'The signed bytes are in the book, and no node has them. The inquiry broadcasts the same ones.',
  'after the progress of a send is recorded': 'The chain’s word is in the book, and is told from there.',
  'before a rail is asked to collect':
    'An attempt is leased, and the rail heard nothing. When the lease ends it is asked by the same reference.',
  'after a rail was asked to collect':
    'The payer may be able to pay, and nobody has seen how. Asked again, the rail says the same.',
  'before a rail is asked to close':
    'The contract is to end, and the payer can still pay. When the lease ends it is closed.',
  'after a rail was asked to close': 'Closed or paid, and the books do not know. Asked again, the rail says which.',
  'before a collection is recorded':
    'The rail’s word is lost, money too. Asked again, it says the same under the same id.',
  'after a collection is recorded': 'The books know. What follows is due by the contract’s job.',
  'before a wallet pays a contract':
    'The payer’s money is held, and the contract has none. When the lease ends it is looked up by the reference.',
  'after a wallet paid a contract':
    'The contract is paid under the reference, and the payer’s transfer learns it by inquiry.',
}

const KINDS = [...SAGA_KINDS, ...PAYMENT_SAGA_KINDS]
const matrix = [...crashMatrix(SAGA_KINDS), ...crashMatrix(PAYMENT_SAGA_KINDS)]
const letterOf = (index: number) => String.fromCharCode(65 + index)

/** Where a kind passes a point: by how far it had come. */
function cellOf(point: CrashPoint): string {
  return KINDS.flatMap((kind, index) => {
    const times = matrix.filter((each) => each.point === point && each.kind === kind).length
    if (times === 0) return []
    return [times === 1 ? letterOf(index) : `${letterOf(index)}×${times}`]
  }).join(' ')
}

const points = CRASH_POINTS.map((point, index) => `| ${index + 1} | ${point} | ${MEANING[point]} | ${cellOf(point)} |`)
const kinds = KINDS.map(({ name, ends, legs }, index) => {
  const stages = legs.map(({ from }) => from).join('; ')
  return `| ${letterOf(index)} | ${name} | ${stages} | ${ends} |`
})

settleGenerated([
  {
    path: 'docs/crash-points.md',
    text: `# Crash points

Made from \`src/engine/crash-points.ts\` and the kinds of sagas in \`test/rig\` by \`npm run generate\`.

A process may die anywhere. These are the places where what is in the books, what the rail knows and what the caller was told
may differ. \`test/simulation/crash-points.long.test.ts\` has a process die there by SIGKILL, another one go on with the same data, and
compares: every contract comes to the end it would have had, the rail moved the money of each reference once at most and as
the books say, in either direction, and \`gateway verify\` finds nothing. There are ${matrix.length} deaths at ${CRASH_POINTS.length} points.

    npx vitest run --config vitest.long.config.ts test/simulation/crash-points.long.test.ts                     each point, and each stage of each kind, once
    CRASH_POINTS=all npx vitest run --config vitest.long.config.ts test/simulation/crash-points.long.test.ts    the whole matrix

By hand: \`GATEWAY_CRASH_AT='after the rail was called'\` ends a gateway at the first passing of that point; with \`: <reference>\` behind it,
at the passing of that attempt alone (of a batch: with the contract's id).

| | point | what is found there, and how it goes on | kinds |
|---|---|---|---|
${points.join('\n')}

## Kinds of sagas

| | kind | stages that a process dies in | end |
|---|---|---|---|
${kinds.join('\n')}
`,
  },
])
