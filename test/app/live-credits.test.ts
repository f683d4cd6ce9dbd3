// Money enters a live wallet by a payment contract, or from a clearing account by two people with evidence: in the domain,
// in the database, and in what verify lists.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { creditWallet } from '../../src/app/accounts/credits.ts'
import { verifyBooks } from '../../src/app/operator/verify.ts'
import { areTwoNames } from '../../src/domain/money/outside-credit.ts'
import { isRefusal } from '../../src/domain/contract/refusals.ts'
import { openAuditSession } from '../../src/main/database/database.ts'
import { type Funding, openOperator, type Operator } from '../../src/main/operator/operator.ts'
import { type Caller, openWorld, type World, urlOf } from '../world.ts'

let world: World
let office: Operator
let live: Caller
let walletId: string
beforeAll(async () => {
  world = await openWorld({ workers: 'resting' })
  const databaseUrl = urlOf(world.database.owner)
  office = await openOperator({ ...world.config, databaseUrl }, () => undefined)
  live = await world.newCaller({ livemode: true, funds: {} })
  walletId = walletOf(live, 'PHP')
})
afterAll(async () => {
  await office.close()
  await world.stop()
})

const walletOf = ({ account }: Caller, currency: string) =>
  account.wallets.find((each) => each.currency === currency)?.id ?? ''
const BACKING = {
  from: 'bdo-settlement',
  operator: 'Ana Cruz',
  approvedBy: 'Ben Reyes',
  evidence: 'statement, line 17',
}
const funding = (changes: Partial<Funding> = {}): Funding => ({
  walletId,
  amountMinor: 500_000n,
  currency: 'PHP',
  reference: `deposit ${randomUUID()}`,
  backing: BACKING,
  ...changes,
})

async function refusedCode(wanted: Funding): Promise<string> {
  const answer = await office.fund(wanted)
  if (answer === null || !isRefusal(answer)) throw new Error('it was credited')
  return `${answer.code} ${answer.param}`
}

const audited = async () => {
  const auditor = openAuditSession(world.operators)
  const verdict = verifyBooks(auditor, () => undefined)
  await Promise.allSettled([verdict]).then(() => auditor.close())
  return verdict
}

describe('an operator', () => {
  test('puts money from a named clearing account into a live wallet, once, with a record of both people', async () => {
    const wanted = funding()
    expect(await office.fund(wanted)).toMatchObject({ credited: true, wallet: { availableMinor: 500_000n } })
    expect(await office.fund(wanted)).toMatchObject({ credited: false, wallet: { availableMinor: 500_000n } })
    const rows = await world.sql(
      `select g.debit, g.credit, g.amount_minor, o.operator, o.approved_by, o.action, o.target, o.evidence
         from ledger g
         join outside_credits c on c.lane = g.lane and (c.wallet_id, c.sequence) = (g.wallet_id, g.outside)
         join operator_actions o on o.id = c.action_id
        where g.reference = $1`,
      [wanted.reference],
    )
    expect(rows).toEqual([
      {
        debit: 'clearing:bdo-settlement',
        credit: 'available',
        amount_minor: '500000',
        operator: 'Ana Cruz',
        approved_by: 'Ben Reyes',
        action: 'fund wallet',
        target: walletId,
        evidence: 'statement, line 17',
      },
    ])
    const { findings, liveCredits } = await audited()
    expect(findings).toEqual([])
    expect(liveCredits).toEqual([
      expect.objectContaining({
        row: `${walletId}/1`,
        accountId: live.account.accountId,
        currency: 'PHP',
        amountMinor: 500_000n,
        from: 'bdo-settlement',
        operator: 'Ana Cruz',
        approvedBy: 'Ben Reyes',
        reference: wanted.reference,
      }),
    ])
  })

  test.each<[string, Partial<Funding>, string]>([
    ['from nowhere', { backing: null }, 'credit_not_allowed wallet'],
    ['by one person', { backing: { ...BACKING, approvedBy: 'Ana Cruz' } }, 'credit_not_allowed approved_by'],
    [
      'by one person in other capitals',
      { backing: { ...BACKING, approvedBy: ' ana  CRUZ ' } },
      'credit_not_allowed approved_by',
    ],
    [
      'by one person with a dot',
      { backing: { ...BACKING, approvedBy: 'Ana Cruz.' } },
      'credit_not_allowed approved_by',
    ],
    ['by nobody', { backing: { ...BACKING, operator: ' ' } }, 'credit_not_allowed approved_by'],
    ['with a dot for evidence', { backing: { ...BACKING, evidence: '.' } }, 'credit_not_allowed evidence'],
    ['without evidence', { backing: { ...BACKING, evidence: ' ' } }, 'credit_not_allowed evidence'],
  ])('is refused where it comes %s, and nothing is written', async (_, changes, code) => {
    const before = await world.sql('select count(*) from operator_actions')
    expect(await refusedCode(funding(changes))).toBe(code)
    expect(await world.sql('select count(*) from operator_actions')).toEqual(before)
  })

  test('funds a test wallet from nowhere, and from no clearing account', async () => {
    const wallet = walletOf(world.caller, 'PHP')
    expect(await office.fund(funding({ walletId: wallet, backing: null }))).toMatchObject({ credited: true })
    expect(await refusedCode(funding({ walletId: wallet }))).toBe('credit_not_allowed wallet')
  })
})

