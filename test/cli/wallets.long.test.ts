// gateway wallets, against a gateway at work: opened, topped up, moved between, stated, closed.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { SHIPPED_CHANNELS } from '../../src/connectors/catalogue.ts'
import { type GatewayProcess, openGatewayProcess } from '../rig/gateway-process.ts'

let gateway: GatewayProcess

beforeAll(async () => {
  gateway = await openGatewayProcess(
    { channels: SHIPPED_CHANNELS.filter(({ id }) => id === 'wallet') },
    { LOG_LEVEL: 'warn' },
  )
  gateway.launch()
  await gateway.ready()
}, 120_000)
vi.setConfig({ testTimeout: 120_000 })
afterAll(async () => gateway.remove())

type Wallet = { readonly id: string; readonly available: number; readonly status: string }

/** Words that hold blanks stand in quotes. */
const run = (line: string) =>
  gateway.inThread(...[...line.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? ''))

function said(line: string, code = 0): string {
  const { status, stdout, stderr } = run(`wallets ${line}`)
  expect(status, `${line}\n${stdout}${stderr}`).toBe(code)
  expect(stderr).not.toMatch(/^\s+at /m)
  return code === 0 ? stdout : stderr
}

const json = (line: string) => JSON.parse(said(`${line} --json`)) as Record<string, unknown>

test('a wallet is opened, topped up, moved into, stated and closed', () => {
  const { id: payroll } = json('create --currency php --label "Payroll of the north" --metadata team=hr')[
    'wallet'
  ] as Wallet
  expect(said(`topup --yes ${payroll} 100.50 --reference one`)).toContain('PHP 100.50')
  expect(said(`topup --yes ${payroll} 100.50 --reference one`)).toContain('nothing was added')
  const { id: main } = (json('list --currency PHP')['wallets'] as Wallet[])[0]!
  expect(said(`move --yes ${payroll} ${main} 0.50`)).toContain('completed')
  expect(said(`move --yes ${payroll} ${payroll} 1`, 1)).toContain('same wallet')
  expect(said(`move --yes ${payroll} ${main} 5000`, 1)).toContain('is lacking')

  const lists = said('list')
  expect(lists).toContain('Payroll of the north')
  expect(Math.max(...lists.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120)
  const [names = '', ...rows] = said('list --csv').trimEnd().split('\r\n')
  expect(names.split(',')).toEqual(expect.arrayContaining(['id', 'currency', 'available', 'metadata']))
  expect(rows.find((row) => row.startsWith(payroll))).toContain('"{""team"":""hr""}"')

  expect(said(`statement ${payroll}`)).toMatch(
    /opening\s+PHP 0\.00[^]*\+PHP 100\.50[^]*-PHP 0\.50[^]*closing\s+PHP 100\.00/,
  )
  expect(said(`statement ${payroll} --csv`).split('\r\n')).toHaveLength(1 + 1 + 2 + 1 + 1)
  expect(said(`statement ${payroll} --camt053`)).toMatch(
    /<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt\.053\.001\.08">[^]*<\/Document>\n$/,
  )
  expect(said(`get ${payroll} --at 2020-01-01`)).toMatch(/available\s+PHP 0\.00/)
  expect(said(`get ${payroll} --at noon`, 2)).toContain('Give a day')
  expect(said(`entries ${payroll} --account external`)).toContain('available')
  expect(said(`entries ${payroll} --csv`).trimEnd().split('\n').length).toBeGreaterThan(3)

  expect(said(`close ${payroll}`, 1)).toContain('wallet_not_empty')
  said(`move --yes ${payroll} ${main} 100`)
  expect(said(`close ${payroll}`)).toContain('closed')
  expect((json(`update ${payroll} --open --low-balance 5`)['wallet'] as Wallet).status).toBe('open')
  expect(json(`update ${payroll} --without-low-balance`)['wallet']).toMatchObject({ low_balance: null })
  said(`update ${payroll} --default`)
  expect(said(`close ${payroll}`, 1)).toContain('wallet_is_default')
})

test('a contract, a wallet and a verifier are found by the end of their ids, also behind an option', () => {
  const { id: savings } = json('create --currency PHP --label savings')['wallet'] as Wallet
  said(`topup --yes ${savings} 30 --reference two`)
  const { id: main } = (json('list --currency PHP')['wallets'] as Wallet[]).find(({ id }) => id !== savings)!
  const { id: contract } = json(`move --yes ${savings} ${main} 2.50`)['contract'] as { readonly id: string }
  const whole = json(`entries ${savings} --contract ${contract}`)['entries'] as unknown[]
  expect(whole.length).toBeGreaterThan(0)
  expect(json(`entries ${savings.slice(-8)} --contract ${contract.slice(-8)}`)['entries']).toEqual(whole)
  expect(said(`entries ${savings} --contract 00000000`, 1)).toContain('No contract of the newest')

  const made = run('verifiers create --kind list --name "Known to us" --json')
  const { id: verifier } = (JSON.parse(made.stdout) as { verifier: { id: string } }).verifier
  const got = run(`verifiers archive ${verifier.slice(-8)}`)
  expect(got.status, got.stderr).toBe(0)
  expect(got.stderr).toContain(`is the verifier ${verifier}`)
  const tried = run(
    `policies test --amount 5 --currency PHP --channel wallet --to-wallet ${main} --source ${savings.slice(-8)}`,
  )
  expect(tried.stderr).toContain(`is the wallet ${savings}`)
  expect(tried.status).toBe(0)
})

test('money that an operator puts into a currency of an account goes to the wallet that is its default', () => {
  const { account_id: account } = gateway.dev()
  const { id: other } = json('create --currency USD --label "Taken from now on"')['wallet'] as Wallet
  const { id: former } = (json('list --currency USD')['wallets'] as Wallet[]).find(({ id }) => id !== other)!
  for (const id of [other, former, other]) {
    said(`update ${id} --default`)
    const { status, stdout, stderr } = run(`accounts fund --yes --account ${account} --currency USD --amount 5 --json`)
    expect(status, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ wallet_id: id, credited: true })
  }
})
