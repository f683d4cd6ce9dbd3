// Every rail: what answers its requests, and its own codes for those of the books.
import type { Rail } from '../books/orders.ts'
import type { CollectRail } from '../collections/collections.ts'
import type { Api } from '../routing.ts'
import type { Codes } from '../text/codes.ts'
import { CARD, CARD_PAYMENTS } from './card.ts'
import { GCASH, GCASH_PAYMENTS, GCASH_PAYOUTS } from './gcash.ts'
import { INSTAPAY, INSTAPAY_TRANSFERS } from './instapay.ts'
import { MAYA, MAYA_CHECKOUTS, MAYA_DISBURSEMENTS } from './maya.ts'
import { PESONET, PESONET_ITEMS } from './pesonet.ts'
import { QRPH } from './qrph.ts'
import { GENERIC, GENERIC_TRANSFERS } from './transfers.ts'

/** By the first part of the path. */
export const APIS: ReadonlyMap<string, Api> = new Map([
  ['transfers', GENERIC],
  ['accounts', GENERIC],
  ['events', GENERIC],
  ['sandbox', GENERIC],
  ['instapay', INSTAPAY],
  ['pesonet', PESONET],
  ['gcash', GCASH],
  ['maya', MAYA],
  ['card', CARD],
  ['qrph', QRPH],
])

export const PAYOUT_CODES: Readonly<Record<Rail, Codes>> = {
  sandbox: GENERIC_TRANSFERS.codes,
  instapay: INSTAPAY_TRANSFERS.codes,
  pesonet: PESONET_ITEMS.codes,
  gcash: GCASH_PAYOUTS.codes,
  maya: MAYA_DISBURSEMENTS.codes,
}

/** Why nothing was paid, or refunded, as each rail reports it. */
export const FAILURE_CODES: Readonly<Record<CollectRail, (code: string) => string>> = {
  gcash: GCASH_PAYMENTS.failureCode,
  maya: MAYA_CHECKOUTS.failureCode,
  card: CARD_PAYMENTS.failureCode,
  qrph: (code) => code,
}
