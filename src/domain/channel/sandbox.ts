// The sandbox provider as the gateway thinks of it: what it plays, what its books say, and what of ours they are compared
// with. Pure.
import type { Contract } from '../contract/contract.ts'
import { attemptReference } from '../contract/ids.ts'
import type { Payment } from '../payment/payment.ts'
import { channelOfAttempt } from '../transfer/attempt.ts'
import type { Transfer } from '../transfer/transfer.ts'

/** How far the provider's clock may be moved at a time. */
export const CLOCK_STEP_MAX_SECONDS = 366 * 86_400

export type ProviderClock = { readonly nowMs: number; readonly offsetSeconds: number }

/** What an amount chooses by its minor units modulo 100; null for what happens to every other amount. */
export type PlayedOutcome = {
  readonly name: string
  /** The account that chooses it whatever the amount; null where none does. */
  readonly account: string | null
  readonly ending: number | null
  readonly summary: string
}

export type Script = {
  readonly id: string
  readonly createdAtMs: number
  /** How often it played. */
  readonly played: number
  /** As it was posted. */
  readonly asked: Readonly<Record<string, unknown>>
}

export type ProviderScenarios = {
  readonly transfers: readonly PlayedOutcome[]
  readonly payments: readonly PlayedOutcome[]
  /** Newest first, which is the order in which they win. */
  readonly scripts: readonly Script[]
}

/** A rail that the provider plays, and the channels whose money goes through it. */
export type PlayedRail = { readonly rail: string; readonly channels: readonly string[] }

export type Outage = { readonly kind: string; readonly untilMs: number | null }

export type SandboxStanding = ProviderScenarios & {
  readonly url: string
  readonly clock: ProviderClock
  /** `outage` is null while the rail works. */
  readonly rails: readonly (PlayedRail & { readonly outage: Outage | null })[]
}

/** The newest outage of a rail that lasts now, as the provider takes it. */
export function outageAmong(scripts: readonly Script[], rail: string, nowMs: number): Outage | null {
  for (const { asked, createdAtMs } of scripts) {
    const { outage, rail: only, seconds } = asked
    if (typeof outage !== 'string' || (typeof only === 'string' && only !== rail)) continue
    const untilMs = typeof seconds === 'number' ? createdAtMs + seconds * 1000 : null
    if (untilMs === null || nowMs < untilMs) return { kind: outage, untilMs }
  }
  return null
}

/** One attempt at a contract, as we have it. */
export type OurOrder = {
  readonly contract: Contract
  readonly direction: 'out' | 'in'
  readonly rail: string
  readonly channelId: string
  readonly number: number
  readonly reference: string
  readonly status: string
  readonly amountMinor: bigint
  readonly currency: string
}

type Moment = { readonly status: string; readonly code: string | null; readonly at: string }

/** What the provider has under the same reference. */
export type TheirOrder = {
  readonly status: string
  readonly code: string | null
  readonly amountMinor: bigint
  readonly currency: string
  /** How often the money moved. */
  readonly moved: number
  /** How often it came back, or was given back. */
  readonly movedBack: number
  readonly history: readonly Moment[]
}

export type ComparedOrder = OurOrder & { readonly theirs: TheirOrder | null }

/** The attempts at a contract on these rails, newest first. */
export function attemptsAt(contract: Contract, rails: readonly PlayedRail[]): OurOrder[] {
  const railOf = (channelId: string) => rails.find(({ channels }) => channels.includes(channelId))?.rail
  const attempts = contract.kind === 'transfer' ? payoutsOf(contract) : collectionsOf(contract)
  return attempts.flatMap(({ channelId, ...attempt }) => {
    const rail = channelId === null ? undefined : railOf(channelId)
    return rail === undefined || channelId === null ? [] : [{ ...attempt, contract, channelId, rail }]
  })
}

type Attempted = Omit<OurOrder, 'contract' | 'channelId' | 'rail'> & { readonly channelId: string | null }

function payoutsOf(contract: Transfer): Attempted[] {
  const { execution, terms, id, debitMinor, feeMinor } = contract
  const numbers = Array.from({ length: execution.number }, (_, at) => execution.number - at)
  return numbers.map((number) => ({
    direction: 'out',
    channelId: channelOfAttempt(contract, number),
    number,
    reference: attemptReference(id, number),
    // Another attempt follows a definite failure only.
    status: number === execution.number ? execution.status : 'failed',
    // What is sent is what the recipient gets.
    amountMinor: debitMinor - feeMinor,
    currency: terms.currency,
  }))
}

function collectionsOf({ attempts, terms }: Payment): Attempted[] {
  return attempts.toReversed().map(({ channelId, number, reference, status, debitMinor }) => ({
    direction: 'in',
    channelId,
    number,
    reference,
    status,
    amountMinor: debitMinor,
    currency: terms.currency,
  }))
}