describe('the gateway’s own login', () => {
  const WALLS: readonly (readonly [string, string])[] = [
    [
      'a row from nowhere',
      `insert into ledger (lane, account_id, wallet_id, sequence, debit, credit, amount_minor, available_after_minor, reference, at)
       values ($1, $2, $3, 90, 'external', 'available', 1, 1, 'forged', now())`,
    ],
    [
      'a row from a clearing account',
      `insert into ledger (lane, account_id, wallet_id, sequence, debit, credit, amount_minor, available_after_minor, reference, at)
       values ($1, $2, $3, 90, 'clearing:bdo-settlement', 'available', 1, 1, 'forged', now())`,
    ],
    [
      'a row out of suspense of no contract',
      `insert into ledger (lane, account_id, wallet_id, sequence, position, debit, credit, amount_minor, available_after_minor, at)
       values ($1, $2, $3, 90, 1, 'suspense', 'available', 1, 1, now())`,
    ],
    [
      'a row that names nothing',
      `insert into ledger (lane, account_id, wallet_id, sequence, debit, credit, amount_minor, available_after_minor, reference, at, outside)
       values ($1, $2, $3, 90, 'external', 'available', 1, 1, 'forged', now(), 90)`,
    ],
    [
      'a row that names the one behind another',
      `insert into ledger (lane, account_id, wallet_id, sequence, debit, credit, amount_minor, available_after_minor, reference, at, outside)
       values ($1, $2, $3, 90, 'clearing:bdo-settlement', 'available', 500000, 1, 'forged', now(), 1)`,
    ],
    [
      'what stands behind a live row, without a record',
      `insert into outside_credits (lane, account_id, wallet_id, sequence, reference, amount_minor, debit, livemode)
       values ($1, $2, $3, 90, 'forged', 1, 'clearing:bdo-settlement', true)`,
    ],
    [
      'what stands behind a live row, as if it were a test one',
      `insert into outside_credits (lane, account_id, wallet_id, sequence, reference, amount_minor, debit, livemode)
       values ($1, $2, $3, 90, 'forged', 1, 'external', false)`,
    ],
    [
      'what stands behind a live row, with a record that stands behind another',
      `insert into outside_credits (lane, account_id, wallet_id, sequence, reference, amount_minor, debit, livemode, action_id, action)
       select $1::int, $2::uuid, $3::uuid, 90, 'forged', 1, 'clearing:bdo-settlement', true, c.action_id, c.action
         from outside_credits c where c.action_id is not null limit 1`,
    ],
    [
      'made-up money by the way that test wallets have',
      `select top_up_test_wallet($1, $2, $3, 90, 'forged', 1, 1, 0, 0, 0, 0, now())`,
    ],
    [
      'what says that the account is a test one',
      `insert into account_modes (lane, account_id, livemode) select $1::int, $2::uuid, false where $3::uuid is not null`,
    ],
    [
      'a record of two people',
      `insert into operator_actions (id, operator, approved_by, action, target, evidence)
       values ('018f0000-0000-7000-8000-00000000000a', 'Ana', 'Ben', 'fund wallet', $1::int::text || $2::uuid || $3::uuid, 'x')`,
    ],
  ]

  test.each(WALLS)('cannot write %s', async (_, text) => {
    await office.fund(funding())
    const app = new pg.Client(world.lanesLogin)
    await app.connect()
    try {
      const { lane, accountId } = live.account
      await expect(app.query(text, [lane, accountId, walletId])).rejects.toMatchObject({
        message: expect.stringMatching(/violates (check|foreign key|unique) constraint|permission denied/),
      })
    } finally {
      await app.end()
    }
  })

  test('is refused by the write path, too, and puts made-up money into a test wallet alone', async () => {
    const { deps } = world.gateway
    const credit = { walletId, amountMinor: 100n, currency: 'PHP', reference: `forged ${randomUUID()}` }
    expect(await creditWallet(deps, { ...credit, source: 'external' })).toMatchObject({ code: 'credit_not_allowed' })
    expect(await creditWallet(deps, { ...credit, source: 'clearing:gcash' })).toMatchObject({
      code: 'credit_not_allowed',
    })
    const approval = { id: randomUUID(), operator: 'Ana', approvedBy: 'Ben', evidence: 'x' }
    await expect(creditWallet(deps, { ...credit, source: 'clearing:gcash', approval })).rejects.toThrow(
      /permission denied/,
    )
    const test = { ...credit, walletId: walletOf(world.caller, 'PHP') }
    expect(await creditWallet(deps, { ...test, source: 'external' })).toMatchObject({ credited: true })
  })
})

