// The proofs find what they are for: sound books give no finding, and each kind of damage is found at its row. Damage is
// done by the owner of the database in a transaction that is rolled back, and the proofs look at it from inside.
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAccount } from '../../src/app/accounts.ts'
import type { ContractAnswer } from '../../src/app/ask.ts'
import { openChannelBook } from '../../src/app/channel-book.ts'
import { executeBatch } from '../../src/app/execute.ts'
import { verifyBooks } from '../../src/app/verify.ts'
import { SHIPPED_CHANNELS } from '../../src/channels/catalogue.ts'
import type { ChannelBook } from '../../src/domain/channels.ts'
import type { Command } from '../../src/domain/commands.ts'
import { laneUuid } from '../../src/domain/ids.ts'
import type { Outcome } from '../../src/domain/outcome.ts'
import { isRefusal } from '../../src/domain/refusals.ts'
import { type Finding, findingFrom, proofsOf } from '../../src/ledger/verify.ts'
import { readConfig } from '../../src/main/config.ts'
import { type Database, openAuditSession, openDatabase, openKeyedSession, openPlannedSession, prepareDatabase } from '../../src/main/database.ts'
import type { Session } from '../../src/platform/db.ts'
import { MANY_LANES } from '../../src/platform/scope.ts'

const workshop = mkdtempSync('/tmp/gateway-verify-')
chmodSync(workshop, 0o755)
const config = readConfig({ GATEWAY_DATA_DIR: join(workshop, 'data') })
const CHANNELS = SHIPPED_CHANNELS.map((channel) => ({ ...channel, undo_seconds: 0 }))

type Owner = { readonly lane: number; readonly accountId: string; readonly walletId: string }
let database: Database
let owner: pg.Client
let writer: Session
let reader: Session
let channels: ChannelBook
let payer: Owner
const ids: Record<string, string> = {}

beforeAll(async () => {
  database = await openDatabase(config, () => undefined)
  await prepareDatabase(database, config, () => undefined)
  owner = new pg.Client(database.owner)
  await owner.connect()
  writer = openKeyedSession(database)
  reader = openPlannedSession(database)
  channels = await openChannelBook(reader, CHANNELS)
  await writeBooks()
})

afterAll(async () => {
  await Promise.all([owner.end(), writer.close(), reader.close()])
  await database.stop()
  rmSync(workshop, { recursive: true, force: true })
})

const hex = () => randomBytes(10).toString('hex')

async function command(by: Owner, asked: Command): Promise<ContractAnswer> {
  const { lane, accountId } = by
  const [answer] = await executeBatch(writer, channels, MANY_LANES, [{ lane, accountId, keyId: null, idempotency: null, command: asked }])
  if (!answer || isRefusal(answer)) throw new Error(`${asked.verb} was refused: ${JSON.stringify(answer)}`)
  return answer as ContractAnswer
}

async function newPayer(): Promise<Owner> {
  const account = await createAccount(reader, { nowMs: Date.now, randomHex: hex }, { name: 'Payer', livemode: false, currencies: ['PHP'] })
  const walletId = account.wallets[0]!.id
  const by = { lane: account.lane, accountId: account.accountId, walletId }
  await command(by, { verb: 'credit', walletId, amountMinor: 1_000_000n, currency: 'PHP', reference: `opening ${walletId}`, source: 'external' })
  return by
}

/** A contract as far as it is wanted: drafted, issued, paid, sent; then the rail's words. Its id goes under its name. */
async function contract(by: Owner, name: string, upTo: 'draft' | 'issued' | 'paid' | 'sent', ...words: Outcome['kind'][]): Promise<void> {
  const id = laneUuid(by.lane, Date.now(), hex())
  ids[name] = id
  const recipient = { name: 'Ana', email: null, mobile: null, wallet: '001', tag: null, address: null, country: null }
  const terms = { amountMinor: 10_000n, currency: 'PHP', issuedTo: null, description: null, deliverable: null, recipient, channelId: 'sandbox' }
  await command(by, { verb: 'create', id, livemode: false, terms, expiresInSeconds: name === 'expired' ? 0.001 : null, preview: null, warnings: [] })
  if (upTo === 'draft') return
  await command(by, { verb: 'issue', id, preview: null })
  if (upTo === 'issued') return
  await command(by, { verb: 'pay', id, preview: null, walletId: null })
  if (upTo === 'paid') return
  const { attempt } = await command(by, { verb: 'submit', id, leaseMs: 60_000 })
  for (const kind of words) {
    const outcome = { kind, reason: 'x', providerId: null, code: 'x', message: 'x' } as Outcome
    const connector = { notFoundFinalAfterMs: 1000, dedupeLifetimeMs: null }
    await command(by, { verb: 'report', id, number: attempt!.number, fence: null, outcome, connector })
  }
}

