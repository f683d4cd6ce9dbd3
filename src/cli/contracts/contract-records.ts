// What is recorded of one contract, for both kinds: its ledger rows, the deliveries of its events, and where it stands.
import type { Command } from 'commander'
import type { ContractEntry } from '../../wire/contracts/entries.ts'
import type { MadePaymentAttempt, MadeTransferAttempt } from '../../wire/contracts/attempts.ts'
import type { ContractDelivery } from '../../wire/contracts/deliveries.ts'
import type { PaymentExplanation } from '../../wire/contracts/payment-explanation.ts'
import type { Explanation } from '../../wire/explanation.ts'
import type { Wire } from '../../wire/shapes.ts'
import { get } from '../client.ts'
import { apiCommand } from '../command.ts'
import { listCommand } from '../list.ts'
import { paint, print, printPairs } from '../output.ts'
import { moneyText, type Shows, stateText, wordsOf } from '../view.ts'
import { idOf, type Kind } from './contract-commands.ts'

type Entry = Wire<typeof ContractEntry>
type Delivery = Wire<typeof ContractDelivery>
type Attempt = Partial<Wire<typeof MadePaymentAttempt> & Pick<Wire<typeof MadeTransferAttempt>, 'next_at'>>
type Explained = Wire<typeof PaymentExplanation> & Partial<Pick<Wire<typeof Explanation>, 'attempt'>>
type Place = Pick<Kind<object>, 'noun' | 'path'>

const ENTRIES: Shows<Entry> = [
  ['time', 'created_at'],
  ['from', 'debit'],
  ['to', 'credit'],
  ['amount', 'amount'],
  ['why', ({ event, reason }) => event ?? reason],
]
const ENTRY_CSV =
  'transaction_id wallet_id sequence debit credit amount currency available_after event reason created_at'.split(' ')

export const entriesCommand = ({ noun, path }: Place): Command =>
  listCommand<Entry, [ReturnType<typeof idOf>]>('entries', 'list the ledger rows of a contract, oldest first', {
    examples: [`gateway ${noun} entries 0198…`],
    arguments: [idOf(noun)],
    member: 'entries',
    columns: ENTRIES,
    csv: ENTRY_CSV,
    call: (_, id) => get(`${path}/${id}/entries`),
  })

const ATTEMPTS: Shows<Attempt> = [
  ['#', 'number'],
  ['channel', 'channel'],
  ['status', ({ status }) => stateText(status ?? 'none')],
  ['made', 'created_at'],
  ['next', 'next_at'],
  ['failure', ({ failure }) => failure && wordsOf(failure.code, failure.message)],
  ['calls kept', ({ calls }) => (calls?.length ? String(calls.length) : null)],
]
const ATTEMPT_CSV = 'number channel reference status created_at failure.code failure.message'.split(' ')

export const attemptsCommand = ({ noun, path }: Place): Command =>
  listCommand<Attempt, [ReturnType<typeof idOf>]>('attempts', 'list the attempts at a contract, first to last', {
    examples: [`gateway ${noun} attempts 0198…`, `gateway ${noun} attempts 0198… --json`],
    notes:
      'With --json each comes with the calls to its channel that ended in no definite success: what was sent, and what came back.',
    arguments: [idOf(noun)],
    member: 'attempts',
    columns: ATTEMPTS,
    csv: ATTEMPT_CSV,
    call: (_, id) => get(`${path}/${id}/attempts`),
  })

const DELIVERIES: Shows<Delivery> = [
  ['delivery', 'id'],
  ['endpoint', 'endpoint_id'],
  ['event', 'type'],
  ['status', ({ status }) => stateText(status)],
  ['tries', 'tries'],
  ['answer', ({ last_status_code: code, last_fault: fault }) => code ?? fault],
  ['next', 'next_attempt_at'],
]
const DELIVERY_CSV =
  'id endpoint_id endpoint_url event_id type sequence status replay tries last_status_code last_fault next_attempt_at created_at updated_at'.split(
    ' ',
  )

export const deliveriesCommand = ({ noun, path }: Place): Command =>
  listCommand<Delivery, [ReturnType<typeof idOf>]>(
    'deliveries',
    'list the webhook deliveries of a contract’s events, newest event first',
    {
      examples: [`gateway ${noun} deliveries 0198…`],
      arguments: [idOf(noun)],
      member: 'deliveries',
      columns: DELIVERIES,
      csv: DELIVERY_CSV,
      call: (_, id) => get(`${path}/${id}/deliveries`),
    },
  )

export const explainCommand = ({ noun, path }: Place): Command =>
  apiCommand('explain', 'where the money is, who must act and by when, and what a cancel would do now', {
    examples: [`gateway ${noun} explain 0198…`],
    arguments: [idOf(noun)],
    call: (_, id) => get(`${path}/${id}/explain`),
    print: printExplanation,
  })

function printExplanation({ explanation }: { readonly explanation: Explained }): void {
  const { summary, places, waits_for: waitsFor, by, cancel_now: cancelNow, attempt } = explanation
  print(summary)
  printPairs([
    ...places.map(({ account, amount, currency }) => [account, moneyText(amount, currency)] as const),
    ['waits for', paint('bold', waitsFor)],
    ['by', by ?? 'nothing happens by itself'],
    ['a cancel now', cancelNow],
    ...(attempt
      ? [
          [
            'attempt',
            `${attempt.number}, ${attempt.status}, through ${attempt.channel} as ${attempt.reference}`,
          ] as const,
        ]
      : []),
  ])
}
