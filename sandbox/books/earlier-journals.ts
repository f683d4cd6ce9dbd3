// Journals of earlier versions, the first of which knew the generic rail only: their lines in the form of today.
import { type Entry, keyOf, type LaterStatus, type Status } from './orders.ts'
import type { Line, State } from './state.ts'

type FirstTransfer = Pick<
  Entry,
  'reference' | 'amount' | 'currency' | 'createdAtMs' | 'code' | 'message' | 'executions'
> & {
  readonly status: Status
  readonly channel: string | null
  readonly recipientHash: string
  readonly later: { afterMs: number; status: LaterStatus; code?: string; message?: string } | null
}
type FirstMove = { reference: string; status: Status; code: string | null; message: string | null; atMs: number }
type EarlierLine = {
  readonly transfer?: FirstTransfer
  readonly move?: FirstMove
  readonly faultOf?: string
  /** Today's `delivered`. */
  readonly told?: string
  readonly collect?: { readonly told?: string }
}

/** Any line of a journal in the form of today. */
export function lineOf(state: State, line: unknown): Line {
  const { transfer, move, faultOf, told, collect } = line as EarlierLine
  if (told !== undefined) return { delivered: told }
  if (collect?.told !== undefined) return { collect: { delivered: collect.told } }
  if (transfer) return { entry: entryOf(transfer, state.entries.length + 1) }
  if (move?.reference !== undefined) {
    const { reference, ...rest } = move
    return { move: { ...rest, number: state.newest.get(keyOf({ rail: 'sandbox', reference })) ?? 0 } }
  }
  const isFirst = faultOf !== undefined && !faultOf.includes(' ')
  return isFirst ? { faultOf: keyOf({ rail: 'sandbox', reference: faultOf }) } : (line as Line)
}

function entryOf(transfer: FirstTransfer, number: number): Entry {
  const { channel, recipientHash, later, ...same } = transfer
  const { status, code, createdAtMs: atMs } = same
  return {
    ...same,
    id: `sbx_${String(number).padStart(10, '0')}`,
    number,
    rail: 'sandbox',
    account: null,
    bank: null,
    name: null,
    envelope: channel,
    digest: recipientHash,
    returns: 0,
    later: later ? [{ code: null, message: null, ...later, atMs: atMs + later.afterMs }] : [],
    history: [{ status, code, atMs }],
    earlier: null,
  }
}