/** One contract in every state that money can be in, so that sound books are rich enough to prove something. */
async function writeBooks(): Promise<void> {
  payer = await newPayer()
  await contract(payer, 'draft', 'draft')
  await contract(payer, 'expired', 'draft')
  await command(payer, { verb: 'expire', id: ids['expired']! })
  await contract(payer, 'issued', 'issued')
  await contract(payer, 'withdrawn', 'issued')
  await command(payer, { verb: 'cancel', id: ids['withdrawn']!, reason: null, actor: 'account' })
  await contract(payer, 'queued', 'paid')
  await contract(payer, 'recalled', 'paid')
  await command(payer, { verb: 'cancel', id: ids['recalled']!, reason: 'x', actor: 'account' })
  await contract(payer, 'doubted', 'sent', 'unknown')
  await contract(payer, 'accepted', 'sent', 'accepted')
  await contract(payer, 'completed', 'sent', 'accepted', 'delivered')
  await contract(payer, 'refunded', 'sent', 'accepted', 'failed')
  await contract(payer, 'bounced', 'sent', 'delivered', 'returned')
  await command(payer, { verb: 'cancel', id: ids['bounced']!, reason: null, actor: 'gateway' })
  const byHand = await newPayer()
  await owner.query('update accounts set refunds_at_once = false where lane = $1 and account_id = $2', [byHand.lane, byHand.accountId])
  await contract(byHand, 'failed', 'sent', 'failed')
  await contract(byHand, 'returned', 'sent', 'delivered', 'returned')
}

test('sound books give no finding, and everything in them was looked at', async () => {
  const auditor = openAuditSession(database)
  const lanes: number[] = []
  const verdict = await verifyBooks(auditor, (done) => lanes.push(done)).finally(auditor.close)
  expect(verdict.findings).toEqual([])
  expect(verdict.counts).toMatchObject({ wallets: 2, contracts: Object.keys(ids).length })
  const { rows } = await owner.query('select (select count(*) from ledger)::int entries, (select count(*) from history)::int versions')
  expect(verdict.counts).toMatchObject(rows[0] as object)
  expect(lanes).toEqual(Array.from({ length: 256 }, (_, lane) => lane + 1))
  const statuses = await owner.query<{ status: string }>('select distinct status from contracts order by 1')
  expect(statuses.rows.map((row) => row.status)).toEqual(['cancelled', 'completed', 'draft', 'expired', 'issued', 'paid', 'returned'])
})

/** A contract's document with one member changed. */
const document = (name: string, member: string, value: unknown) =>
  `update history h set document = jsonb_set(document::jsonb, '{${member}}', '${JSON.stringify(value)}')::json
     from contracts c where c.id = '${ids[name]}' and h.contract_id = c.id and h.position = c.position`
const head = (name: string, change: string) => `update contracts set ${change} where id = '${ids[name]}'`
const attempt = (name: string, change: string) => `update attempts set ${change} where contract_id = '${ids[name]}'`
const entryOf = (name: string, credit: string) => `contract_id = '${ids[name]}' and credit = '${credit}'`
/** Moves rows of a contract to another account of the ledger, keeping all sums of the wallet. */
const ledger = (change: string, where: string) => `update ledger set ${change} where ${where}`
const FREE_LEDGER = `do $$ declare c text; begin for c in select conname from pg_constraint where conrelid = 'ledger'::regclass and contype = 'c'
  loop execute 'alter table ledger drop constraint ' || quote_ident(c); end loop; end $$`
const FREE_CONTRACTS = FREE_LEDGER.replaceAll('ledger', 'contracts')

