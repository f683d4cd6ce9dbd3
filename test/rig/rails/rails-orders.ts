// Payouts as a caller orders them on each rail, with a log of what was acknowledged, and the match of three books after
// a run: the caller's log, the gateway's contracts and ledger, and what the provider did. No finding is the proof.
import { digitsOf } from '../../../src/domain/money/currencies.ts'
import { fixedText } from '../../../src/domain/money/money.ts'
import { askForAll, type Contract } from '../caller.ts'
import { FUNDS_MINOR, type RailName, type Rails, RAILS, untilNone } from './rails.ts'

export type Payout = {
  readonly number: number
  readonly channel: RailName
  /** Major units as text: "100.31". */
  readonly amount: string
  readonly expiresInSeconds?: number
}

/** What the caller knows of one payout. */
export type Logged = Payout & {
  id: string
  isPaid: boolean
  isCancelled: boolean
}

const RECIPIENTS: Readonly<Record<RailName, object>> = {
  sandbox: { name: 'Ana Reyes', wallet: '000123456789' },
  instapay: { name: 'Ana Reyes', wallet: '0001234567', tag: 'BOPIPHMM' },
  pesonet: { name: 'Ana Reyes', wallet: '0001234567', tag: 'BOPIPHMM' },
  gcash: { name: 'Ana Reyes', mobile: '+639171234567' },
  maya: { name: 'Ana Reyes', mobile: '+639171234567' },
}

/** Creates and issues a payout. Throws where that does not succeed in time. */
export async function issued(rails: Rails, payout: Payout): Promise<Logged> {
  const { number, channel, amount, expiresInSeconds } = payout
  const made = await asked(rails, 'POST', '', {
    amount: Number(amount),
    currency: 'PHP',
    channel,
    recipient: RECIPIENTS[channel],
    deliverable: { reference_id: `payout ${number}` },
    ...(expiresInSeconds === undefined ? {} : { expires_in: expiresInSeconds }),
  })
  const { status, code } = await rails.payer.caller.ask('PUT', `/contracts/transfer/${made.id}/issue`)
  // One that expires in a second may have done so.
  if (status !== 200 && code !== 'contract_expired') throw new Error(`issue ${made.id}: ${status} ${code}`)
  return { ...payout, id: made.id, isPaid: false, isCancelled: false }
}

/** Creates, issues and pays. */
export async function paid(rails: Rails, payout: Payout): Promise<Logged> {
  const logged = await issued(rails, payout)
  await asked(rails, 'PUT', `/${logged.id}/pay`)
  logged.isPaid = true
  return logged
}

export async function asked(
  { payer }: Rails,
  method: 'POST' | 'PUT' | 'DELETE' | 'GET',
  path: string,
  body?: object,
): Promise<Contract> {
  const { status, code, contract } = await payer.caller.ask(method, `/contracts/transfer${path}`, body)
  if (status !== 200 || !contract) throw new Error(`${method} ${path}: ${status} ${code}`)
  return contract
}

/** `asked at once`: every open attempt is due whenever it is looked at, as an operator may order. */
export type Heal = 'asked at once' | 'left alone'

/** Waits until nothing is on its way; what still is after that long is a finding. */
export async function untilEnded(rails: Rails, heal: Heal, withinMs: number): Promise<string[]> {
  const left = await untilNone(async () => {
    if (heal === 'asked at once') await askAtOnce(rails)
    const open = await rails.sql<{ is: string }>(
      `select channel_id || ' ' || contract_id || ' ' || status as is from jobs where due_at is not null
        union all select 'contract ' || id || ' ' || status from contracts where status in ('paid', 'returned')`,
    )
    return open.length > 0 ? open.map(({ is }) => is) : unheardReturns(rails)
  }, withinMs)
  return left.length === 0
    ? []
    : [`after ${withinMs} ms ${left.length} are still on their way, such as ${left.slice(0, 3).join(', ')}`]
}

/** Completed contracts whose money the provider gave back. */
async function unheardReturns({ sql, booksOf }: Rails): Promise<string[]> {
  const books = await Promise.all(RAILS.map((rail) => booksOf(rail)))
  const returned = books.flatMap(({ orders }) => orders.filter(({ returns }) => returns > 0))
  const rows = await sql<{ is: string }>(
    `select a.channel_id || ' ' || a.reference || ' bounced' as is
       from jobs a join contracts c on c.lane = a.lane and c.account_id = a.account_id and c.id = a.contract_id
      where c.status in ('completed', 'returned', 'paid') and a.reference = any($1)`,
    [returned.map(({ reference }) => reference)],
  )
  return rows.map(({ is }) => is)
}

/** The first inquiry about each attempt in doubt is due now; who was asked about before waits as long as it would. */
export async function firstInquiryNow({ sql }: Rails): Promise<void> {
  await sql(`update jobs set due_at = now() where due_at > now() and status = 'unknown' and tries = 0`)
}

/**
 * Moves every wait of an open attempt to now, as an operator may order; a worker's lease stays. What a worker is about to write is left for
 * the next time: two who lock many rows in their own orders wait for each other.
 */
export async function askAtOnce({ sql }: Rails): Promise<void> {
  await sql(
    `with waiting as (
       select ctid as place from jobs
        where due_at > now() and status in ('unknown', 'accepted', 'queued') for update skip locked)
     update jobs set due_at = now() where ctid in (select place from waiting)`,
  )
}

export type Matched = {
  readonly contracts: ReadonlyMap<string, Contract>
  /** By the provider, over all rails. */
  readonly executions: number
  readonly findings: string[]
}

