// One payment contract of a whole gateway, driven over HTTP; what its workers would do is done when a story says so.
import { JOB_COLUMNS, jobFrom, loadJobs } from '../../../src/store/jobs/jobs.ts'
import { scopeOf } from '../../../src/platform/scope.ts'
import { runPayout } from '../../../src/app/transfers/payouts.ts'
import { runCollection } from '../../../src/app/payments/collections.ts'
import type { Kind } from './payments-model.ts'
import { eventOf, PAYER } from './payments-events.ts'
import type { Asked, Driver, Ended, Seen } from './payments-run.ts'
import { type Merchant, minorOf, type PaymentBody, type Stage } from './payments-stage.ts'
import type { Story } from './payments-steps.ts'

const METHODS: Readonly<Record<Kind, object>> = {
  gcash: { type: 'gcash', gcash: {} },
  maya: { type: 'maya', maya: {} },
  qr: { type: 'qr', qr: { scheme: 'qrph' } },
  card: { type: 'card', card: { token: 'tok_3ds' } },
}
const LOOKS_MAX = 40

type Row = Readonly<Record<string, string | null>>

/** A contract of the story on an account of its own. */
export async function openReal(stage: Stage, story: Story): Promise<Driver> {
  const merchant = await stage.newMerchant(story.openingMinor)
  const { amountMinor, expiresInSeconds } = story
  const body = { amount: Number(amountMinor) / 100, currency: 'PHP', expires_in: expiresInSeconds }
  const { contract, code } = await merchant.ask('POST', '/contracts/payment', body)
  if (!contract) throw new Error(`no contract: ${code}`)
  const path = `/contracts/payment/${contract.id}`
  const get = async (): Promise<PaymentBody> => {
    const reply = await merchant.ask('GET', path)
    if (!reply.contract) throw new Error(`the contract is gone: ${reply.code}`)
    return reply.contract
  }
  const tend = async (asked: Asked) => {
    await tendAll(stage, merchant, contract.id)
    // The rail closes whatever it is asked to close.
    for (const { number } of (await get()).attempts) asked(number)
  }
  return {
    clock: 'real',
    expiresAt: Date.parse(contract.expires_at),
    nowMs: Date.now,
    choose: async (kind) => (await merchant.ask('PUT', `${path}/pay`, METHODS[kind])).code,
    tell: async (fact) => {
      const status = await merchant.tell(eventOf(fact, contract.id))
      return status === 200 ? 'ok' : String(status)
    },
    cancel: async (asked) => {
      const { code: answered } = await merchant.ask('DELETE', path, { reason: 'changed my mind' })
      await tend(asked)
      return answered
    },
    tend,
    wait: async () => undefined,
    expire: async () => {
      const command = { verb: 'expire', id: contract.id } as const
      await stage.gateway.deps.execute({ ...ownerOf(merchant), command })
    },
    refund: async (minor, hasRoute) => {
      const amount = minor === null ? {} : { amount: Number(minor) / 100 }
      const reply = await merchant.ask('POST', `${path}/refunds`, { ...amount, ...(hasRoute ? PAYER : {}) })
      return reply.code
    },
    giveBack: async () => giveBack(stage, merchant, get),
    look: async () => look(stage, merchant, await get()),
  }
}

const ownerOf = ({ lane, accountId }: Merchant) => ({ lane, accountId, keyId: null, idempotency: null })

async function tendAll(
  { gateway: { deps }, sql }: Stage,
  { lane, accountId }: Merchant,
  contractId: string,
): Promise<void> {
  const { execute, payments } = deps
  for (let i = 0; i < LOOKS_MAX; i++) {
    const [row] = await sql(
      `select ${JOB_COLUMNS} from jobs j where j.lane = $1 and j.account_id = $2 and j.contract_id = $3 and j.due_at <= now()`,
      [lane, accountId, contractId],
    )
    const job = row && jobFrom(row)
    if (job?.kind !== 'collection') return
    await runCollection({ execute, payments }, job)
  }
}

/** Sends the first transfer that gives back and is still open; the provider says how that ends. */
async function giveBack(
  { gateway: { deps } }: Stage,
  { lane, accountId }: Merchant,
  get: () => Promise<PaymentBody>,
): Promise<Ended[]> {
  const open = (await get()).refunds.find((each) => each.status === 'open')
  if (!open) return []
  const key = { lane, accountId, id: open.transfer_id }
  const [found] = await deps.reader.send([loadJobs(scopeOf([key]), [key])])
  const attempt = found?.rows.map(jobFrom).at(-1)
  if (attempt?.kind !== 'payout') throw new Error('a transfer that gives back has no attempt')
  const { connectors, freezes, leaseMs, crashPoint } = deps.payments
  await runPayout({ execute: deps.execute, connectors, freezes, leaseMs, crashPoint }, attempt)
  const now = (await get()).refunds.find((each) => each.transfer_id === open.transfer_id)
  if (!now || now.status === 'open') return []
  return [{ from: now.from, amountMinor: minorOf(now.amount), status: now.status }]
}

const LIVE = new Set(['starting', 'pending', 'processing', 'unknown'])

async function look({ sql }: Stage, { lane, accountId }: Merchant, contract: PaymentBody): Promise<Seen> {
  const { status, refunds } = contract
  const values = [lane, accountId, contract.id]
  const [head] = await sql<Row>(
    'select paid_minor, refunded_minor from contracts where lane = $1 and account_id = $2 and id = $3',
    values,
  )
  const receipts = await sql<Row>(
    `select object_id, currency, amount_minor, suspense_minor, reason from payment_events
      where lane = $1 and account_id = $2 and contract_id = $3 and amount_minor is not null`,
    values,
  )
  const strayMinor = new Map<string, bigint>()
  const add = (currency: string, minor: bigint) => strayMinor.set(currency, (strayMinor.get(currency) ?? 0n) + minor)
  for (const each of receipts) add(String(each['currency']), BigInt(each['suspense_minor'] ?? 0))
  for (const each of refunds)
    if (each.from === 'suspense' && each.status !== 'failed') add(each.currency, minorOf(each.amount))
  const booked = new Map<string, { amountMinor: bigint; currency: string; times: number }>()
  for (const each of receipts) {
    if (each['reason'] === 'return_failed') continue
    const id = String(each['object_id'])
    const times = (booked.get(id)?.times ?? 0) + 1
    booked.set(id, { amountMinor: BigInt(each['amount_minor'] ?? 0), currency: String(each['currency']), times })
  }
  return {
    status,
    receivedMinor: minorOf(contract.amount_received),
    paidMinor: BigInt(head?.['paid_minor'] ?? 0),
    feeMinor: minorOf(contract.preview.fees.total),
    refundedMinor: BigInt(head?.['refunded_minor'] ?? 0),
    strayMinor,
    waiting: receipts.filter((each) => each['suspense_minor'] !== '0').length,
    openGiveBacks: refunds.filter((each) => each.status === 'open').length,
    booked,
    live: contract.attempts.map((each) => LIVE.has(each.status)),
    unsound: [],
  }
}