/** What is done to the books, which proof must find it, and the words of the row that it must name. */
const DAMAGE: readonly (readonly [proof: string, row: () => string, sql: () => string])[] = [
  ['wallet.available = ledger', () => payer.walletId, () => `update wallets set available_minor = available_minor + 1 where id = '${payer.walletId}'`],
  ['wallet.held = ledger', () => payer.walletId, () => `update wallets set held_minor = held_minor + 1 where id = '${payer.walletId}'`],
  ['wallet.in_transit = ledger', () => payer.walletId, () => `update wallets set in_transit_minor = 0 where id = '${payer.walletId}'`],
  ['wallet.sequence = count of rows', () => payer.walletId, () => `update wallets set sequence = sequence + 1 where id = '${payer.walletId}'`],
  ['wallet.held + in_transit = its contracts', () => 'PHP wallet', () => `update wallets set held_minor = held_minor + 5 where id = '${payer.walletId}'`],
  ['ledger.wallet exists', () => payer.walletId, () => `delete from wallets where id = '${payer.walletId}'`],
  ['ledger.sequence gapless', () => `ledger row 3 of wallet ${payer.walletId}`, () => `delete from ledger where wallet_id = '${payer.walletId}' and sequence = 2`],
  [
    'ledger.available_after chain', () => `ledger row 2 of wallet ${payer.walletId}`,
    () => ledger('available_after_minor = available_after_minor + 1', `wallet_id = '${payer.walletId}' and sequence = 2`),
  ],
  ['ledger.debit and credit differ', () => payer.walletId, () => `${FREE_LEDGER}; ${ledger('credit = debit', entryOf('completed', 'fee_revenue'))}`],
  ['ledger.amount above zero', () => payer.walletId, () => `${FREE_LEDGER}; ${ledger('amount_minor = 0', entryOf('completed', 'fee_revenue'))}`],
  ['ledger.accounts known', () => payer.walletId, () => ledger(`credit = 'mine'`, entryOf('completed', 'fee_revenue'))],
  ['ledger.origin named', () => `ledger row 1 of wallet ${payer.walletId}`, () => ledger('reference = null', `wallet_id = '${payer.walletId}' and sequence = 1`)],
  ['ledger.position = history', () => payer.walletId, () => ledger('position = 1', entryOf('completed', 'fee_revenue'))],
  ['ledger.contract exists', () => ids['completed']!, () => `delete from contracts where id = '${ids['completed']}'`],
  ['contract.version in history', () => ids['issued']!, () => head('issued', 'version = 7')],
  ['contract.position = history', () => ids['issued']!, () => head('issued', 'position = 1')],
  ['contract.status = document', () => ids['issued']!, () => head('issued', `status = 'draft'`)],
  ['contract.status = document', () => ids['issued']!, () => `update history set document = '7' where contract_id = '${ids['issued']}'`],
  ['contract.amount = document', () => ids['issued']!, () => head('issued', 'amount_minor = 1')],
  ['contract.held = document', () => ids['queued']!, () => head('queued', 'held_minor = 0')],
  ['contract.channel = document', () => ids['issued']!, () => head('issued', `channel_id = 'wallet'`)],
  ['contract.expires_at = document', () => ids['issued']!, () => head('issued', `expires_at = expires_at + interval '1 day'`)],
  ['contract.version = newest history', () => ids['issued']!, () => head('issued', 'version = 1, position = 1')],
  ['history.version gapless', () => `version 2 of contract ${ids['issued']}`, () => `delete from history where contract_id = '${ids['issued']}' and version = 1`],
  ['history.version = document', () => ids['issued']!, () => document('issued', 'version', 9)],
  [
    'history.position rises', () => `version 2 of contract ${ids['completed']}`,
    () => `update history set position = position + 100000 where contract_id = '${ids['completed']}' and version = 1`,
  ],
  ['event.sequence gapless', () => `version 2 of contract ${ids['issued']}`, () => `update history set sequence = 5 where contract_id = '${ids['issued']}' and version = 2`],
  ['event.sequence = document', () => ids['issued']!, () => document('issued', 'sequence', 9)],
  ['history.move on the table', () => `version 2 of contract ${ids['issued']}`, () => document('issued', 'status', 'completed')],
  ['history.move on the table', () => `version 2 of contract ${ids['issued']}`, () => `update history set event = 'contract.paid' where contract_id = '${ids['issued']}' and version = 2`],
  ['history.position gapless', () => 'position 3', () => `delete from history where account_id = '${payer.accountId}' and position = 2`],
  ['account.position = newest history', () => 'position', () => `update accounts set position = position + 1 where account_id = '${payer.accountId}'`],
  [
    'idempotency.position in history', () => 'idempotency key',
    () => `insert into idempotency_keys values (${payer.lane}, '${payer.accountId}', gen_random_uuid(), gen_random_uuid(), 4711, null, now())`,
  ],
  ['contract.held = ledger', () => ids['queued']!, () => `${head('queued', 'held_minor = held_minor + 1')}; ${document('queued', 'held_minor', '11051')}`],
  ['contract.unpaid moved no money', () => ids['issued']!, () => ledger(`contract_id = '${ids['issued']}'`, `contract_id = '${ids['completed']}'`)],
  ['contract.taken = debit', () => ids['completed']!, () => document('completed', 'debit_minor', '1')],
  ['contract.wallet = ledger', () => ids['completed']!, () => document('completed', 'wallet_id', 'another')],
  ['contract.refunded at most what was paid', () => ids['recalled']!, () => ledger('amount_minor = amount_minor + 1', entryOf('recalled', 'available'))],
  ['contract.never delivered and refunded', () => ids['completed']!, () => ledger(`debit = 'held', credit = 'available'`, entryOf('completed', 'fee_revenue'))],
  [
    'contract.paid = all of it held', () => ids['refunded']!,
    () => `${FREE_CONTRACTS}; ${head('refunded', `status = 'paid'`)}; ${document('refunded', 'status', 'paid')}`,
  ],
  [
    'contract.completed = all of it delivered', () => ids['completed']!,
    () => ledger(`credit = 'suspense'`, entryOf('completed', 'fee_revenue')),
  ],
  [
    'contract.returned = what came back', () => ids['bounced']!,
    () => `${ledger(`credit = 'suspense'`, `${entryOf('bounced', 'available')}`)}; ${head('bounced', `status = 'completed'`)}; ${document('bounced', 'status', 'completed')}`,
  ],
  ['contract.refund = hold', () => ids['refunded']!, () => document('refunded', 'refund', ['1', 0])],
  ['attempt.contract exists', () => ids['completed']!, () => `delete from contracts where id = '${ids['completed']}'`],
  [
    'attempt.one live', () => ids['accepted']!,
    () => `alter table attempts drop constraint attempts_pkey; insert into attempts (lane, account_id, contract_id, number, channel_id, reference, status, fence, tries)
      select lane, account_id, contract_id, 2, channel_id, reference, 'queued', 0, 0 from attempts where contract_id = '${ids['accepted']}'`,
  ],
  ['attempt.live only while paid', () => ids['completed']!, () => attempt('completed', `status = 'queued', due_at = now()`)],
  ['attempt.of every paid contract', () => ids['queued']!, () => `delete from attempts where contract_id = '${ids['queued']}'`],
  ['attempt.status = document', () => ids['queued']!, () => attempt('queued', `status = 'accepted'`)],
  ['attempt.number and reference = document', () => ids['queued']!, () => attempt('queued', `reference = 'another'`)],
  ['attempt.live is due', () => ids['doubted']!, () => attempt('doubted', 'due_at = null')],
]

