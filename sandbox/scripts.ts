// Scenarios that a test writes itself (POST /scenarios): their shape, and which orders they are about. Pure.
import { minorOf } from './text/amounts.ts'
import { countIn, type Fields, fieldsIn, numberIn, oneOf, textIn } from './text/fields.ts'
import { Malformed } from './text/malformed.ts'
import { ACCOUNT_CLOSED, type Wire } from './scenarios.ts'
import { type Later, type Order, RAILS, type Verdict } from './books/orders.ts'

const SECONDS_MAX = 366 * 86_400
const COUNT_MAX = 1_000_000
const LATER_MAX = 10

export type Inquiry = 'truth' | 'not_found' | 'error' | 'hang' | 'lies_failed' | { readonly notFoundForMs: number }
export type Outage = 'refuse_connections' | 'hang' | '503'
export type CallbackPlay = {
  readonly duplicates: number
  readonly forged: number
  /** Sent with the true secret before the truth: that it failed. */
  readonly lies: number
  readonly delayMs: number
  readonly shuffle: boolean
  readonly drop: boolean
}
export type StatementPlay =
  | { readonly omit: string }
  | { readonly extra: { readonly reference: string; readonly amount: string } }

export type Script = Readonly<ReturnType<typeof scriptOf>>

const KNOWN =
  'rail match times verdict code message wire later inquiry callbacks outage seconds forget_references_after_seconds settle_after_seconds statement'

/** Reads what was posted. Throws Malformed. */
export function scriptOf(id: string, asked: Fields, createdAtMs: number) {
  only(asked, KNOWN)
  const match = fieldsIn(asked, 'match') ?? {}
  only(match, 'reference account amount every')
  const code = textIn(asked, 'code')
  const message = textIn(asked, 'message')
  const later = laterIn(asked)
  const seconds = numberIn(asked, 'seconds', 0, SECONDS_MAX)
  const outage = oneOf(asked, 'outage', ['refuse_connections', 'hang', '503'])
  return {
    id,
    createdAtMs,
    /** As it was posted. */
    asked,
    /** Null for every rail. Those that only collect know outages alone. */
    rail: oneOf(asked, 'rail', [...RAILS, 'card', 'qrph']),
    reference: textIn(match, 'reference'),
    account: textIn(match, 'account'),
    amount: textIn(match, 'amount'),
    every: countIn(match, 'every', 1, COUNT_MAX),
    times: countIn(asked, 'times', 1, COUNT_MAX),
    verdict: verdictIn(asked, code, message),
    later,
    wire: wireIn(asked),
    inquiry: inquiryIn(asked),
    callbacks: callbacksIn(asked),
    outage,
    outageUntilMs: outage === null || seconds === null ? null : createdAtMs + seconds * 1_000,
    forgetAfterMs: msIn(asked, 'forget_references_after_seconds'),
    settleAfterMs: msIn(asked, 'settle_after_seconds'),
    statement: statementIn(asked),
  }
}

function only(fields: Fields, known: string): void {
  const unknown = Object.keys(fields).find((name) => !known.split(' ').includes(name))
  if (unknown !== undefined) throw new Malformed(`${unknown} is none of: ${known}.`)
}

function msIn(fields: Fields, name: string): number | null {
  const seconds = numberIn(fields, name, 0, SECONDS_MAX)
  return seconds === null ? null : Math.round(seconds * 1_000)
}

function verdictIn(fields: Fields, code: string | null, message: string | null): Verdict | null {
  const status = oneOf(fields, 'verdict', ['completed', 'accepted', 'refused'])
  if (status === null) return null
  if (status !== 'refused') return { status, code: null, message: null }
  return { status, code: code ?? ACCOUNT_CLOSED.code, message: message ?? ACCOUNT_CLOSED.message }
}

