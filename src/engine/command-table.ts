// What the write path does for each command: which rows it loads under the account's lock, what it is about, and whether that
// may be new. One entry for each verb, exhaustive by type: a new command does not compile until it stands here. What is decided by other
// rows than those throws: not loaded, they look like rows that are not there.
import type { Command } from '../domain/contract/command.ts'
import type { Facts } from '../domain/contract/decision.ts'
import { invariant } from '../domain/invariant.ts'
import type { PaymentFacts } from '../domain/payment/decision.ts'
import type { Transfer } from '../domain/transfer/transfer.ts'

export type Verb = Command['verb']

/** A command by its verb. */
export type CommandOf<V extends Verb> = Extract<Command, { readonly verb: V }>

/** What a command is about: a contract of one kind or of either, a wallet, or a provider's event. */
export type Subject = 'transfer' | 'payment' | 'wallet' | 'event'

/** Rows that a command may read or change, beside its account's own and the answer to its idempotency key. */
export type Rows =
  | 'contract'
  /** The payment contract behind a transfer that refunds it. */
  | 'refunded payment'
  | 'job'
  /** All wallets of the account: the one that a contract names is known only once it is loaded. */
  | 'wallets'
  /** What an approval is checked against: the members, who made which key, and the destinations of the contracts. */
  | 'checks'
  /** The verification that is ended. */
  | 'verification'
  /** The account's default wallets, and the one that the command names. */
  | 'named wallet'
  /** What of the contract's receipts is in suspense. */
  | 'suspense'
  /** The event, and the receipt of the provider's object, where they came before. */
  | 'event'
  /** The reference of a credit, where it was credited before. */
  | 'reference'

type Entry<V extends Verb> = {
  readonly about: readonly Subject[]
  /** Whether the contract is opened by the command, so that there is none before it. */
  readonly opens: boolean
  readonly loads: (command: CommandOf<V>) => readonly Rows[]
}

const known = <const S extends readonly Subject[]>(about: S, ...rows: readonly Rows[]) =>
  ({ about, opens: false, loads: () => rows }) as const
const TRANSFER = ['transfer'] as const
const PAYMENT = ['payment'] as const
const EITHER = ['transfer', 'payment'] as const
/** What may end a transfer: it concerns the payment contract that it refunds. */
const ENDS_TRANSFERS = ['contract', 'refunded payment', 'job', 'wallets'] as const

export const COMMANDS = {
  // Ids are new, but that of a payment from a wallet, which may be repeated.
  create_transfer: { about: TRANSFER, opens: true, loads: ({ pays }) => (pays === null ? [] : ['contract']) },
  // The contract may be one that the books have forgotten.
  adopt: { about: TRANSFER, opens: true, loads: () => ['contract', 'job', 'wallets'] },
  update: known(TRANSFER, 'contract'),
  issue: known(TRANSFER, 'contract'),
  pay: known(TRANSFER, 'contract', 'named wallet'),
  submit: known(TRANSFER, 'contract', 'job'),
  inquire: known(TRANSFER, 'contract', 'job'),
  report: known(TRANSFER, ...ENDS_TRANSFERS),
  retry: known(TRANSFER, ...ENDS_TRANSFERS),
  resolve: known(TRANSFER, ...ENDS_TRANSFERS),
  approve: known(TRANSFER, 'contract', 'checks'),
  reject: known(TRANSFER, 'contract', 'checks', 'job'),
  verify: {
    about: TRANSFER,
    opens: false,
    loads: ({ by }) => (by ? ['contract', 'verification', 'checks'] : ['contract', 'verification']),
  },
  cancel: known(EITHER, ...ENDS_TRANSFERS),
  expire: known(EITHER, 'contract', 'job'),
  // Refused where what comes in would have no wallet.
  create_payment: { about: PAYMENT, opens: true, loads: () => ['named wallet'] },
  choose: known(PAYMENT, 'contract', 'job'),
  process_due: known(PAYMENT, 'contract', 'job', 'wallets', 'suspense'),
  // What is in suspense goes back by the job that the report is about: it is due again for that, too.
  report_collection: known(PAYMENT, 'contract', 'job', 'wallets', 'suspense'),
  refund: known(PAYMENT, 'contract', 'job', 'wallets'),
  return: known(PAYMENT, 'contract', 'job', 'wallets', 'suspense'),
  name_payer: known(PAYMENT, 'contract'),
  receive: known(['event'], 'contract', 'job', 'wallets', 'suspense', 'event'),
  credit: known(['wallet'], 'named wallet', 'reference'),
  // The answer that is kept under its key is all that it needs. It opens nothing, but may name what it would have opened.
  repeat: { about: [], opens: true, loads: () => [] },
} as const satisfies { readonly [V in Verb]: Entry<V> }

