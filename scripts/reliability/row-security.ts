// npm run row-security: what forced row-level security would cost the write path (docs/adr/0071). On one database of its own, the very
// batches of the gateway go through two logins in turns: one that row-level security binds, with the accounts of each batch set in the
// same round trip, and one with the same grants that it does not bind. Whatever else the machine does meets both alike.
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { fundWallets, type Owner, seedAccounts, settleTables } from '../../bench/stage/seed.ts'
import { laneUuid } from '../../src/domain/contract/ids.ts'
import type { Terms } from '../../src/domain/transfer/transfer.ts'
import type { CommandRequest } from '../../src/engine/command-request.ts'
import { executeBatch } from '../../src/engine/execute.ts'
import { openKeyedSession } from '../../src/main/database/database.ts'
import { plainArray, type Session, type Statement } from '../../src/platform/db.ts'
import { MANY_LANES } from '../../src/platform/scope.ts'
import { withScratchGateway } from './scratch-gateway.ts'

/** Accounts of one batch, each with one command, and how many batches of that size are timed. */
const SIZES = [
  { accounts: 1, share: 1 },
  { accounts: 16, share: 0.5 },
  { accounts: 128, share: 0.25 },
] as const
const WARM_UP = 10

const { values } = parseArgs({ options: { batches: { type: 'string', default: '200' } } })
const batches = Number(values.batches)
if (!Number.isInteger(batches) || batches < 4) {
  console.error('usage: npm run row-security -- [--batches 200]')
  process.exit(2)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

/** The accounts of the batch, read once a statement: a list, for a batch has many accounts of many lanes. */
const ACCOUNTS = `current_setting('gateway.accounts')::uuid[]`
/** The two forms of the condition. The planner may look the first up in an index, and only filters by the second. */
const FORMS = {
  array: `account_id = any ((select ${ACCOUNTS})::uuid[])`,
  hashed: `account_id in (select unnest(${ACCOUNTS}))`,
}

/** Every table that belongs to accounts, bound by the list. */
const bindBy = (condition: string) => `
do $$ declare t record; begin
  for t in select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
            where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace loop
    execute format('alter table %I enable row level security', t.relname);
    execute format('alter table %I force row level security', t.relname);
    execute format('drop policy if exists tenant on %I', t.relname);
    execute format('create policy tenant on %I using (${condition.replaceAll("'", "''")})', t.relname);
  end loop;
end $$`

const TERMS: Terms = {
  amountMinor: 1500_00n,
  currency: 'PHP',
  issuedTo: null,
  description: 'October salary',
  deliverable: { type: 'salary', referenceId: 'payroll', description: null, details: null },
  recipient: {
    name: 'Maria Santos',
    email: 'maria.santos@example.com',
    mobile: '+639171234567',
    wallet: '000123456789',
    tag: null,
    address: null,
    country: 'PH',
  },
  channelId: 'sandbox',
}

type Step = 'create' | 'issue' | 'pay'
const STEPS: readonly Step[] = ['create', 'issue', 'pay']

function requestOf(step: Step, { lane, accountId }: Owner, id: string): CommandRequest {
  const digest = randomBytes(16)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  const idempotency = step === 'create' ? { keyHash: digest, fingerprint: digest } : null
  const shared = { lane, accountId, keyId: null, idempotency }
  if (step === 'issue') return { ...shared, command: { verb: 'issue', id, preview: null } }
  if (step === 'pay') return { ...shared, command: { verb: 'pay', id, preview: null, walletId: null } }
  const rest = { expiresInSeconds: null, preview: null, warnings: [], pays: null }
  return { ...shared, command: { verb: 'create_transfer', id, livemode: false, terms: TERMS, ...rest } }
}

/** The same session, which says first what the transaction may see. */
function bound(session: Session, accounts: readonly Owner[]): Session {
  const list = plainArray(accounts.map(({ accountId }) => accountId))
  const scope = { name: 'scope', text: `select set_config('gateway.accounts', $1, true)`, values: [list] }
  return {
    ...session,
    transaction: (load, decide) => session.transaction([scope, ...load], ([, ...loaded]) => decide(loaded)),
  }
}

type Login = 'bound' | 'free'
const LOGINS: readonly Login[] = ['free', 'bound']
type Times = Record<Login, number[]>

type Channels = Parameters<typeof executeBatch>[1]

/** Batches of one size through both logins in turns; the milliseconds of each, by step. */
async function timed(
  sessions: Record<Login, Session>,
  channels: Channels,
  accounts: readonly Owner[],
  count: number,
): Promise<Map<Step, Times>> {
  const times = new Map(STEPS.map((step): [Step, Times] => [step, { bound: [], free: [] }]))
  for (let round = -WARM_UP; round < count; round++) {
    // Who goes first changes with every round.
    for (const login of round % 2 === 0 ? LOGINS : LOGINS.toReversed()) {
      const session = login === 'bound' ? bound(sessions.bound, accounts) : sessions.free
      const ids = accounts.map(({ lane }) => laneUuid(lane, Date.now(), randomBytes(10).toString('hex')))
      for (const step of STEPS) {
        const requests = accounts.map((account, i) => requestOf(step, account, ids[i] ?? ''))
        const began = performance.now()
        const answers = await executeBatch(session, channels, MANY_LANES, requests)
        if (round >= 0) times.get(step)?.[login].push(performance.now() - began)
        const bad = answers.find((answer) => typeof answer === 'symbol' || answer.kind !== 'contract')
        if (bad !== undefined) throw new Error(`${step} by the ${login} login was not done: ${JSON.stringify(bad)}`)
      }
    }
  }
  return times
}

const middle = (all: readonly number[]): number =>
  all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN

/** Which statements of a pay have other index conditions, or read a table whole, once row-level security is there. */
async function plansOf(sessions: Record<Login, Session>, channels: Channels, accounts: readonly Owner[]) {
  const seen = new Map<string, Statement>()
  const noted: Session = {
    ...sessions.free,
    transaction: (load, decide) => {
      for (const each of load) seen.set(each.name, each)
      return sessions.free.transaction(load, (loaded) => {
        const decided = decide(loaded)
        if (!('load' in decided)) for (const each of decided.statements) seen.set(each.name, each)
        return decided
      })
    },
  }
  const ids = accounts.map(({ lane }) => laneUuid(lane, Date.now(), randomBytes(10).toString('hex')))
  for (const step of STEPS)
    await executeBatch(
      noted,
      channels,
      MANY_LANES,
      accounts.map((account, i) => requestOf(step, account, ids[i] ?? '')),
    )
  const changed: string[] = []
  for (const { name, text, values: given } of seen.values()) {
    const explained = { name: `explain_${name}`, text: `explain (costs off) ${text}`, values: given }
    const conditions = async (session: Session) => {
      const plan = await session.transaction([explained], ([result]) => ({ statements: [], value: result?.rows ?? [] }))
      const lines = plan.map((row) => String(row['QUERY PLAN']).trim())
      return lines.filter((line) => /^(Index Cond|->\s+Seq Scan on (?!pg_))/.test(line)).toSorted()
    }
    const [free, under] = [await conditions(sessions.free), await conditions(bound(sessions.bound, accounts))]
    if (free.join('\n') !== under.join('\n'))
      changed.push(`${name}\n  free:  ${free.join(' | ')}\n  bound: ${under.join(' | ')}`)
  }
  return { statements: seen.size, changed }
}

function lineOf(size: number, step: Step, without: readonly number[], under: readonly number[]): string {
  const [a, b] = [middle(without), middle(under)]
  const cells = [size, step.padEnd(6), a.toFixed(2), b.toFixed(2), `${((b / a - 1) * 100).toFixed(1)} %`]
  return cells.map((cell, i) => String(cell).padStart(i === 1 ? 0 : 8)).join('  ')
}

await withScratchGateway('row-security', 3600, async ({ gateway, database, owner: login }) => {
  const { channels } = gateway.deps
  const owner = new pg.Client(login)
  // The server ends it where something fails before.
  owner.on('error', () => undefined)
  await owner.connect()
  const accounts = await seedAccounts(owner, SIZES[2].accounts)
  await fundWallets(owner, accounts, 1_000_000_000_000n)
  const secret = randomBytes(12).toString('hex')
  await owner.query(`create role row_security_free login bypassrls inherit password '${secret}' in role gateway_app`)
  const free = { ...database, login: { ...database.login, user: 'row_security_free', password: secret } }
  const sessions = { bound: openKeyedSession(database), free: openKeyedSession(free) }

  for (const [form, condition] of Object.entries(FORMS)) {
    await owner.query(bindBy(condition))
    await settleTables(owner)
    console.log(`${form}: ${condition}\naccounts  step    free ms  bound ms     cost`)
    for (const { accounts: size, share } of SIZES) {
      const times = await timed(sessions, channels, accounts.slice(0, size), Math.ceil(batches * share))
      for (const [step, { bound: under, free: without }] of times) console.log(lineOf(size, step, without, under))
    }
    const { statements, changed } = await plansOf(sessions, channels, accounts.slice(0, 16))
    console.log(`${changed.length} of ${statements} statements have other index conditions when bound`)
    for (const each of changed) console.log(each)
  }
  await Promise.all([sessions.bound.close(), sessions.free.close()])
  await owner.end()
  await gateway.stop()
})
