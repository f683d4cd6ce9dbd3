// What configuration says of each rail before its connector is opened, against what the opened connector says and can do.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SHIPPED_CHANNELS } from '../../src/connectors/catalogue.ts'
import { collects, parsesCallbacks } from '../../src/connectors/connector.ts'
import { RAIL_CONNECTORS } from '../../src/main/channels/rail-connectors.ts'
import { offeredChannels } from '../../src/main/channels/offered-channels.ts'
import { readConfig } from '../../src/main/config/config.ts'
import { CALLING_RAILS, PLAYED_RAILS, RAIL_NAMES } from '../../src/main/config/rails.ts'
import type { Outbound } from '../../src/platform/outbound.ts'

const config = readConfig({})
const outbound: Outbound = {
  request: () => Promise.reject(new Error('nothing is asked of a rail here')),
  close: async () => {},
}
const wire = { outbound, timeoutMs: 1000, nowMs: () => 0, baseUrl: 'http://127.0.0.1:1' }

test.each(RAIL_NAMES)('%s is as it is declared', (name) => {
  const { collects: declared, open } = RAIL_CONNECTORS[name]
  const connector = open(wire, config.rails)
  expect(collects(connector) ? connector.describeCollect() : null).toEqual(declared)
  expect(parsesCallbacks(connector)).toBe(CALLING_RAILS.includes(name))
})

test.each(RAIL_NAMES)('%s has a shipped channel, which brings money in where its connector does', (name) => {
  const channel = SHIPPED_CHANNELS.find(({ id, connector }) => (connector ?? id) === name)
  expect(channel).toBeDefined()
  expect(channel?.collect !== undefined).toBe(RAIL_CONNECTORS[name].collects !== null)
})

test('a channel refunds as its connector does, where its operator says nothing else', () => {
  const refundsOf = (channels = config.channels) =>
    offeredChannels({ ...config, channels }, 'sandbox').flatMap(({ config: { id, collect } }) =>
      collect?.refunds ? [id] : [],
    )
  expect(refundsOf()).toEqual(PLAYED_RAILS.filter((name) => RAIL_CONNECTORS[name].collects?.refunds))
  const declined = config.channels.map((channel) =>
    channel.collect ? { ...channel, collect: { ...channel.collect, refunds: false } } : channel,
  )
  expect(refundsOf(declined)).toEqual([])
})

const SUITES = readdirSync('test/connectors')
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => readFileSync(`test/connectors/${file}`, 'utf8'))
  .filter((text) => /conformance/i.test(text))

test.each(RAIL_NAMES)('%s passes the suite of every connector', (name) => {
  expect(SUITES.some((text) => text.includes(`connectors/${name}/`) || text.includes(`'${name}'`))).toBe(true)
})
