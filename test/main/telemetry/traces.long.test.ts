// Traces: one transfer from the call that makes it to its webhook in one trace, told to a collector over OTLP/HTTP; and that no
// collector, however broken, is felt by who calls.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { readConfig } from '../../../src/main/config/config.ts'
import { openTraces } from '../../../src/main/telemetry/tracing.ts'
import { openLog } from '../../../src/platform/log.ts'
import { firstSpanOf, traceOf, traceParentFrom } from '../../../src/platform/telemetry/traces.ts'
import { openWorld } from '../../world.ts'

type Span = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: Record<string, unknown> }[]
  links?: { traceId: string; spanId: string }[]
  status: { code?: number }
}

const opened: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close()
})

/** A server on the loopback, and its address. */
async function serving(handle: (request: IncomingMessage, body: string, response: ServerResponse) => void) {
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => handle(request, body, response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  opened.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function collecting() {
  const spans: Span[] = []
  const url = await serving((_, body, response) => {
    const { resourceSpans } = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((each) => each.spans)))
    response.end('{}')
  })
  return { url, spans }
}

const tracesTo = (url: string, more: Record<string, string> = {}) =>
  readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_BSP_SCHEDULE_DELAY: '20', ...more }).traces

async function until(holds: () => boolean, what: string): Promise<void> {
  for (const end = Date.now() + 40_000; !holds(); await sleep(20))
    if (Date.now() > end) throw new Error(`never: ${what}`)
}

test('one transfer from call to webhook is one trace, whose id is the contract’s', async () => {
  const { url, spans } = await collecting()
  const heard: IncomingMessage['headers'][] = []
  const receiver = await serving((request, _, response) => {
    heard.push(request.headers)
    response.end()
  })
  const world = await openWorld({ config: { traces: tracesTo(url), webhookAllow: ['127.0.0.0/8'] } })
  opened.push(() => world.stop())
  const { caller } = world
  await caller.ask('POST', '/webhook-endpoints', { body: { url: receiver, events: ['contract.completed'] } })
  const led = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }
  const { id } = await caller.draft()
  await caller.ask('PUT', `/contracts/transfer/${id}/issue`, { headers: led })
  await caller.pay(id)
  expect(await world.settle(id)).toBe('completed')
  const own = () => spans.filter(({ traceId }) => traceId === traceOf(id))
  await until(() => own().some(({ name }) => name === 'webhook contract.completed'), 'the span of the webhook')
  await until(() => own().some(({ name }) => name === 'channel sandbox'), 'the span of the channel’s call')
  await until(() => own().some(({ name }) => name === 'transfers.pay'), 'the span of the pay')

  const named = (name: string) => own().find((span) => span.name === name)!
  expect(own().map(({ name }) => name)).toEqual(
    expect.arrayContaining(['transfers.create', 'transfers.issue', 'transfers.pay', 'job payout', 'channel sandbox']),
  )
  const first = firstSpanOf(id)
  expect(named('transfers.create')).toMatchObject({ spanId: first })
  expect(named('transfers.create').parentSpanId ?? '').toBe('')
  for (const name of ['transfers.issue', 'transfers.pay', 'job payout', 'webhook contract.completed'])
    expect(named(name).parentSpanId, name).toBe(first)
  const jobs = own().filter(({ name }) => name === 'job payout')
  expect(jobs.map(({ spanId }) => spanId)).toContain(named('channel sandbox').parentSpanId)
  expect(named('transfers.issue').links).toMatchObject([
    { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' },
  ])
  // The receiver can go on in the same trace.
  expect(traceParentFrom(heard[0]?.['traceparent'])).toEqual({
    traceId: traceOf(id),
    spanId: named('webhook contract.completed').spanId,
  })
  for (const span of own()) expect(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano), span.name).toBe(true)
  expect(new Set(own().map(({ spanId }) => spanId)).size).toBe(own().length)
  // Nothing of who is paid, and no credential.
  const text = JSON.stringify(spans)
  expect(text).not.toContain(caller.apiKey)
  expect(text).not.toContain('Ana Reyes')
  expect(text).not.toContain('000123456789')
  const { data } = await caller.ask('GET', `/requests?contract=${id}`)
  expect((data['requests'] as { trace: string }[]).every(({ trace }) => trace === traceOf(id))).toBe(true)
})