function laterIn(fields: Fields): Later[] | null {
  const value = fields['later']
  if (value === undefined) return null
  const steps: unknown[] = Array.isArray(value) ? value : [value]
  if (steps.length > LATER_MAX) throw new Malformed(`later has at most ${LATER_MAX} steps.`)
  const read = steps.map((later) => {
    const step = fieldsIn({ later }, 'later') ?? {}
    only(step, 'after_seconds status code message')
    const afterMs = msIn(step, 'after_seconds')
    const status = oneOf(step, 'status', ['completed', 'accepted', 'refused', 'returned'])
    if (afterMs === null || status === null) throw new Malformed('later needs after_seconds and status.')
    return { afterMs, status, code: textIn(step, 'code') ?? laterCode(status), message: textIn(step, 'message') }
  })
  return read.sort((a, b) => a.afterMs - b.afterMs)
}

function laterCode(status: Later['status']): string | null {
  if (status === 'returned') return 'account_closed_later'
  return status === 'refused' ? ACCOUNT_CLOSED.code : null
}

function wireIn(fields: Fields): Wire | null {
  if (typeof fields['wire'] === 'object') {
    const slowMs = numberIn(fieldsIn(fields, 'wire') ?? {}, 'slow_ms', 0, 600_000)
    if (slowMs === null) throw new Malformed('wire is a word or {slow_ms}.')
    return { slowMs }
  }
  const faults = [
    'answer',
    'hang_before',
    'hang_after',
    'reset_after',
    'error_before',
    'error_after',
    'garbage',
  ] as const
  return oneOf(fields, 'wire', faults)
}

function inquiryIn(fields: Fields): Inquiry | null {
  if (typeof fields['inquiry'] === 'object') {
    const notFoundForMs = msIn(fieldsIn(fields, 'inquiry') ?? {}, 'not_found_for_seconds')
    if (notFoundForMs === null) throw new Malformed('inquiry is a word or {not_found_for_seconds}.')
    return { notFoundForMs }
  }
  return oneOf(fields, 'inquiry', ['truth', 'not_found', 'error', 'hang', 'lies_failed'])
}

function callbacksIn(fields: Fields): CallbackPlay | null {
  const asked = fieldsIn(fields, 'callbacks')
  if (!asked) return null
  only(asked, 'duplicates forged lies delay_seconds shuffle drop')
  return {
    duplicates: countIn(asked, 'duplicates', 0, 100) ?? 0,
    forged: countIn(asked, 'forged', 0, 100) ?? 0,
    lies: countIn(asked, 'lies', 0, 100) ?? 0,
    delayMs: msIn(asked, 'delay_seconds') ?? 0,
    shuffle: asked['shuffle'] === true,
    drop: asked['drop'] === true,
  }
}

function statementIn(fields: Fields): StatementPlay | null {
  const asked = fieldsIn(fields, 'statement')
  if (!asked) return null
  const omit = textIn(asked, 'omit')
  if (omit !== null) return { omit }
  const extra = fieldsIn(asked, 'extra') ?? {}
  const [reference, amount] = [textIn(extra, 'reference'), textIn(extra, 'amount')]
  if (reference === null || !/^[\x21-\x7e]{1,35}$/.test(reference) || minorOf(amount ?? '', 'PHP') === null)
    throw new Malformed('statement is {omit: reference} or {extra: {reference, amount}}.')
  return { extra: { reference, amount: amount ?? '' } }
}

/** Whether a script plays at the submission of an order; the others play when they are needed. */
export function playsAtSubmission(script: Script): boolean {
  return script.verdict !== null || script.later !== null || script.wire !== null || script.every !== null
}

/** Whether an order is one of those that a script is about, every N-th of them left aside. */
export function isAbout(script: Script, order: Pick<Order, 'rail' | 'reference'> & Partial<Order>): boolean {
  if (script.rail !== null && script.rail !== order.rail) return false
  if (script.reference !== null && script.reference !== order.reference) return false
  if (script.account !== null && script.account !== order.account) return false
  if (script.amount === null) return true
  const { amount, currency } = order
  if (amount === undefined || currency === undefined) return false
  const minor = minorOf(amount, currency)
  return minor !== null && minor === minorOf(script.amount, currency)
}
