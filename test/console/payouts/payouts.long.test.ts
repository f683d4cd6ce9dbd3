// Bulk payouts in the console: a file is dropped, checked while it streams, mended, started, paused, resumed and done; who may not
// start one sees no way to, and nobody sees another account's.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Person } from '../../http/members/people.ts'
import { CHROMIUM } from '../../pay/browser.ts'
import { type ConsoleWorld, openConsoleWorld } from '../../rig/console/console-world.ts'
import { look } from '../../rig/console/look.ts'

const HEADER = 'amount,currency,channel,recipient.name,recipient.wallet,description'
const ROWS = 500

/** Rows of a file; those on the lines that are named hold what is said there instead. */
function fileOf(count: number, others: Readonly<Record<number, string>> = {}): string {
  const rows = Array.from({ length: count }, (_, i) => {
    const line = i + 2
    return others[line] ?? `${100 + (i % 7)}.50,PHP,sandbox,Person ${i + 1},000123456789,November`
  })
  return [HEADER, ...rows, ''].join('\n')
}

async function drop(page: Page, name: string, text: string | Buffer): Promise<void> {
  const bytes = Buffer.from(text).toString('base64')
  const dataTransfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer()
    const bytes = Uint8Array.from(atob('${bytes}'), (each) => each.charCodeAt(0))
    transfer.items.add(new File([bytes], '${name}', { type: 'text/csv' }))
    return transfer
  })()`)
  await page.locator('.drop').dispatchEvent('drop', { dataTransfer })
}

const dialog = (page: Page) => page.getByRole('dialog')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const WAIT = { timeout: 60_000 }

/** One amount is written as it should be, one name is given, and one row is left out. */
async function mendThree(page: Page): Promise<void> {
  const row = (line: number) => page.getByRole('row').filter({ has: page.getByText(`line ${line}`, { exact: true }) })
  await row(5).getByRole('button', { name: 'Mend' }).click()
  await dialog(page).getByLabel('amount').waitFor()
  await look(page, 'payout-mend')
  await dialog(page).getByLabel('amount').fill('1500.00')
  await dialog(page).getByRole('button', { name: 'Use these values' }).click()
  await row(77).getByRole('button', { name: 'Mend' }).click()
  await dialog(page).getByLabel('recipient.name').fill('Nina Cruz')
  await dialog(page).getByRole('button', { name: 'Use these values' }).click()
  await row(400).getByRole('button', { name: 'Leave out' }).click()
}

describe.skipIf(CHROMIUM === null)('bulk payouts in the console', () => {
  let world: ConsoleWorld
  let owner: Person
  beforeAll(async () => {
    world = await openConsoleWorld()
    owner = await world.person('owner')
  })
  afterAll(() => world.close())

  const contracts = async () =>
    Number(
      (
        await world.sql<{ n: string }>('select count(*) n from contracts where account_id = $1', [
          world.caller.account.accountId,
        ])
      )[0]?.n,
    )

  test('begin empty; the template has the right header, and no row', async () => {
    const page = await world.open(owner, '/payouts')
    await page.getByText('No bulk payout yet').waitFor()
    await look(page, 'payouts-none')
    await page.getByRole('link', { name: 'New bulk payout' }).first().click()
    await page.getByText('Drop a CSV file here').waitFor()
    await look(page, 'payout-new')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Empty file with the right header').click(),
    ])
    const text = readFileSync(await file.path(), 'utf8')
    expect(text.trim().split(/\r?\n/)).toHaveLength(1)
    expect(text).toContain('recipient.name')
  })

  test('500 rows are dropped, three are bad and mended or left out; the rest is paid, paused and resumed', async () => {
    await world.caller.ask('POST', '/policies', { body: HELD })
    const before = await contracts()
    const page = await world.open(owner, '/payouts/new')
    const bad = {
      5: '"1,500.00",PHP,sandbox,Comma Reyes,000123456789,November',
      77: '120.50,PHP,sandbox,,000123456789,November',
      400: '130.50,XXX,sandbox,Nobody,000123456789,November',
      450: '4999,PHP,sandbox,Held Santos,000123456789,November',
    }
    await drop(page, 'salaries.csv', fileOf(ROWS, bad))
    await page.getByText('497 rows can be done, 3 cannot.').waitFor(WAIT)
    for (const line of ['line 5', 'line 77', 'line 400']) await page.getByText(line, { exact: true }).waitFor()
    expect(await contracts()).toBe(before)
    expect(await page.getByRole('button', { name: /^Start with/ }).count()).toBe(0)
    await look(page, 'payout-checked')
    await mendThree(page)
    await button(page, 'Check again').click()
    await page.getByText('All 499 rows can be done.').waitFor(WAIT)
    await button(page, 'Start with 499 rows').click()
    await dialog(page)
      .getByText(/^499 transfers of ₱/)
      .waitFor()
    await dialog(page).getByText('Rows that are left out: 1.').waitFor()
    await look(page, 'payout-start')
    await dialog(page).getByRole('button', { name: 'Start bulk payout' }).click()
    await page.waitForURL(/\/payouts\/[0-9a-f-]{36}$/, WAIT)
    // One waits for members who approve it: the payout runs until then.
    await page.getByText('Waiting for somebody').waitFor(WAIT)
    await expect.poll(contracts, WAIT).toBe(before + 499)
    await look(page, 'payout-running')
    await button(page, 'Pause').click()
    await dialog(page).getByRole('button', { name: 'Pause payout' }).click()
    await button(page, 'Resume').waitFor()
    await look(page, 'payout-paused')
    await button(page, 'Resume').click()
    await dialog(page).getByRole('button', { name: 'Resume payout' }).click()
    await button(page, 'Pause').waitFor()
    await approveAll(await world.person('approver'))
    await page.getByText('Completed', { exact: true }).first().waitFor(WAIT)
    expect(await contracts()).toBe(before + 499)
    const [results] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Results as CSV' }).click(),
    ])
    expect(
      readFileSync(await results.path(), 'utf8')
        .trim()
        .split('\n'),
    ).toHaveLength(500)
    await page.getByRole('link', { name: 'Open', exact: true }).first().click()
    await page.waitForURL(/\/transfers\/[0-9a-f-]{36}$/)
    await world.ledgerHolds()
  })

  test('columns of other names are matched, what is no UTF-8 is refused, and pasted rows are checked as well', async () => {
    const page = await world.open(owner, '/payouts/new')
    await drop(
      page,
      'bank.csv',
      'Salary;Currency;Channel;Full name;Account\n100.50;PHP;sandbox;Ana Cruz;000123456789\n',
    )
    await page.getByText('These names are not the gateway’s', { exact: false }).waitFor(WAIT)
    await look(page, 'payout-columns')
    await button(page, 'Check with these columns').click()
    await page.getByText('All 1 rows can be done.').waitFor(WAIT)
    await button(page, 'Another file').click()
    await drop(
      page,
      'old.csv',
      Buffer.concat([Buffer.from(`${HEADER}\n1,PHP,sandbox,Ni`), Buffer.from([0xf1]), Buffer.from('o,1,\n')]),
    )
    await page.getByText('This is no UTF-8 text', { exact: false }).waitFor(WAIT)
    await button(page, 'Another file').click()
    await button(page, 'Paste rows instead').click()
    const row = '777.25,PHP,sandbox,Dora Twice,000123456789,x'
    await page.getByLabel('Rows, with a header').fill(`${HEADER}\n${row}\n${row}\n`)
    await button(page, 'Check these rows').click()
    await page.getByText('All 2 rows can be done.').waitFor(WAIT)
    await look(page, 'payout-twice')
  })

  test('of a check the rows to look at are listed: what is there twice by its line; nothing is paid', async () => {
    const csv = fileOf(4, {
      // Nobody whom the tests before have paid, which is looked at, too.
      2: '555.00,PHP,sandbox,Once Cruz,000123456782,',
      3: '556.00,PHP,sandbox,Only Cruz,000123456780,',
      4: '777.00,PHP,sandbox,Twice Cruz,000123456781,',
      5: '777.00,PHP,sandbox,Twice Cruz,000123456781,',
    })
    const before = await contracts()
    const { data } = await owner.ask('POST', '/commands', { body: { type: 'transfers.payout', dry_run: true, csv } })
    const page = await world.open(owner, `/payouts/${(data['command'] as { id: string }).id}`)
    await page.getByText('Completed', { exact: true }).first().waitFor(WAIT)
    await page.getByText('To look at', { exact: true }).click()
    await page.getByText('Line 4 pays the same amount to the same recipient.').waitFor()
    await look(page, 'payout-to-look-at')
    await expect.poll(() => page.getByText('Twice Cruz').count()).toBe(1)
    expect(await page.getByText(/Once Cruz|Only Cruz/).count()).toBe(0)
    expect(await contracts()).toBe(before)
  })

  test('a check that was started names what did its rows, and all is done once more only by words that are typed', async () => {
    const csv = fileOf(2)
    const body = { type: 'transfers.payout', dry_run: true, csv }
    const { data } = await owner.ask('POST', '/commands', { body })
    const { id: check } = data['command'] as { id: string }
    const before = await contracts()
    const page = await world.open(owner, `/payouts/${check}`)
    await button(page, 'Start with 2 rows').click(WAIT)
    await dialog(page).getByRole('button', { name: 'Start bulk payout' }).click()
    await page.waitForURL(({ pathname }) => !pathname.endsWith(check), WAIT)
    await page.getByText('Completed', { exact: true }).first().waitFor(WAIT)
    const did = new URL(page.url()).pathname
    await page.goto(`${world.url}/console/payouts/${check}`)
    await page.getByText('Started already as').waitFor(WAIT)
    expect(await button(page, 'Start with 2 rows').count()).toBe(0)
    expect(await page.locator(`a[href="${did}"]`).count()).toBe(1)
    expect(await contracts()).toBe(before + 2)
    await button(page, 'Start once more').click()
    const again = dialog(page).getByRole('button', { name: 'Start once more' })
    await look(page, 'payout-again')
    expect(await again.isDisabled()).toBe(true)
    await dialog(page).getByLabel('Pay again').fill('Pay again')
    await again.click()
    await expect.poll(contracts, WAIT).toBe(before + 4)
  })

  test('an export is written, and its file is downloaded', async () => {
    const page = await world.open(owner, '/payouts/export')
    await look(page, 'export-new')
    await button(page, 'Write the file').click()
    await page.getByRole('link', { name: 'Download file' }).waitFor(WAIT)
    await look(page, 'export')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download file' }).click(),
    ])
    expect(readFileSync(await file.path(), 'utf8').split(/\r?\n/)[0]).toContain('id')
  })

  test('a viewer sees no way to start one, in their language; nobody sees those of another account', async () => {
    const viewer = await world.person('viewer')
    const page = await world.open(viewer, '/payouts', { language: 'fil' })
    await page.getByText('salaries').first().waitFor(WAIT)
    expect(await page.getByRole('link', { name: 'Bagong maramihang padala' }).count()).toBe(0)
    await look(page, 'payouts-fil')
    await page.goto(`${world.url}/console/payouts/new`)
    await page.getByText('Hindi mo ito puwedeng simulan').waitFor(WAIT)
    expect((await viewer.ask('POST', '/commands', { body: { type: 'transfers.payout' } })).error.code).toBe(
      'scope_missing',
    )
    const theirs = await world.other.ask('POST', '/commands', { body: { type: 'transfers.create' } })
    const { id } = theirs.data['command'] as { readonly id: string }
    const strange = await world.open(owner, `/payouts/${id}`)
    await strange.getByRole('alert').waitFor(WAIT)
    expect(await strange.getByRole('alert').textContent()).toContain('command_not_found')
  })
})

/** Somebody has to approve what is above a limit. */
const HELD = {
  name: 'Four eyes',
  when: [{ field: 'amount', op: 'above', value: 4000, currency: 'PHP' }],
  then: { kind: 'approvals', count: 1 },
}

async function approveAll(person: Person): Promise<void> {
  const { data } = await person.ask('GET', '/approvals?status=waiting')
  for (const { contract } of data['approvals'] as Waiting[]) {
    const body = { terms_hash: contract.approval.terms_hash }
    await person.ask('PUT', `/contracts/transfer/${contract.id}/approve`, { body })
  }
}

type Waiting = { readonly contract: { readonly id: string; readonly approval: { readonly terms_hash: string } } }