test.each(DAMAGE)('%s', async (proof, row, sql) => {
  const findings = await findingsAfter(sql())
  const found = findings.find((finding) => finding.proof === proof)
  expect(found, `found: ${JSON.stringify(findings, null, 1)}`).toBeDefined()
  expect(found?.row).toContain(row())
  expect(found?.problem.length).toBeGreaterThan(10)
})

/** What the proofs say inside a transaction in which the damage has been done. */
async function findingsAfter(sql: string): Promise<Finding[]> {
  await owner.query('begin')
  try {
    await owner.query(sql)
    const findings: Finding[] = []
    for (const { text, values } of proofsOf(payer.lane)) {
      const { rows } = await owner.query<Record<string, unknown>>(text, values as unknown[])
      findings.push(...rows.map((each) => findingFrom(payer.lane, each)))
    }
    return findings
  } finally {
    await owner.query('rollback')
  }
}

test('every proof there is has its damage here', () => {
  const named = proofsOf(0).flatMap(({ text }) => [...text.matchAll(/'((?:wallet|ledger|contract|history|event|account|idempotency|attempt)\.[^']+)'/g)].map((match) => match[1]!))
  expect([...new Set(named)].sort()).toEqual([...new Set(DAMAGE.map(([proof]) => proof))].sort())
})

test('the gateway’s own role can change neither ledger nor history', async () => {
  await owner.query('set role gateway_app')
  try {
    for (const table of ['ledger', 'history'])
      for (const sql of [`update ${table} set lane = lane`, `delete from ${table}`, `truncate ${table}`])
        await expect(owner.query(sql), sql).rejects.toMatchObject({ code: '42501' })
  } finally {
    await owner.query('reset role')
  }
})
