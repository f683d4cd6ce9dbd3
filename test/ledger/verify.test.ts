// The proofs find what they are for: sound books give no finding, and each kind of damage is found at its row. Damage is
// done by the owner of the database in a transaction that is rolled back, and the proofs look at it from inside.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ContractResult } from '../../src/engine/command-request.ts'
import { verifyBooks, verifyBooksBy } from '../../src/app/operator/verify.ts'
import type { Command } from '../../src/domain/contract/command.ts'
import { laneUuid } from '../../src/domain/contract/ids.ts'
import type { Outcome } from '../../src/domain/channel/outcome.ts'
import type { PaymentReport } from '../../src/domain/payment/commands.ts'
import { isRefusal } from '../../src/domain/contract/refusals.ts'
import { type Finding, findingFrom, proofsOf, PROVED_TABLES } from '../../src/ledger/verify.ts'
import { openAuditSession } from '../../src/main/database/database.ts'
import { eachServer } from '../../src/main/database/servers.ts'
import { openWorld, type World } from '../world.ts'
import { DAMAGE } from './damage.ts'
import { RAIL } from '../rig/model/rail.ts'

type Payer = { readonly lane: number; readonly accountId: string }

let world: World
/** What the names in the damage stand for. */
const ids: Record<string, string> = {}

beforeAll(async () => {
  world = await openWorld({ workers: 'resting' })
  await writeBooks()
})
afterAll(() => world.stop())

async function command({ lane, accountId }: Payer, asked: Command): Promise<ContractResult> {
  const answer = await world.gateway.deps.execute({ lane, accountId, keyId: null, idempotency: null, command: asked })
  if (isRefusal(answer) || !('contract' in answer) || 'reception' in answer)
    throw new Error(`${asked.verb}: ${JSON.stringify(answer)}`)
  return answer
}

async function draft(by: Payer, name: string, expiresInSeconds: number): Promise<string> {
  const { deps } = world.gateway
  const id = laneUuid(by.lane, deps.nowMs(), deps.randomHex())
  ids[name] = id
  const recipient = { name: 'Ana', email: null, mobile: null, wallet: '1', tag: null, address: null, country: null }
  const words = { issuedTo: null, description: null, deliverable: null, recipient, channelId: 'sandbox' }
  const terms = { amountMinor: 10_000n, currency: 'PHP', ...words }
  await command(by, {
    verb: 'create_transfer',
    id,
    livemode: false,
    terms,
    expiresInSeconds,
    preview: null,
    warnings: [],
    pays: null,
  })
  return id
}

/** A contract as far as it is wanted; its id goes under its name. */
async function contract(by: Payer, name: string, upTo: 'issued' | 'paid' | 'sent', ...said: Outcome['kind'][]) {
  const id = await draft(by, name, 3600)
  await command(by, { verb: 'issue', id, preview: null })
  if (upTo === 'issued') return
  await command(by, { verb: 'pay', id, preview: null, walletId: null })
  if (upTo === 'paid') return
  await command(by, { verb: 'submit', id, leaseMs: 60_000, connector: RAIL })
  const connector = { notFoundFinalAfterMs: 1000, dedupeLifetimeMs: null, inquiry: true }
  for (const kind of said) {
    const outcome = { kind, reason: 'x', providerId: null, code: 'x', message: 'x' } as Outcome
    await command(by, { verb: 'report', id, number: 1, channelId: 'sandbox', fence: null, outcome, connector })
  }
}

