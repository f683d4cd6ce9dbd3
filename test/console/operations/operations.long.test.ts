// The work of operators and the books of the installation, in a browser: two people resolve an outcome, a channel is stopped and
// goes on, a day is compared, the books balance and are proved; and who does not operate sees none of it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM } from '../../pay/browser.ts'
import type { Person } from '../../http/members/people.ts'
import { type ConsoleWorld, openConsoleWorld, PHONE } from '../../rig/console/console-world.ts'
import { look } from '../../rig/console/look.ts'

const CONNECTOR = { notFoundFinalAfterMs: 1000, dedupeLifetimeMs: null, inquiry: true }

/** A transfer that was sent, and of which nobody will ever know the outcome. Its channel is frozen meanwhile, so that workers leave it alone. */
async function stuck(world: ConsoleWorld, amount: number): Promise<string> {
  const { other: merchant } = world
  const { lane, accountId } = merchant.account
  const execute = (command: object) =>
    world.gateway.deps.execute({ lane, accountId, keyId: null, idempotency: null, command: command as never })
  const { id } = await merchant.paid({ amount })
  const report = { verb: 'report', id, number: 1, channelId: 'sandbox', fence: 1, connector: CONNECTOR }
  await execute({ verb: 'submit', id, leaseMs: 60_000, connector: CONNECTOR })
  await execute({ ...report, outcome: { kind: 'unknown', reason: 'the call timed out' } })
  await world.sql('update jobs set due_at = null where contract_id = $1', [id])
  return id
}

