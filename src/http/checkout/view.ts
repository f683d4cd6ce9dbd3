// What a payer may see of a payment contract, and at which point of it the page stands. Pure: no HTML, no texts.
import type { ShownBrand } from '../../app/accounts/brands.ts'
import type { Support } from '../../domain/account/brand.ts'
import type { NextAction } from '../../domain/channel/collection.ts'
import { type MethodForm, PAYMENT_KINDS, PAYMENT_METHODS, type PaymentKind } from '../../domain/payment/kinds.ts'
import type { OfferedMethod } from '../../domain/payment/methods.ts'
import { currentAttempt, isLiveAttempt, type Payment, type PaymentAttempt } from '../../domain/payment/payment.ts'
import { type MoneyNotice, moneyNotices, partOf } from './notices.ts'
import { actionForRest, isOver } from './action.ts'

/** `closing`: the contract is to end once a rail has answered. `lapsed`: the price of the attempt holds no longer. */
export type CheckoutState =
  | 'choose'
  | 'starting'
  | 'redirect'
  | 'qr'
  | 'address'
  | 'lapsed'
  | 'processing'
  | 'closing'
  | 'paid'
  | 'cancelled'
  | 'expired'

export type CheckoutAttempt = {
  readonly number: number
  readonly kind: PaymentKind
  /** The name of its channel. */
  readonly name: string
  readonly status: PaymentAttempt['status']
  readonly feeMinor: bigint
  readonly debitMinor: bigint
  readonly action: NextAction | null
  readonly shown: Readonly<Record<string, string>>
  readonly failureCode: string | null
}

/** What the page needs beside the contract. */
export type CheckoutFacts = {
  readonly token: string
  readonly baseUrl: string
  readonly brand: ShownBrand
  readonly methods: readonly OfferedMethod[]
  readonly channelName: (attempt: PaymentAttempt) => string
  readonly nowMs: number
  /** The payer wants another way than the one that was begun. */
  readonly wantsChoice: boolean
}

export type CheckoutView = {
  readonly token: string
  readonly path: string
  readonly baseUrl: string
  readonly contractId: string
  readonly livemode: boolean
  /** Whom the payer pays, by the name that payers know. */
  readonly merchant: string
  /** A data URI. */
  readonly logo: string | null
  /** #rrggbb. */
  readonly colour: string | null
  readonly support: Support
  readonly description: string | null
  readonly referenceId: string | null
  readonly currency: string
  readonly amountMinor: bigint
  readonly state: CheckoutState
  readonly status: Payment['status']
  readonly attempt: CheckoutAttempt | null
  readonly methods: readonly OfferedMethod[]
  readonly notices: readonly MoneyNotice[]
  readonly nowMs: number
  /** Until when the payer has time, or null where there is nothing left to do. */
  readonly dueAt: number | null
  readonly paidAt: number | null
  readonly returnUrl: string | null
  /** Changes whenever the page would look different. */
  readonly stamp: string
  /** Nothing more will happen: the page need not reload. */
  readonly isFinal: boolean
}

/** The page's path, from where the outside world reaches the gateway. */
export const checkoutPath = (token: string) => `/pay/${token}`

export function checkoutView(payment: Payment, facts: CheckoutFacts): CheckoutView {
  const { nowMs, wantsChoice, brand, baseUrl, token } = facts
  const attempt = attemptShown(payment, facts)
  const reached = stateOf(payment, attempt, nowMs)
  const canChoose = reached === 'starting' || reached === 'redirect' || reached === 'qr' || reached === 'address'
  const state = wantsChoice && canChoose ? 'choose' : reached
  const { terms, version } = payment
  return {
    token,
    path: checkoutPath(token),
    baseUrl,
    contractId: payment.id,
    livemode: payment.livemode,
    merchant: brand.name,
    logo: brand.logo,
    colour: brand.colour,
    support: brand.support,
    description: terms.description,
    referenceId: terms.deliverable?.referenceId ?? null,
    currency: terms.currency,
    amountMinor: terms.amountMinor,
    state,
    status: payment.status,
    attempt,
    methods: state === 'choose' || state === 'lapsed' ? inOrder(usable(facts.methods)) : [],
    notices: moneyNotices(payment),
    nowMs,
    dueAt: dueAtOf(payment, attempt, state),
    paidAt: payment.paidAt,
    returnUrl: webUrl(payment.returnUrl),
    stamp: `${version}.${state}`,
    isFinal: payment.status !== 'issued' && payment.suspenseMinor === 0n && !hasOpenReturn(payment),
  }
}