/** A contract that failed, went again, and ends as said; its account refunds by hand for that while. */
async function retried(by: Payer, name: string, ending: Outcome['kind']) {
  const refundsAtOnce = (chosen: 'true' | 'false') =>
    world.sql(`update accounts set refunds_at_once = ${chosen} where account_id = $1`, [by.accountId])
  await refundsAtOnce('false')
  await contract(by, name, 'sent', 'accepted', 'failed')
  await refundsAtOnce('true')
  const id = ids[name] ?? ''
  await command(by, { verb: 'retry', id, channelId: null })
  const connector = { notFoundFinalAfterMs: 1000, dedupeLifetimeMs: null, inquiry: true }
  const outcome = { kind: ending, reason: 'x', providerId: null, code: 'x', message: 'x' } as Outcome
  await command(by, { verb: 'report', id, number: 2, channelId: 'sandbox', fence: null, outcome, connector })
}

const cancel = (by: Payer, name: string) =>
  command(by, { verb: 'cancel', id: ids[name] ?? '', reason: null, actor: 'account' })

/** A payment contract, and what is said of money for it: major units, or nothing. */
async function payment(by: Payer, name: string, kind: 'gcash' | 'qr' | null, ...said: readonly number[]) {
  const { deps } = world.gateway
  const id = deps.newId(by.lane)
  ids[name] = id
  const words = { issuedTo: null, description: null, deliverable: null, recipient: null, channelId: null }
  const terms = { amountMinor: 10_000n, currency: 'PHP', ...words }
  const method = kind && { kind, details: {}, secret: null }
  const fields = { expiresInSeconds: 3600, returnUrl: null, method, preview: null, warnings: [], leaseMs: 60_000 }
  await command(by, { verb: 'create_payment', walletId: null, id, livemode: false, terms, ...fields })
  for (const amount of said) await arrives(by, name, amount)
}

/** Money that a provider tells of, under an id of its own. */
async function arrives({ lane, accountId }: Payer, name: string, amount: number): Promise<void> {
  const objectId = randomUUID()
  const report: PaymentReport = {
    outcome: 'succeeded',
    objectId,
    attempt: name === 'late' ? null : 1,
    channelId: null,
    amountMinor: BigInt(amount * 100),
    currency: 'PHP',
    assetUnits: null,
    failure: null,
    payer: null,
    shown: {},
  }
  const event = { id: `told ${objectId}`, type: 'payment_intent.succeeded', body: null, bodyHash: null }
  const asked: Command = { verb: 'receive', id: ids[name] ?? '', event, report, unallocated: 'suspense' }
  const owner = { lane, accountId, keyId: null, idempotency: null }
  const answer = await world.gateway.deps.execute({ ...owner, command: asked })
  expect(answer).toMatchObject({ reception: 'applied' })
}

/** Refunds a part in major units, or all; how the rail takes it. */
async function refunded(by: Payer, name: string, amount: number | null, said: Outcome['kind'] | null): Promise<void> {
  const id = world.gateway.deps.newId(by.lane)
  ids[`refund_of_${name}`] = id
  const route = { channelId: 'sandbox', recipient: { name: 'Ana', wallet: '1' } }
  await command(by, {
    verb: 'refund',
    id: ids[name] ?? '',
    transferId: id,
    amount,
    reason: null,
    route,
    allowed: 'may pay',
  })
  if (said === null) return
  await command(by, { verb: 'submit', id, leaseMs: 60_000, connector: RAIL })
  const connector = { notFoundFinalAfterMs: 1000, dedupeLifetimeMs: null, inquiry: true }
  const outcome = { kind: said, reason: 'x', providerId: null, code: 'x', message: 'x' } as Outcome
  await command(by, { verb: 'report', id, number: 1, channelId: 'sandbox', fence: null, outcome, connector })
}

/** Payment contracts wherever their money can be. */
async function writePayments(by: Payer): Promise<void> {
  await payment(by, 'to_pay', 'gcash')
  await payment(by, 'not_fitting', 'gcash', 40)
  await payment(by, 'to_settle', 'gcash', 100)
  await payment(by, 'settled', 'qr', 100)
  await payment(by, 'too_much', 'qr', 100, 100)
  await payment(by, 'part_refunded', 'gcash', 100)
  await refunded(by, 'part_refunded', 30, null)
  await payment(by, 'all_refunded', 'qr', 100)
  await refunded(by, 'all_refunded', null, 'delivered')
  await payment(by, 'refunded_in_vain', 'gcash', 100)
  await refunded(by, 'refunded_in_vain', 30, 'failed')
  await payment(by, 'late', null)
  await cancel(by, 'late')
  await arrives(by, 'late', 100)
}