describe.skipIf(CHROMIUM === null)('operations in the console', () => {
  let world: ConsoleWorld
  let operator: Person
  let approver: Person
  beforeAll(async () => {
    world = await openConsoleWorld()
    await world.sql('update accounts set operates = true where account_id = $1', [world.caller.account.accountId])
    operator = await world.person('operator')
    approver = await world.person('approver')
  })
  afterAll(() => world.close())

  const freeze = () =>
    operator.ask('POST', '/operations/freezes', { body: { channel: 'sandbox', reason: 'for the test' } })
  const letGo = () => operator.ask('DELETE', '/operations/freezes/sandbox', { body: { evidence: 'the test goes on' } })

  test('nothing waits: it says so', async () => {
    const page = await world.open(operator, '/operations')
    await page.getByText('Nothing waits').waitFor()
    await look(page, 'work-empty')
    const EMPTIES = [
      ['/operations/events', 'Every payment event has found its contract'],
      ['/operations/channels', 'Every channel pays out'],
      ['/operations/statements', 'No statement has been compared yet'],
    ] as const
    for (const [path, words] of EMPTIES) {
      await page.goto(`${world.url}/console${path}`)
      await page.getByText(words).waitFor()
      await look(page, `${path.slice(1).replace('/', '-')}-empty`)
    }
  })

  test('one proposes and another confirms: the transfer is resolved', async () => {
    await freeze()
    await new Promise((resolve) => setTimeout(resolve, 1500))
    const id = await stuck(world, 60_000)
    await stuck(world, 250)
    const page = await world.open(operator, '/operations')
    await page.getByText('₱60,000.00').waitFor()
    await look(page, 'work')
    await page.getByRole('button', { name: 'Resolve' }).first().click()
    await page.getByRole('radio', { name: 'The recipient has the money' }).check()
    await page.getByLabel('What proves it').fill('Letter of the bank, ticket 4711')
    await look(page, 'work-resolve')
    await page.getByRole('button', { name: 'Record as delivered' }).click()
    await page.getByRole('heading', { name: 'For a second person' }).waitFor()
    expect(await page.getByRole('button', { name: 'Confirm' }).count()).toBe(0)

    const second = await world.open(approver, '/operations')
    await second.getByText('Letter of the bank, ticket 4711').waitFor()
    expect(await second.getByRole('button', { name: 'Resolve' }).count()).toBe(0)
    await look(second, 'work-confirm')
    await second.getByRole('button', { name: 'Confirm' }).click()
    await second.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
    await second.getByRole('dialog').waitFor({ state: 'detached' })
    await second.getByText('₱60,000.00').waitFor({ state: 'detached' })
    expect((await world.other.get(id)).status).toBe('completed')
    await letGo()
  })

  test('a channel is stopped by hand, with a reason, and goes on with evidence', async () => {
    const page = await world.open(operator, '/operations/channels')
    await page.getByRole('button', { name: 'Freeze a channel' }).click()
    await page.getByRole('combobox', { name: 'Channel' }).selectOption('sandbox')
    await page.getByLabel('Reason').fill('The provider says that it pays twice')
    await look(page, 'work-freeze')
    await page.getByRole('button', { name: 'Stop payouts' }).click()
    await page.getByText('The provider says that it pays twice').waitFor()
    await look(page, 'work-channels')
    await page.getByRole('button', { name: 'Let it go on' }).click()
    await page.getByLabel('What you found out').fill('It was a report of last week')
    await page.getByRole('dialog').getByRole('button', { name: 'Let it go on' }).click()
    await page.getByText('Every channel pays out').waitFor()
  })

  test('payouts of all channels are paused, and go on when somebody has looked', async () => {
    const page = await world.open(operator, '/operations/channels')
    await page.getByText('Payouts are on').waitFor()
    await page.getByRole('button', { name: 'Pause payouts' }).click()
    await page.getByLabel('Reason').fill('Payouts that nobody ordered, ticket 4713')
    await look(page, 'work-pause')
    await page.getByRole('dialog').getByRole('button', { name: 'Pause', exact: true }).click()
    await page.getByText('Payouts that nobody ordered, ticket 4713').waitFor()
    await look(page, 'work-paused')
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByLabel('What you found out').fill('It was a drill')
    await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click()
    await page.getByText('Payouts are on').waitFor()
  })

  test('a payment event that no contract fits is shown with what came, and taken in again', async () => {
    const { lane, accountId } = world.other.account
    await world.sql(
      `insert into payment_events (lane, account_id, id, type, at, body, status, reason)
       values ($1, $2, 'evt-console-1', 'payment.succeeded', now(), $3, 'needs_review', 'no contract fits it')`,
      [lane, accountId, JSON.stringify({ id: 'evt-console-1', type: 'payment.succeeded', data: { amount: 500 } })],
    )
    const page = await world.open(operator, '/operations/events')
    await page.getByText('no contract fits it').waitFor()
    await look(page, 'work-events')
    await page.getByRole('button', { name: 'Take in again' }).click()
    await page.getByLabel('What proves it').fill('Statement of the provider, line 7')
    await look(page, 'work-take')
    await page.getByRole('dialog').getByRole('button', { name: 'Take in again' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('a day of a channel is compared and read line by line', async () => {
    const page = await world.open(operator, '/operations/statements')
    await page.getByRole('button', { name: 'Compare a day' }).click()
    await page.getByRole('combobox', { name: 'Channel' }).selectOption('instapay')
    await look(page, 'work-compare')
    await page.getByRole('button', { name: 'Compare', exact: true }).click()
    await page.getByText('Every line of the statement is in the books').waitFor()
    const findings = JSON.stringify([
      {
        kind: 'extra',
        line: 'sent',
        reference: '9f31c0ffee00000000000000000000aa001',
        contractId: null,
        amountDecimal: '1250.00',
        currency: 'PHP',
        why: 'no attempt of this gateway has the reference',
        acknowledged: true,
      },
      {
        kind: 'missing',
        line: 'sent',
        reference: '01932c07000070008000000000000025001',
        contractId: null,
        amountDecimal: '80.00',
        currency: 'PHP',
        why: 'delivered by our books, and on no statement',
        acknowledged: false,
      },
      { kind: 'mended', reference: '01932c07000070008000000000000026001' },
    ])
    await world.sql(
      `insert into reconciliations (id, channel_id, day, matched, findings)
       values ('7fffffff-0000-7000-8000-000000000001', 'maya', '2026-03-01', 117, $1)`,
      [findings],
    )
    await page.goto(`${world.url}/console/operations/statements`)
    await page.getByText('2 lines do not fit').click()
    await page.getByRole('heading', { name: 'maya, 2026-03-01' }).waitFor()
    await look(page, 'work-statement')
  })

  test('the books balance, each account leads to its rows, and a proof says that they hold', async () => {
    const page = await world.open(operator, '/ledger')
    await page.getByText('Every currency balances', { exact: false }).waitFor()
    await look(page, 'ledger')
    await page.getByText('fee_revenue').first().click()
    await page.getByRole('table', { name: 'Entries' }).waitFor()
    await look(page, 'ledger-entries')
    await page.getByRole('link', { name: 'Proofs' }).click()
    await page.getByText('The books were never proved here').waitFor()
    await look(page, 'ledger-proofs-empty')
    await page.getByRole('button', { name: 'Verify now' }).click()
    await page.getByText('The books hold').first().waitFor()
    await look(page, 'ledger-proofs')
  })

  test('a proof that fails names the rows', async () => {
    await world.sql(
      `insert into proofs (id, started_by, lanes_done, finished_at, verdict, findings, counts)
       values ('7fffffff-0000-7000-8000-000000000009', 'ana@shop.example', 256, now(), 'broken', $1, $2)`,
      [
        JSON.stringify([
          {
            proof: 'wallet = its newest row',
            accountId: world.other.account.accountId,
            row: 'wallet 01932c07',
            problem: 'available is 10.00 by the wallet, and 9.00 by its newest row',
          },
        ]),
        JSON.stringify({ wallets: 12, entries: 48_210, contracts: 9_100, versions: 40_112 }),
      ],
    )
    const page = await world.open(operator, '/ledger/proofs')
    await page.getByRole('heading', { name: 'What does not hold' }).waitFor()
    await look(page, 'ledger-broken')
  })

  test('in Filipino, and on a phone', async () => {
    const page = await world.open(operator, '/operations', { language: 'fil', viewport: PHONE })
    await page.getByRole('heading', { name: 'Gawain' }).waitFor()
    await look(page, 'work-fil')
  })

  test('who does not operate sees neither area, and is refused by the gateway', async () => {
    for (const person of [await world.person('viewer'), await world.person('owner', world.other)]) {
      const page = await world.open(person, '/you')
      await page.getByText('contracts:read').waitFor()
      expect(await page.getByRole('link', { name: 'Ledger' }).count()).toBe(0)
      expect((await person.ask('GET', '/operations/balances')).status).toBe(403)
    }
    // An approver looks, and starts nothing.
    const page = await world.open(approver, '/operations/channels')
    await page.getByRole('heading', { name: 'Channels that stand still' }).waitFor()
    expect(await page.getByRole('button', { name: 'Freeze a channel' }).count()).toBe(0)
  })
})