/** What most payers look for first. */
const FORMS: readonly MethodForm[] = ['e_wallet', 'code', 'card_token', 'asset', 'own_wallet']
const ORDER = FORMS.flatMap((form) => PAYMENT_KINDS.filter((kind) => PAYMENT_METHODS[kind].form === form))

const inOrder = (methods: readonly OfferedMethod[]) =>
  methods.toSorted((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind))

/**
 * What a payer with nothing but this page can use: a card where its provider has a page for it. A wallet of this gateway is
 * its holder's to pay with, by a key of their own: it is offered where nothing else is.
 */
function usable(methods: readonly OfferedMethod[]): readonly OfferedMethod[] {
  const formOf = ({ kind }: OfferedMethod) => PAYMENT_METHODS[kind].form
  const here = methods.filter((each) => formOf(each) !== 'card_token' || each.hosted)
  const others = here.filter((each) => formOf(each) !== 'own_wallet')
  return others.length > 0 ? others : here
}

const hasOpenReturn = ({ refunds }: Payment) => refunds.some((each) => each.status === 'open')

/** Of what was paid, the attempt that paid; else the newest. */
function attemptShown(payment: Payment, { channelName }: CheckoutFacts): CheckoutAttempt | null {
  const { paidAttempt, attempts, paidAt } = payment
  const paid = paidAttempt === null ? null : (attempts[paidAttempt - 1] ?? null)
  const attempt = paidAt === null ? currentAttempt(payment) : paid
  if (!attempt) return null
  const { number, kind, status, feeMinor, debitMinor, shown, failure } = attempt
  const name = channelName(attempt)
  const failureCode = failure?.code ?? null
  return { number, kind, name, status, feeMinor, debitMinor, action: actionOf(payment, attempt), shown, failureCode }
}

function actionOf(payment: Payment, attempt: PaymentAttempt): NextAction | null {
  const action = payment.status === 'issued' && isLiveAttempt(attempt) ? attempt.nextAction : null
  if (action?.type === 'redirect') return webUrl(action.url) === null ? null : action
  const part = partOf(payment)
  return action?.type === 'display_address' && part ? actionForRest(action, attempt, part.restMinor, payment) : action
}

function stateOf(payment: Payment, attempt: CheckoutAttempt | null, nowMs: number): CheckoutState {
  switch (payment.status) {
    case 'paid':
    case 'completed':
      return 'paid'
    case 'cancelled':
      return 'cancelled'
    case 'expired':
      return 'expired'
    case 'issued':
      return openState(payment, attempt, nowMs)
  }
}

function openState(payment: Payment, attempt: CheckoutAttempt | null, nowMs: number): CheckoutState {
  const live = payment.attempts.some(isLiveAttempt)
  const isEnding = payment.cancellation?.status === 'pending'
  if (payment.expiresAt <= nowMs && !live) return 'expired'
  if (isEnding || payment.expiresAt <= nowMs) return 'closing'
  switch (attempt?.status) {
    case 'starting':
    case 'unknown':
      return 'starting'
    case 'pending':
      return pendingState(attempt, nowMs)
    case 'processing':
    // Its money has come; the contract's own status follows.
    case 'succeeded':
      return 'processing'
    case 'failed':
    case 'cancelled':
    case undefined:
      return 'choose'
  }
}

function pendingState({ kind, action }: CheckoutAttempt, nowMs: number): CheckoutState {
  if (action === null) return kind === 'wallet' ? 'choose' : 'processing'
  if (isOver(action, nowMs)) return 'lapsed'
  return action.type === 'display_qr' ? 'qr' : action.type === 'display_address' ? 'address' : 'redirect'
}

function dueAtOf({ expiresAt }: Payment, attempt: CheckoutAttempt | null, state: CheckoutState): number | null {
  if (state === 'choose') return expiresAt
  if (state !== 'redirect' && state !== 'qr' && state !== 'address') return null
  return Math.min(expiresAt, attempt?.action?.expiresAt ?? expiresAt)
}

/** An address of the web as it is, or null: nothing else is ever linked to. */
export function webUrl(text: string | null): string | null {
  const url = text === null ? null : URL.parse(text)
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null
}