/** One contract in every state that money can be in, so that sound books are rich enough to prove something. */
async function writeBooks(): Promise<void> {
  const payer = world.caller.account
  ids['payer'] = payer.accountId
  ids['wallet'] = payer.wallets.find((wallet) => wallet.currency === 'PHP')?.id ?? ''
  await draft(payer, 'draft', 3600)
  await command(payer, { verb: 'expire', id: await draft(payer, 'expired', 0.001) })
  await contract(payer, 'issued', 'issued')
  await contract(payer, 'withdrawn', 'issued')
  await cancel(payer, 'withdrawn')
  await contract(payer, 'queued', 'paid')
  await contract(payer, 'recalled', 'paid')
  await cancel(payer, 'recalled')
  await contract(payer, 'doubted', 'sent', 'unknown')
  await contract(payer, 'accepted', 'sent', 'accepted')
  await contract(payer, 'completed', 'sent', 'accepted', 'delivered')
  await contract(payer, 'refunded', 'sent', 'accepted', 'failed')
  await retried(payer, 'retried', 'delivered')
  await retried(payer, 'retried_in_vain', 'failed')
  await contract(payer, 'disputed', 'sent', 'accepted', 'failed', 'delivered')
  await contract(payer, 'bounced', 'sent', 'delivered', 'returned')
  await cancel(payer, 'bounced')
  await writePayments(payer)
  const byHand = world.other.account
  await world.sql('update accounts set refunds_at_once = false where account_id = $1', [byHand.accountId])
  await contract(byHand, 'failed', 'sent', 'failed')
  await contract(byHand, 'returned', 'sent', 'delivered', 'returned')
}

test('sound books give no finding, and everything in them was looked at', async () => {
  const auditor = openAuditSession(world.operators)
  const lanes: number[] = []
  const { findings, counts } = await verifyBooks(auditor, (done) => lanes.push(done))
  await auditor.close()
  expect(findings).toEqual([])
  const [rows] =
    await world.sql(`select (select count(*) from wallets)::int wallets, (select count(*) from ledger)::int entries,
    (select count(*) from contracts)::int contracts, (select count(*) from contract_versions)::int versions`)
  expect(counts).toEqual(rows)
  expect(lanes).toEqual(Array.from({ length: 256 }, (_, lane) => lane + 1))
  const statuses = await world.sql<{ status: string }>('select distinct status from contracts order by status')
  const all = ['cancelled', 'completed', 'draft', 'expired', 'issued', 'paid', 'returned']
  expect(statuses.map((row) => row.status)).toEqual(all)
})

test('several connections read lanes side by side, and tell the same in the same order', async () => {
  const sessions = Array.from({ length: 4 }, () => openAuditSession(world.operators))
  const provedBy = async (count: number) => {
    const lanes: number[] = []
    const verdict = await verifyBooksBy(sessions.slice(0, count), { onLane: (done) => lanes.push(done) })
    expect(lanes).toEqual(Array.from({ length: 256 }, (_, lane) => lane + 1))
    return verdict
  }
  const owners = await Promise.all([250, 3, 119].map((lane) => world.newCaller({ lane })))
  const add = async (minor: number) => {
    for (const { account } of owners)
      await world.sql(
        `update wallets w set available_minor = w.available_minor + $3
          where w.lane = $1 and w.account_id = $2 and w.currency = 'PHP'`,
        [account.lane, account.accountId, minor],
      )
  }
  await add(1)
  const alone = await provedBy(1)
  expect(alone.findings.map(({ lane, proof }) => [lane, proof])).toEqual(
    [3, 119, 250].map((lane) => [lane, 'wallet.available = ledger']),
  )
  expect(await provedBy(4)).toEqual(alone)
  await add(-1)
  expect(await provedBy(4)).toEqual({ ...alone, findings: [] })
  await Promise.all(sessions.map((session) => session.close()))
})

