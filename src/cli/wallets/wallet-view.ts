// How wallets, their entries and their statements are shown to people.
import type { Static } from 'typebox'
import type { StatementReply } from '../../wire/wallets/statements.ts'
import type { EntriesReply, TopUpReply, WalletsReply } from '../../wire/wallets/wallets.ts'
import { paint, print, printPairs } from '../output.ts'
import { timeText } from '../times.ts'
import { moneyText, printMany, printOne, type Shows } from '../view.ts'

export type Wallet = Static<typeof WalletsReply>['data']['wallets'][number]
export type TopUpData = Static<typeof TopUpReply>['data']
export type Entry = Static<typeof EntriesReply>['data']['entries'][number]
export type StatementData = Static<typeof StatementReply>['data']
type Statement = StatementData['statement']
type Line = Statement['lines'][number]

const money = (major: number, { currency }: { readonly currency: string }) => moneyText(major, currency)
const orNothing = (major: number, of: { readonly currency: string }) => (major === 0 ? null : money(major, of))
const stateOf = ({ status, is_low: isLow, default: isDefault }: Wallet) =>
  [isDefault && 'default', status === 'closed' && 'closed', isLow && 'low'].filter(Boolean).join(', ')

export const WALLETS: Shows<Wallet> = [
  ['wallet', 'id'],
  ['mode', 'livemode'],
  ['label', ({ label }) => cut(label, 20)],
  ['available', (wallet) => money(wallet.available, wallet)],
  ['elsewhere', (wallet) => orNothing(elsewhere(wallet), wallet)],
  ['', stateOf],
]

/** What is not available: held, in transit, pending, in suspense. Cents are whole, so that the sum shows none of a float. */
const elsewhere = ({ held, in_transit: inTransit, pending, suspense }: Wallet) =>
  Math.round((held + inTransit + pending + suspense) * 1e4) / 1e4

export const WALLET_CSV =
  'id livemode currency label status default available held in_transit pending suspense low_balance is_low metadata'.split(
    ' ',
  )

const FIELDS: Shows<Wallet> = [
  ['wallet', 'id'],
  ['mode', 'livemode'],
  ['label', 'label'],
  ['is', (wallet) => stateOf(wallet) || 'open'],
  ['available', (wallet) => paint('bold', money(wallet.available, wallet))],
  ['held', (wallet) => orNothing(wallet.held, wallet)],
  ['in transit', (wallet) => orNothing(wallet.in_transit, wallet)],
  ['pending', (wallet) => orNothing(wallet.pending, wallet)],
  ['suspense', (wallet) => orNothing(wallet.suspense, wallet)],
  ['told below', (wallet) => (wallet.low_balance === null ? null : money(wallet.low_balance, wallet))],
  ['metadata', ({ metadata }) => Object.entries(metadata).map(([name, value]) => `${name}=${value}`)],
]

export const printWallet = ({ wallet, at = null }: { readonly wallet: Wallet; readonly at?: string | null }): void => {
  printOne(wallet, FIELDS)
  if (at !== null) printPairs([['as of', at]])
}

export function printTopUp({ wallet, credited, reference }: TopUpData): void {
  print(credited ? `Topped up, as ${reference}.` : `${reference} had been credited before: nothing was added.`)
  printWallet({ wallet })
}

export const ENTRIES: Shows<Entry> = [
  ['#', 'sequence'],
  ['time', 'created_at'],
  ['from', 'debit'],
  ['to', 'credit'],
  ['amount', 'amount'],
  ['available', (entry) => money(entry.available_after, entry)],
]

export const ENTRY_CSV =
  'sequence created_at debit credit amount currency available_after contract_id transaction_id reference'.split(' ')

const LINES: Shows<Line & { readonly currency: string }> = [
  ['time', ({ created_at: at }) => timeText(at)],
  ['amount', (line) => signed(line.amount, line.currency)],
  ['available', (line) => money(line.available_after, line)],
  ['about', (line) => cut(line.description ?? line.counterparty ?? line.reference ?? line.account, 34)],
]

export function printStatement({ statement, next }: StatementData, id: string): void {
  const { currency, opening, closing, from, to, label } = statement
  printPairs([
    ['wallet', label === null ? id : `${label} (${id})`],
    ['from', from],
    ['to', to],
    ['opening', moneyText(opening.available, currency)],
  ])
  print()
  printMany(
    statement.lines.map((line) => ({ ...line, currency })),
    LINES,
  )
  print()
  printPairs([
    ['closing', paint('bold', moneyText(closing.available, currency))],
    ['held', orNothing(closing.held, statement)],
    ['in transit', orNothing(closing.in_transit, statement)],
    ['pending', orNothing(closing.pending, statement)],
    ['suspense', orNothing(closing.suspense, statement)],
  ])
  if (next !== null)
    print(paint('dim', `More lines: gateway wallets statement ${id} --after ${next}, or all of them with --csv`))
}

const signed = (major: number, currency: string) => `${major < 0 ? '-' : '+'}${moneyText(Math.abs(major), currency)}`

/** So that a row fits a terminal of 100 columns. */
const cut = (text: string | null, length: number) =>
  text !== null && text.length > length ? `${text.slice(0, length - 1)}…` : text