test('a live credit whose record is gone is a finding, by its row', async () => {
  const { accountId, lane } = live.account
  const count = (await world.sql<{ n: string }>('select sequence as n from wallets where id = $1', [walletId]))[0]?.n
  const sequence = Number(count) + 1
  // As the owner of the database could, with the walls down: money from nowhere.
  await world.sql('alter table ledger drop constraint ledger_outside_known')
  await world.sql(
    `insert into ledger (lane, account_id, wallet_id, sequence, debit, credit, amount_minor, available_after_minor, reference, at)
     select w.lane, w.account_id, w.id, $4, 'external', 'available', 700, w.available_minor + 700, 'forged', now()
       from wallets w where w.lane = $1 and w.account_id = $2 and w.id = $3`,
    [lane, accountId, walletId, sequence],
  )
  await world.sql('update wallets set available_minor = available_minor + 700, sequence = $2 where id = $1', [
    walletId,
    sequence,
  ])
  const { findings, liveCredits } = await audited()
  expect(findings).toEqual([
    expect.objectContaining({
      proof: 'ledger.live credit recorded',
      accountId,
      row: `ledger row ${sequence} of wallet ${walletId}`,
    }),
  ])
  expect(liveCredits.find(({ row }) => row === `${walletId}/${sequence}`)).toMatchObject({
    operator: null,
    approvedBy: null,
    from: 'external',
  })
})

test('two names are two people whatever their capitals, blanks and spelling of the same letters', () => {
  const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text.trim() !== '')
  fc.assert(
    fc.property(name, fc.nat(3), fc.nat(3), (text, before, after) => {
      const again = ' '.repeat(before) + text.normalize('NFD').toLowerCase() + '\t'.repeat(after)
      expect(areTwoNames(text.toLowerCase(), again)).toBe(false)
      expect(areTwoNames(text, '')).toBe(false)
    }),
  )
  expect(areTwoNames('Ana Cruz', 'Ben Reyes')).toBe(true)
})