test('where one connection fails no verdict is given, and the others take no more lanes', async () => {
  const auditor = openAuditSession(world.operators)
  const nowhere = await eachServer(world.operators, (each) => ({
    ...each,
    login: { ...each.login, database: 'nowhere' },
  }))
  const failing = openAuditSession(nowhere)
  const lanes: number[] = []
  await expect(verifyBooksBy([auditor, failing], { onLane: (done) => lanes.push(done) })).rejects.toThrow(
    'the database does not answer',
  )
  expect(lanes.length).toBeLessThan(256)
  await auditor.close()
})

test('each proof begins with a table that tells whether a lane is empty', () => {
  // They only stand beside a row of another one; account_steps is the view of two.
  const beside = ['account_modes', 'operator_actions', 'outside_credits', 'account_steps', 'archive_notes', 'seals']
  for (const { name, text } of proofsOf(0)) {
    const own = Array.from(text.matchAll(/(\w+) as (?:materialized )?\(/g), ([, each]) => each)
    const read = Array.from(text.matchAll(/\b(?:from|join) (\w+)(?= \w)/g), ([, each]) => each ?? '')
    const tables = read.filter((each) => !own.includes(each) && !['lateral', 'json_array_elements'].includes(each))
    expect(tables.length, name).toBeGreaterThan(0)
    expect([...PROVED_TABLES, ...beside], name).toEqual(expect.arrayContaining(tables))
  }
})

test.each(DAMAGE)('%s: %s', async (proof, row, sql) => {
  const findings = await findingsAfter(withIds(sql))
  const found = findings.find((finding) => finding.proof === proof)
  expect(found, `found: ${JSON.stringify(findings, null, 1)}`).toMatchObject({ accountId: ids['payer'] })
  expect(found?.row).toContain(withIds(row))
  expect(found?.problem).toMatch(/\w+ \w+/)
})

const withIds = (text: string) => text.replace(/\{(\w+)\}/g, (whole, name: string) => ids[name] ?? whole)

/** What the proofs say inside a transaction in which the damage has been done. */
async function findingsAfter(damage: string): Promise<Finding[]> {
  const { lane } = world.caller.account
  await world.sql('begin')
  try {
    // On a cluster, what changes a table beside its rows does so node by node.
    await world.sql(`set local citus.multi_shard_modify_mode = 'sequential'`)
    await world.sql(damage)
    const findings: Finding[] = []
    for (const { text, values } of proofsOf(lane))
      findings.push(...(await world.sql(text, values)).map((row) => findingFrom(lane, row)))
    return findings
  } finally {
    await world.sql('rollback')
  }
}

test('every proof that there is has its damage', () => {
  const named = proofsOf(0).flatMap(({ text }) => [
    ...text.matchAll(/'((?:wallet|ledger|contract|history|event|account|idempotency|attempt|payment)\.[^']+)'/g),
  ])
  const proofs = new Set(named.map((match) => match[1] ?? ''))
  expect([...proofs].toSorted()).toEqual([...new Set(DAMAGE.map(([proof]) => proof))].toSorted())
})

test('the gateway’s own role can change neither ledger nor history', async () => {
  await world.sql('set role gateway_app')
  try {
    for (const table of ['ledger', 'contract_versions'])
      for (const change of [`update ${table} set lane = lane`, `delete from ${table}`, `truncate ${table}`])
        await expect(world.sql(change), change).rejects.toMatchObject({ code: '42501' })
  } finally {
    await world.sql('reset role')
  }
})