/** The commands about transfers that policies judge, or that give back what was counted. */
export const RULED: ReadonlySet<Verb> = new Set<Verb>(['issue', 'pay', 'cancel', 'report', 'retry', 'resolve'])

export type VerbAbout<S extends Subject> = {
  [V in Verb]: S extends (typeof COMMANDS)[V]['about'][number] ? V : never
}[Verb]

/** The commands that contracts of a kind know. */
export type CommandAbout<S extends Subject> = CommandOf<VerbAbout<S>>

/** Whether a command is one that the subject knows. */
export function isAbout<S extends Subject>(subject: S, command: Command): command is CommandAbout<S> {
  const about: readonly Subject[] = COMMANDS[command.verb].about
  return about.includes(subject)
}

/** The rows that a command needs. */
export function rowsOf<C extends Command>(command: C): readonly Rows[] {
  const entry = COMMANDS[command.verb] as Entry<Verb>
  return entry.loads(command)
}

/** Rows of the account, whichever contract is decided on; all others are those of the contract that the command names. */
const OF_ACCOUNT: ReadonlySet<Rows> = new Set<Rows>(['wallets', 'refunded payment'])

/** Whether the command loads rows of a kind for what is decided about this contract. */
export function isLoaded(command: Command, id: string, kind: Rows): boolean {
  return rowsOf(command).includes(kind) && (OF_ACCOUNT.has(kind) || ('id' in command && command.id === id))
}

function expectLoaded(command: Command, id: string, kind: Rows): void {
  invariant(isLoaded(command, id, kind), `${command.verb} loads what it is decided by: ${kind}`)
}

/** Of some commands only the default wallets are loaded, and the one that the command names. */
function expectWallet(command: Command, walletId: string | null): void {
  const isNamed = walletId === null || ('walletId' in command && command.walletId === walletId)
  const isThere = rowsOf(command).includes('named wallet') && isNamed
  invariant(isThere || rowsOf(command).includes('wallets'), `${command.verb} loads the wallet that it is decided by`)
}

/** A contract that the command opens has no job before it. */
function expectJob(command: Command, id: string): void {
  if (!COMMANDS[command.verb].opens) expectLoaded(command, id, 'job')
}

/** The facts about a transfer, of which each throws where the command has not loaded what it is made of. */
export function transferAsLoaded(command: Command, id: string, before: Transfer | null, facts: Facts): Facts {
  return {
    ...facts,
    wallet: (walletId, currency) => {
      expectWallet(command, walletId)
      return facts.wallet(walletId, currency)
    },
    get attempt() {
      expectJob(command, id)
      return facts.attempt
    },
    get parent() {
      if (before?.origin) expectLoaded(command, id, 'refunded payment')
      return facts.parent
    },
  }
}

/** The same about a payment contract. */
export function paymentAsLoaded(command: Command, id: string, facts: PaymentFacts): PaymentFacts {
  const { wallet, booked, waiting, adoptedReturn } = facts
  return {
    ...facts,
    wallet: (walletId, currency) => {
      expectWallet(command, walletId)
      return wallet(walletId, currency)
    },
    get job() {
      expectJob(command, id)
      return facts.job
    },
    booked: (objectId) => {
      expectLoaded(command, id, 'event')
      return booked(objectId)
    },
    waiting: () => {
      expectLoaded(command, id, 'suspense')
      return waiting()
    },
    adoptedReturn: (receipt) => {
      expectLoaded(command, id, 'suspense')
      return adoptedReturn(receipt)
    },
  }
}
