// What may be done to a contract in each status, and where that leads: from the very tables of moves that the gateway
// decides by.
import { PAYMENT_MOVES } from '../../src/domain/payment/move-table.ts'
import { PAYMENT_STATUSES } from '../../src/domain/payment/moves.ts'
import { MOVES_AHEAD } from '../../src/domain/transfer/move-table.ts'
import { TRANSFER_STATUSES } from '../../src/domain/transfer/moves.ts'

/** The operation of the API for each verb that a caller may say. */
const TRANSFER_OPERATIONS = {
  update: 'transfers.update',
  issue: 'transfers.issue',
  pay: 'transfers.pay',
  cancel: 'transfers.cancel',
  retry: 'transfers.retry',
} as const
const PAYMENT_OPERATIONS = {
  choose: 'payments.pay',
  cancel: 'payments.cancel',
  refund: 'payments.refund',
  name_payer: 'payments.savePayer',
} as const

/** A wallet pays at once, so that the choice of the method and the money come in one reply. */
const ALSO: Readonly<Record<string, readonly string[]>> = { 'payments.pay': ['paid', 'completed'] }

type Move = { readonly from: string | null; readonly verb: string; readonly to: string }
/** For each operation and status the statuses that it leads to. */
export type Targets = Record<string, Record<string, string[]>>

export type Kind = { readonly name: 'transfer' | 'payment'; readonly component: string; readonly type: string }
const KINDS: readonly (Kind & { readonly group: string; readonly moves: readonly Move[] })[] = [
  { name: 'transfer', component: 'TransferContract', type: 'Transfer', group: 'transfers.', moves: MOVES_AHEAD },
  { name: 'payment', component: 'PaymentContract', type: 'Payment', group: 'payments.', moves: PAYMENT_MOVES },
]

export type Steps = {
  readonly targets: Targets
  /** For each kind and status the statuses that come next. */
  readonly next: Readonly<Record<string, Record<string, string[]>>>
  readonly of: (id: string) => Record<string, string[]> | undefined
  readonly kindOf: (id: string) => Kind | null
  readonly isContract: (component: string) => boolean
  /** The type of what an operation creates. */
  readonly created: (id: string) => string | null
}

export function stepsOfContracts(): Steps {
  const targets: Targets = {
    ...targetsOf(MOVES_AHEAD, TRANSFER_OPERATIONS),
    ...targetsOf(PAYMENT_MOVES, PAYMENT_OPERATIONS),
  }
  return {
    targets,
    next: {
      transfer: nextOf(MOVES_AHEAD, TRANSFER_STATUSES),
      payment: nextOf(PAYMENT_MOVES, PAYMENT_STATUSES),
    },
    of: (id) => targets[id],
    kindOf: (id) => KINDS.find(({ group }) => id.startsWith(group)) ?? null,
    isContract: (component) => KINDS.some((kind) => kind.component === component),
    created: (id) => {
      const kind = KINDS.find(({ group }) => id === `${group}create`)
      const to = kind?.moves.find(({ from, verb }) => from === null && verb === 'create')?.to
      return kind && to !== undefined ? `${kind.type}<'${to}'>` : null
    },
  }
}

function targetsOf(moves: readonly Move[], operations: Readonly<Record<string, string>>): Targets {
  const targets: Targets = {}
  for (const { from, verb, to } of moves) {
    const id = operations[verb]
    if (id === undefined || from === null) continue
    const statuses = ((targets[id] ??= {})[from] ??= [...(ALSO[id] ?? [])])
    if (!statuses.includes(to)) statuses.push(to)
  }
  // A completed contract is not cancelled: the table has a row for it because the first try is written down.
  delete targets['transfers.cancel']?.['completed']
  return targets
}

function nextOf(moves: readonly Move[], statuses: readonly string[]): Record<string, string[]> {
  return Object.fromEntries(
    statuses.map((status) => {
      const after = moves.filter(({ from, to }) => from === status && to !== status).map(({ to }) => to)
      return [status, [...new Set(after)]]
    }),
  )
}
