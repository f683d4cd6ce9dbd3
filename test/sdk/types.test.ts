// What compiles and what does not: calls that a contract's status, its kind or a body forbids, each with what the compiler
// says of it.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const LEGAL = `
export async function legal(gateway: Gateway, any: Transfer, paid: Payment<'paid'>): Promise<void> {
  const draft = await gateway.transfers.create({ amount: '1500.50', currency: 'PHP' })
  const issued = await gateway.transfers.issue(await gateway.transfers.update(draft, { amount: 1600 }))
  const sent = await gateway.transfers.pay(issued, { source: null }, { idempotencyKey: 'order-17' })
  if (any.status === 'draft') await gateway.transfers.issue(any)
  await gateway.transfers.pay({ id: any.id })
  const done: Transfer<'completed'> = await gateway.transfers.waitUntil(sent, 'completed')
  const at: string = done.paid_at
  await gateway.payments.refund(paid, { amount: '1.00', reason: at })
  for await (const event of gateway.events.follow()) if (event.kind === 'payment') event.data.object.checkout_url
  await gateway.payments.pay({ id: at }, { type: 'card', card: { token: 'tok_visa' } })
}
`

const GIVEN = `export async function illegal(gateway: Gateway, draft: Transfer<'draft'>, issued: Transfer<'issued'>,
  paid: Transfer<'paid'>, completed: Transfer<'completed'>, any: Transfer, bill: Payment<'issued'>,
  settled: Payment<'completed'>): Promise<void> {`

const ILLEGAL: readonly (readonly [call: string, reason: string])[] = [
  ['gateway.transfers.pay(draft)', '"draft"\' is not assignable to type \'"issued"'],
  ['gateway.transfers.pay(paid)', '"paid"\' is not assignable to type \'"issued"'],
  ['gateway.transfers.pay(completed)', '"completed"\' is not assignable to type \'"issued"'],
  ['gateway.transfers.pay(any)', 'not assignable'],
  ['gateway.transfers.pay(issued.id)', "'string' is not assignable"],
  ['gateway.transfers.pay(bill)', '"payment"\' is not assignable to type \'"transfer"'],
  ['gateway.transfers.issue(issued)', '"issued"\' is not assignable to type \'"draft"'],
  ['gateway.transfers.issue(paid)', '"paid"\' is not assignable to type \'"draft"'],
  ['gateway.transfers.update(issued, { amount: 1 })', '"issued"\' is not assignable to type \'"draft"'],
  ['gateway.transfers.update(completed, { amount: 1 })', '"completed"\' is not assignable to type \'"draft"'],
  ['gateway.transfers.cancel(completed)', '"completed"\' is not assignable'],
  ['gateway.transfers.retry(draft)', '"draft"\' is not assignable to type \'"paid"'],
  ['gateway.transfers.retry(completed)', '"completed"\' is not assignable to type \'"paid"'],
  ['gateway.payments.refund(bill)', '"issued"\' is not assignable'],
  ['gateway.payments.cancel(settled)', '"completed"\' is not assignable to type \'"issued"'],
  ["gateway.payments.pay(settled, { type: 'qr' })", '"completed"\' is not assignable to type \'"issued"'],
  ['gateway.payments.refund(paid)', '"transfer"\' is not assignable to type \'"payment"'],
  ['gateway.payments.savePayer(bill)', '"issued"\' is not assignable'],
  ["gateway.payments.pay(bill, { type: 'cash' })", '"cash"\' is not assignable'],
  ["gateway.payments.pay(bill, { type: 'qr', gcash: {} })", 'gcash'],
  ["gateway.payments.pay(bill, { type: 'wallet' })", 'wallet'],
  ["gateway.payments.pay(bill, { type: 'card', card: { number: '4242' } })", "'number' does not exist"],
  ["gateway.transfers.create({ currency: 'PHP' })", "'amount' is missing"],
  ["gateway.transfers.create({ amount: 1, currency: 'PHP', ammount: 1 })", "'ammount' does not exist"],
  ["gateway.transfers.create({ amount: true, currency: 'PHP' })", "'boolean' is not assignable"],
  ["gateway.transfers.waitUntil(paid, 'settled')", '"settled"\' is not assignable'],
  ["gateway.payments.waitUntil(bill, 'returned')", '"returned"\' is not assignable'],
  ["gateway.transfers.waitUntil(bill, 'completed')", '"payment"\' is not assignable'],
  ["gateway.transfers.list({ status: ['done'] })", '"done"\' is not assignable'],
  ["gateway.events.follow({ types: ['contract.payed'] })", '"contract.payed"\' is not assignable'],
  ['draft.paid_at.slice(0)', "'draft.paid_at'"],
  ['gateway.transfers.delete(draft)', "'delete' does not exist"],
]

test('each illegal call is an error, for its reason, and nothing else is one', { timeout: 120_000 }, () => {
  const before = [`import type { Gateway, Payment, Transfer } from '${resolve('sdk/src/index.ts')}'`, LEGAL, GIVEN]
  const calls = ILLEGAL.map(([call]) => (call.startsWith('draft.') ? call : `void ${call}`))
  const text = [...before, ...calls, '}'].join('\n')
  const first = before.join('\n').split('\n').length + 1
  const said = compilerOn(text)
  expect(ILLEGAL.length).toBeGreaterThanOrEqual(30)
  for (const [at, [call, reason]] of ILLEGAL.entries())
    expect(said.get(first + at) ?? 'compiles', call).toContain(reason)
  expect([...said.keys()].toSorted((a, b) => a - b)).toEqual(ILLEGAL.map((_, at) => first + at))
})

/** What the compiler says, by line. */
function compilerOn(text: string): Map<number, string> {
  const folder = mkdtempSync(join(tmpdir(), 'sdk-types-'))
  try {
    writeFileSync(join(folder, 'calls.mts'), text)
    const compilerOptions = {
      noEmit: true,
      allowImportingTsExtensions: true,
      rewriteRelativeImportExtensions: false,
      typeRoots: [resolve('node_modules/@types')],
    }
    const project = { extends: resolve('tsconfig.json'), compilerOptions, include: ['calls.mts'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project))
    return saidBy(output(['-p', folder, '--pretty', 'false']))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The compiler ends with a failure, as it should here. */
function output(words: readonly string[]): string {
  try {
    return execFileSync('node_modules/.bin/tsc', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch (fault) {
    return (fault as { readonly stdout: string }).stdout
  }
}

function saidBy(text: string): Map<number, string> {
  const said = new Map<number, string>()
  let number = 0
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const [, at] = /calls\.mts\((\d+),\d+\): error/.exec(line) ?? []
    number = at === undefined ? number : Number(at)
    said.set(number, `${said.get(number) ?? ''}${line}\n`)
  }
  return said
}