test('a contract of another account is not written into by who only names it', async () => {
  const { url, spans } = await collecting()
  const world = await openWorld({ config: { traces: tracesTo(url) }, workers: 'resting' })
  opened.push(() => world.stop())
  const { id } = await world.other.draft()
  const { status } = await world.caller.ask('GET', `/contracts/transfer/${id}`)
  expect(status).toBe(404)
  await until(() => spans.some(({ name }) => name === 'transfers.get'), 'the span of the reading')
  expect(spans.find(({ name }) => name === 'transfers.get')?.traceId).not.toBe(traceOf(id))
})

test('a collector that is away, and one that hangs, are not felt, and the stop does not wait for them', async () => {
  const hanging = await serving(() => undefined)
  for (const url of ['http://127.0.0.1:9', hanging]) {
    const world = await openWorld({
      config: { traces: tracesTo(url, { OTEL_BSP_EXPORT_TIMEOUT: '600000', OTEL_BSP_MAX_QUEUE_SIZE: '4' }) },
      workers: 'resting',
    })
    for (let i = 0; i < 20; i++) await world.caller.draft()
    // With the bound gone this takes ten minutes.
    await world.stop()
  }
  expect(opened).toHaveLength(1)
}, 120_000)

test('a share of the traces is taken whole: by the id, so that every process decides alike', async () => {
  const { url, spans } = await collecting()
  const config = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.5' }
  const world = await openWorld({ config: { traces: tracesTo(url, config) }, workers: 'resting' })
  const ids: string[] = []
  for (let i = 0; i < 24; i++) ids.push((await world.caller.issued()).id)
  await world.stop()
  const taken = (id: string) =>
    spans
      .filter(({ traceId }) => traceId === traceOf(id))
      .map(({ name }) => name)
      .toSorted()
  for (const id of ids) {
    const isTaken = Number.parseInt(id.slice(-8), 16) < 2 ** 31
    expect(taken(id), id).toEqual(isTaken ? ['transfers.create', 'transfers.issue'] : [])
  }
})

test('without the packages the gateway goes on, and says what to install', async () => {
  const lines: string[] = []
  const log = openLog('warn', { write: (line) => void lines.push(line) })
  const absent = '@opentelemetry/not-there'
  const traces = await openTraces(tracesTo('http://127.0.0.1:9'), log, () => import(absent))
  expect(traces).toBe(null)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(/OpenTelemetry is not installed\. Run: npm install @opentelemetry\/api@1\.9\.1 .*sdk-trace@/)
})

test('the environment says where to, how many, and what is wrong with it', () => {
  expect(readConfig({}).traces).toBe(null)
  expect(readConfig({ OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' }).traces).toBe(null)
  expect(readConfig({ OTEL_SDK_DISABLED: 'true', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' }).traces).toBe(null)
  expect(readConfig({ OTEL_TRACES_EXPORTER: 'otlp' }).traces).toMatchObject({ url: 'http://localhost:4318/v1/traces' })
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=prod%20eu',
  }
  expect(readConfig(env).traces).toMatchObject({
    url: 'http://c:4318/v1/traces',
    ratio: 1,
    resource: { 'service.name': 'gateway-contracts', 'deployment.environment': 'prod eu' },
  })
  const bad: [Record<string, string>, RegExp][] = [
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, /OTEL_EXPORTER_OTLP_ENDPOINT must be a whole URL/],
    [{ OTEL_TRACES_EXPORTER: 'zipkin' }, /must be otlp or none, not "zipkin"/],
    [{ OTEL_TRACES_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /must be http\/json or left out/],
    [{ OTEL_TRACES_EXPORTER: 'otlp', OTEL_TRACES_SAMPLER_ARG: '2' }, /a number from 0 to 1/],
  ]
  for (const [faulty, words] of bad) expect(() => readConfig(faulty)).toThrow(words)
})