/** Everything that does not fit together, after all has ended. */
export async function match(rails: Rails, log: readonly Logged[]): Promise<Matched> {
  const contracts = await askForAll<Contract>(rails.payer.caller, '/contracts/transfer', 'contracts')
  const findings = [...logAgainstContracts(log, contracts), ...(await walletAgainstContracts(rails, contracts))]
  let executions = 0
  for (const rail of RAILS) {
    const kept = await railAgainstContracts(rails, rail, contracts)
    executions += kept.executions
    findings.push(...kept.findings)
  }
  findings.push(...(await rails.unsound()))
  return { contracts: new Map(contracts.map((contract) => [contract.id, contract])), executions, findings }
}

const minorOf = (major: number) => BigInt(major.toFixed(digitsOf('PHP')).replace('.', ''))
const sum = (amounts: readonly bigint[]) => amounts.reduce((total, each) => total + each, 0n)
const has = (contract: Contract, type: string) => contract.activities.some((line) => line.type === type)

function logAgainstContracts(log: readonly Logged[], contracts: readonly Contract[]): string[] {
  const found: string[] = []
  const byId = new Map(contracts.map((contract) => [contract.id, contract]))
  if (byId.size !== log.length) found.push(`${log.length} were ordered, and there are ${byId.size} contracts`)
  for (const { id, isPaid, isCancelled } of log) {
    const contract = byId.get(id)
    if (!contract) {
      found.push(`${id} was acknowledged and is not there`)
      continue
    }
    const { status } = contract
    if (isPaid && contract.paid_at === null) found.push(`${id} is ${status}, and its pay was acknowledged`)
    if (isCancelled && status !== 'cancelled' && contract.cancellation?.status !== 'refused')
      found.push(`${id} is ${status}, and its cancel was acknowledged`)
    if (!['completed', 'cancelled', 'expired'].includes(status)) found.push(`${id} ended as ${status}`)
    if (status === 'completed' && contract.refund !== null) found.push(`${id} is completed and refunded`)
    if (status === 'cancelled' && has(contract, 'completed') && !has(contract, 'returned'))
      found.push(`${id} was completed and is refunded, and nothing came back`)
    for (const once of ['paid', 'completed', 'refunded', 'cancelled', 'returned', 'expired'])
      if (contract.activities.filter((line) => line.type === once).length > 1) found.push(`${id}: ${once} twice`)
  }
  return found
}

/** Each completed contract's money moved once, that of any other never; and all of it is the sum in our ledger. */
async function railAgainstContracts(
  { booksOf, sql }: Rails,
  rail: RailName,
  contracts: readonly Contract[],
): Promise<{ executions: number; findings: string[] }> {
  const findings: string[] = []
  const { orders, totals } = await booksOf(rail)
  const byReference = new Map(orders.map((order) => [order.reference, order]))
  const ours = contracts.filter(({ channel }) => channel?.id === rail)
  for (const { id, status, transfer, preview } of ours) {
    const order = byReference.get(transfer.reference ?? '')
    const kept = order ? order.executions - order.returns : 0
    if (kept !== (status === 'completed' ? 1 : 0))
      findings.push(`${rail}: ${id} is ${status}, executed ${order?.executions}, returned ${order?.returns}`)
    if (order && order.amount !== fixedText(minorOf(preview.receive_amount), 'PHP'))
      findings.push(`${rail}: ${id} moved ${order.amount} instead of ${preview.receive_amount}`)
  }
  const known = new Set(ours.map(({ transfer }) => transfer.reference))
  for (const { reference, executions } of orders) {
    if (executions > 1) findings.push(`${rail}: ${reference} was executed ${executions} times`)
    if (!known.has(reference)) findings.push(`${rail}: no contract has ${reference}`)
  }
  const { executions, executed_minor, returned_minor } = totals['PHP'] ?? NOTHING
  const kept = BigInt(executed_minor) - BigInt(returned_minor)
  const completed = sum(
    ours.filter(({ status }) => status === 'completed').map(({ preview }) => minorOf(preview.receive_amount)),
  )
  const [row] = await sql<{ cleared: string }>(
    `select coalesce(sum(case when credit = $1 then amount_minor else -amount_minor end), 0)::text as cleared
       from ledger where credit = $1 or debit = $1`,
    [`clearing:${rail}`],
  )
  if (kept !== completed || kept !== BigInt(row?.cleared ?? '-1'))
    findings.push(
      `${rail}: the provider kept ${kept}, the contracts come to ${completed}, the ledger to ${row?.cleared}`,
    )
  return { executions, findings }
}

const NOTHING = { executions: 0, executed_minor: '0', returned_minor: '0' }

/** What the payer has left is what was not spent; a bounced payout keeps its fee. */
async function walletAgainstContracts({ payer, sql }: Rails, contracts: readonly Contract[]): Promise<string[]> {
  const spent = sum(
    contracts.filter(({ status }) => status === 'completed').map(({ preview }) => minorOf(preview.amount)),
  )
  const fees = sum(
    contracts
      .filter((each) => each.status === 'cancelled' && has(each, 'returned'))
      .map(({ preview }) => minorOf(preview.fees.total)),
  )
  const [is] = await sql<{ available: string; held: string }>(
    `select available_minor::text as available, (held_minor + in_transit_minor)::text as held from wallets where id = $1`,
    [payer.wallets.get('PHP')],
  )
  const left = FUNDS_MINOR - spent - fees
  return is?.available === String(left) && is.held === '0'
    ? []
    : [`the wallet has ${is?.available} and ${is?.held} held, and should have ${left}`]
}
