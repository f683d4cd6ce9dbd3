// QR Ph: a code that any bank of the country pays. It is written here, without a call; what came in on it is inquired
// of the acquirer, by the short reference in the code. There are no payouts and no refunds.
import type { Collection, CollectOrder, FoundReceipt, PayerPlace } from '../../domain/channel/collection.ts'
import { contractOfReference, referenceOfShort, shortReference } from '../../domain/contract/ids.ts'
import { invariant } from '../../domain/invariant.ts'
import { type QrphOrder, qrphCode } from './code.ts'
import type {
  CollectCapabilities,
  Collects,
  Connector,
  ConnectorCapabilities,
  FetchesSettlements,
  FindsReceipts,
  SettledLine,
} from '../connector.ts'
import { readSettlement } from '../settlements.ts'
import {
  type Doubt,
  doubt,
  isPaidOrAgreed,
  noPayouts,
  pesosOnly,
  processing,
  received,
  uninformed,
} from '../collecting.ts'
import {
  callRail,
  type Fields,
  fieldsOf,
  jsonFields,
  type RailReader,
  type RailSettings,
  type Response,
  textOf,
} from '../rail.ts'

const CAPABILITIES: ConnectorCapabilities = {
  acceptsReference: false,
  dedupeLifetimeMs: 0,
  inquiry: false,
  notFoundFinalAfterMs: 0,
  recall: false,
}
export const QRPH_COLLECTS: CollectCapabilities = { inquiry: true, refunds: false }
/** All that the standard has room for. */
const AMOUNT_CHARACTERS_MAX = 13

export type QrphSettings = RailSettings &
  Omit<QrphOrder, 'amountDecimal' | 'reference'> & {
    /** Reads what came in at the acquirer. */
    readonly apiKey: string
    /** The channel that pays out to the accounts of its payers. */
    readonly payersChannel: string
  }

export function qrphConnector(settings: QrphSettings): Connector & Collects & FetchesSettlements & FindsReceipts {
  const read: RailReader = (path) => {
    const headers = { accept: 'application/json', authorization: `Bearer ${settings.apiKey}` }
    return callRail(settings, { method: 'GET', path, headers, body: null })
  }
  const paymentsOf = async (order: CollectOrder) => {
    const reference = referenceInCode(order)
    const reply = await read(`/qrph/payments?reference=${encodeURIComponent(reference)}`)
    return reply.kind === 'response' ? paymentsIn(reply, reference) : uninformed(reply)
  }
  const checkCollection = async (order: CollectOrder): Promise<Collection> => {
    const refusal = refusalOf(order)
    if (refusal) return refusal
    const payments = await paymentsOf(order)
    return 'kind' in payments ? payments : collectionIn(settings, payments, codeOf(settings, order))
  }
  return {
    describe: () => CAPABILITIES,
    send: async () => noPayouts('qrph'),
    check: async () => noPayouts('qrph'),
    describeCollect: () => QRPH_COLLECTS,
    collect: async (order) => refusalOf(order) ?? codeOf(settings, order),
    checkCollection,
    async findReceipt(order, objectId) {
      const payments = await paymentsOf(order)
      return 'kind' in payments ? payments : receiptIn(settings, payments, objectId)
    },
    fetchSettlement: (day) => settledByCode(read, day),
    /** A printed code cannot be withdrawn: what still comes in on it is booked as late money. */
    async voidCollection(order) {
      const answer = await checkCollection(order)
      if (isPaidOrAgreed(answer)) return 'refused'
      return answer.kind === 'unknown' ? 'unknown' : 'voided'
    },
  }
}

/** The codes' references are short ones: the rest of the gateway knows them by the long. */
async function settledByCode(read: RailReader, day: string): Promise<readonly SettledLine[] | null> {
  const lines = await readSettlement(read, '/qrph', day)
  return lines && lines.map((line) => ({ ...line, reference: referenceOfShort(line.reference) ?? line.reference }))
}

function refusalOf(order: CollectOrder): Collection | null {
  if (order.amountDecimal.length <= AMOUNT_CHARACTERS_MAX) return pesosOnly(order)
  return { kind: 'failed', code: 'amount_too_large', message: 'A code has no room for this amount.' }
}

/** 25 letters and digits, which the event and the acquirer's list repeat. */
function referenceInCode({ reference }: CollectOrder): string {
  const ours = contractOfReference(reference)
  invariant(ours !== undefined, `the reference of an attempt: ${reference}`)
  return shortReference(ours.contractId, ours.number)
}

function codeOf(
  { acquirerBic, merchantId, merchantName, merchantCity, categoryCode }: QrphSettings,
  order: CollectOrder,
) {
  const merchant = { acquirerBic, merchantId, merchantName, merchantCity, categoryCode }
  const data = qrphCode({ ...merchant, amountDecimal: order.amountDecimal, reference: referenceInCode(order) })
  return {
    kind: 'open',
    status: 'pending',
    providerId: null,
    nextAction: { type: 'display_qr', data, expiresAt: order.expiresAt },
    shown: {},
  } as const satisfies Collection
}

/** What the acquirer has under a reference; in doubt where its answer is not about that. */
function paymentsIn(reply: Response, reference: string): readonly (Fields | null)[] | Doubt {
  const list = reply.status === 200 ? jsonFields(reply)?.['data'] : null
  if (!Array.isArray(list)) return doubt(`answer ${reply.status} to the inquiry`)
  const payments = list.map(fieldsOf)
  return payments.some((payment) => payment?.['reference'] !== reference)
    ? doubt('the answer is about another reference')
    : payments
}

/**
 * A code can be paid more than once: the first payment that came in counts here, and each is reported as an event.
 * Where none did, the code stays open: after one bank's refusal the payer may use another.
 */
function collectionIn(settings: QrphSettings, payments: readonly (Fields | null)[], unpaid: Collection): Collection {
  const of = (status: string) => payments.find((payment) => payment?.['status'] === status)
  const [paid, agreed] = [of('succeeded'), of('processing')]
  if (paid) return receivedIn(settings, paid)
  if (agreed) return processing(textOf(agreed['id']))
  const isRest = payments.every((payment) => payment?.['status'] === 'failed')
  return isRest ? unpaid : doubt('a status without a known meaning')
}

/** One payment by its id: any other status than that it came in is no proof, and no absence either. */
function receiptIn(settings: QrphSettings, payments: readonly (Fields | null)[], objectId: string): FoundReceipt {
  const payment = payments.find((each) => each?.['id'] === objectId)
  if (!payment) return { kind: 'not_found' }
  const answer = payment['status'] === 'succeeded' ? receivedIn(settings, payment) : doubt('it has not come in')
  return answer.kind === 'succeeded' ? { kind: 'received', money: answer.money } : answer
}

function receivedIn({ payersChannel }: QrphSettings, { id, amount, currency, payer }: Fields) {
  const money = { id: textOf(id), amount: textOf(amount), currency }
  return received(money, payerIn(payersChannel, fieldsOf(payer)))
}

/** The payer's account, where all of it is given. */
function payerIn(channelId: string, payer: Fields | null): PayerPlace | null {
  const [name, wallet, tag] = [payer?.['name'], payer?.['wallet'], payer?.['tag']].map(textOf)
  return name && wallet && tag ? { channelId, recipient: { name, wallet, tag } } : null
}
