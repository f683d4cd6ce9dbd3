// Which rails are live: those with a real address and what opens it. Every fault is told at once, with its mend and without
// a secret.
import { expect, test } from 'vitest'
import { readConfig } from '../../src/main/config/config.ts'
import { liveRails, RAIL_NAMES, RAIL_SETTINGS } from '../../src/main/config/rails.ts'

const BANK = { GATEWAY_DEBTOR_NAME: 'Sari Trading', GATEWAY_DEBTOR_BANK: 'BOPIPHMM', GATEWAY_DEBTOR_ACCOUNT: '00123' }
const OPENED = {
  ...Object.fromEntries(
    RAIL_SETTINGS.filter((name) => !/_(URL|MODE)$/.test(name)).map((name) => [name, `${name.toLowerCase()}-is-this`]),
  ),
  GATEWAY_QRPH_ACQUIRER: 'BOPIPHMM',
  GATEWAY_QRPH_MERCHANT_ID: 'SARI0000001',
  ...BANK,
}
const urlOf = (rail: string) => `GATEWAY_${rail.toUpperCase()}_URL`
const modeOf = (rail: string) => `GATEWAY_${rail.toUpperCase()}_MODE`
const REAL = 'https://rail.example/v1'

test('without an address the sandbox plays every rail, and nothing is live', () => {
  const config = readConfig({})
  expect(liveRails(config)).toEqual([])
  for (const rail of RAIL_NAMES) expect(config.rails[rail]).toEqual({ url: null, mode: 'test' })
  expect(config.crypto).toMatchObject({ rpcUrl: null, mode: 'test' })
})

test.each(RAIL_NAMES)('%s with an address and credentials is live; its own test environment is declared', (rail) => {
  const env = { ...OPENED, [urlOf(rail)]: `${REAL}/` }
  const live = readConfig(env)
  expect(live.rails[rail]).toEqual({ url: REAL, mode: 'live' })
  expect(liveRails(live)).toEqual([rail])
  const declared = readConfig({ ...env, [modeOf(rail)]: 'test' })
  expect(declared.rails[rail]).toEqual({ url: REAL, mode: 'test' })
  expect(liveRails(declared)).toEqual([])
  expect(liveRails(readConfig({ ...env, [modeOf(rail)]: 'live' }))).toEqual([rail])
})

test.each(RAIL_NAMES)('%s: live by word alone, over plain http, or without what opens it, is refused', (rail) => {
  const read = (env: Record<string, string>) => () => readConfig(env)
  expect(read({ [modeOf(rail)]: 'live' })).toThrow(`${modeOf(rail)} is live, so ${urlOf(rail)} must be set`)
  const odd = { ...OPENED, [urlOf(rail)]: REAL, [modeOf(rail)]: 'real' }
  expect(read(odd)).toThrow(`${modeOf(rail)} must be one of test, live`)
  const open = { ...OPENED, [urlOf(rail)]: 'http://rail.example' }
  expect(read(open)).toThrow(`${urlOf(rail)} must begin with https://`)
  expect(read({ ...OPENED, [urlOf(rail)]: 'rail.example' })).toThrow(`${urlOf(rail)} must be a whole URL`)
  expect(read({ [urlOf(rail)]: REAL })).toThrow(`${urlOf(rail)} is set, so GATEWAY_`)
  // On this machine a sidecar may speak TLS and hold the bank's certificate; a test environment may be plain.
  expect(readConfig({ ...OPENED, [urlOf(rail)]: 'http://127.0.0.1:9' }).rails[rail].mode).toBe('live')
  const plain = { ...OPENED, [urlOf(rail)]: 'http://rail.example', [modeOf(rail)]: 'test' }
  expect(readConfig(plain).rails[rail].mode).toBe('test')
})

test("the sandbox's own word opens no real rail, and every missing thing is named at once, without a secret", () => {
  const env = { GATEWAY_GCASH_SECRET: 'sandbox-secret', GATEWAY_CARD_API_KEY: 'sandbox-key', [urlOf('maya')]: REAL }
  const read = () => readConfig({ ...env, [urlOf('gcash')]: REAL, [urlOf('card')]: REAL, [urlOf('instapay')]: REAL })
  expect(read).toThrow(/GATEWAY_GCASH_URL is set, so GATEWAY_GCASH_CLIENT_ID and GATEWAY_GCASH_SECRET must be, too/)
  expect(read).toThrow(/GATEWAY_CARD_URL is set, so GATEWAY_CARD_API_KEY must be, too/)
  expect(read).toThrow(/GATEWAY_MAYA_URL is set, so GATEWAY_MAYA_API_KEY must be, too/)
  expect(read).toThrow(/GATEWAY_DEBTOR_NAME, GATEWAY_DEBTOR_BANK and GATEWAY_INSTAPAY_API_KEY must be, too/)
  expect(read).not.toThrow(/sandbox-secret|sandbox-key/)
})

test('a node is live, unless its chain is declared to be one for tests', () => {
  const node = { GATEWAY_CRYPTO_RPC_URL: 'https://node.example/secret' }
  expect(liveRails(readConfig(node))).toEqual(['crypto'])
  expect(liveRails(readConfig({ ...node, GATEWAY_CRYPTO_MODE: 'test' }))).toEqual([])
  expect(() => readConfig({ GATEWAY_CRYPTO_MODE: 'live' })).toThrow('GATEWAY_CRYPTO_RPC_URL must be set')
})
