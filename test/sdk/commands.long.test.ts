// Commands from files by the SDK: whatever the chunks, every row goes up once and under its own line; what breaks off goes on.
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { createGateway, GatewayError } from '../../sdk/src/index.ts'
import { openCsvSplitter } from '../../sdk/src/csv-records.ts'
import { readCsv } from '../../src/formats/csv-reading.ts'
import { openWorld, READY } from '../world.ts'

const world = await openWorld()
const url = await world.listen()
const gateway = createGateway({ url, apiKey: world.caller.apiKey })
afterAll(() => world.stop())

const HEADER = 'amount;currency;channel;recipient.name;recipient.wallet;description'
const lineOf = (i: number, words = `“Row”\n${i}`) =>
  `${100 + i}.5;PHP;sandbox;"Reyes; Ñiña";000123456789;"${words.replaceAll('"', '""')}"`

/** Bytes of any size, as a network brings them: characters and line ends are cut in two. */
async function* chunksOf(text: string, bytes = 997): AsyncGenerator<Uint8Array> {
  const all = new TextEncoder().encode(text)
  for (let at = 0; at < all.length; at += bytes) yield all.slice(at, at + bytes)
}

const refusalOf = (call: Promise<unknown>): Promise<GatewayError> =>
  call.then(
    () => Promise.reject(new Error('it was not refused')),
    (fault: unknown) => fault as GatewayError,
  )

test('a text is cut into the records that the gateway reads, however it comes', () => {
  const char = fc.constantFrom('"', ',', ';', '\r', '\n', 'a', ' ', '\t')
  fc.assert(
    fc.property(fc.array(char, { maxLength: 60 }), fc.array(fc.nat(7), { maxLength: 60 }), (chars, cuts) => {
      const text = `a,b\n${chars.join('')}`
      const whole = readCsv(text)
      if ('fault' in whole) return
      const splitter = openCsvSplitter()
      const records = []
      for (let at = 0, i = 0; at < text.length; i += 1) {
        const long = 1 + (cuts[i] ?? 0)
        records.push(...splitter.take(text.slice(at, at + long)))
        at += long
      }
      records.push(...splitter.end())
      const again = records.flatMap(({ text: record, line, holds }) => {
        const read = readCsv(`a,b\n${record}`)
        if ('fault' in read) throw new Error(read.fault)
        expect(read.length > 1).toBe(holds)
        return read.slice(1).map(({ cells }) => ({ line, cells }))
      })
      expect(again).toEqual(whole)
    }),
    { numRuns: 2000 },
  )
})

test('a file of any size goes up in parts, each row under its own line', { timeout: 60_000 }, async () => {
  const csv = `\uFEFF${[HEADER, ...Array.from({ length: 4500 }, (_, i) => `${lineOf(i)}\r\n;;;;;`)].join('\r\n')}`
  const seen: number[] = []
  const command = await gateway.commands.upload(
    { type: 'transfers.create', csv: chunksOf(csv), reference: 'friday' },
    { onProgress: ({ rows }) => seen.push(rows) },
  )
  expect(command).toMatchObject({ status: 'open', dry_run: false, reference: 'friday', progress: { total: 4500 } })
  expect([seen[0], seen.at(-1), seen.toSorted((a, b) => a - b)]).toEqual([0, 4500, seen])
  expect(seen.length).toBeGreaterThan(3)
  const last = await gateway.commands.rows(command, { after: 4498, limit: 1 }).page()
  // Each row takes two lines, and an empty one follows it.
  expect(last.items).toMatchObject([{ index: 4499, line: 2 + 3 * 4499, sent: { amount: 4599.5, currency: 'PHP' } }])
  await gateway.commands.cancel(command)
})

test('rows from a program are paid, and each tells what became of it', async () => {
  function* rows() {
    for (let i = 0; i < 20; i += 1) yield { ...READY, amount: `${200 + i}.25`, ...(i === 7 && { recipient: null }) }
  }
  const { id } = await gateway.commands.run({ type: 'transfers.payout', rows: rows() })
  const looks: string[] = []
  const { command, sums } = await gateway.commands.wait(id, { onProgress: ({ status }) => looks.push(status) })
  expect(command).toMatchObject({ status: 'completed', progress: { total: 20, done: 19, failed: 1 } })
  expect(looks.at(-1)).toBe('completed')
  expect(sums).toContainEqual(expect.objectContaining({ currency: 'PHP', status: 'done', rows: 19 }))
  const failed = await gateway.commands.rows(id, { status: 'failed' }).all()
  expect(failed).toMatchObject([{ index: 7, error: { code: 'requirements_not_met' } }])
})

test('a dry run is one, from a file of a page', async () => {
  const file = new Blob([`${HEADER}\n`, `${lineOf(1)}\n`], { type: 'text/csv' })
  const { id } = await gateway.commands.run({ type: 'transfers.payout', csv: file }, { dryRun: true })
  const { command } = await gateway.commands.wait(id)
  expect(command).toMatchObject({ dry_run: true, progress: { total: 1, done: 1 } })
})

test('an upload that broke off goes on, and holds each row once', { timeout: 60_000 }, async () => {
  const csv = [HEADER, ...Array.from({ length: 4500 }, (_, i) => lineOf(i))].join('\n')
  const stop = new AbortController()
  let id = ''
  const broken = gateway.commands.upload(
    { type: 'transfers.create', csv },
    {
      signal: stop.signal,
      onProgress: ({ command, rows }) => {
        id = command.id
        if (rows > 0) stop.abort(new Error('the line is dead'))
      },
    },
  )
  await expect(broken).rejects.toThrow('the line is dead')
  expect((await gateway.commands.get(id)).command).toMatchObject({ status: 'open', progress: { total: 2000 } })
  const others = await refusalOf(
    gateway.commands.upload({ type: 'transfers.create', csv: csv.replace('100.5;', '999;'), command: id }),
  )
  expect(others.code).toBe('command_row_differs')
  const command = await gateway.commands.upload({ type: 'transfers.create', csv, command: id })
  expect(command).toMatchObject({ id, status: 'open', progress: { total: 4500 } })
  await gateway.commands.cancel(id)
})

test('the same call again, under its key, is the same command, and cancels nothing that was started', async () => {
  const call = (rows: Record<string, unknown>[]) =>
    gateway.commands.run({ type: 'transfers.create', rows }, { idempotencyKey: 'drafts-2026-11' })
  // So many that they are not over before the others come.
  const rows = Array.from({ length: 1000 }, (_, i) => ({ ...READY, amount: 100 + i }))
  const { id } = await call(rows)
  await gateway.commands.pause(id)
  const [other, longer] = [await refusalOf(call([{ ...READY, amount: 9 }])), await refusalOf(call([...rows, READY]))]
  expect([other.code, longer.code]).toEqual(['command_row_differs', 'command_not_movable'])
  expect(await gateway.commands.cancelIfOpen(id)).toMatchObject({ id, status: 'paused', cancelling: false })
  await gateway.commands.resume(id)
  const { command } = await gateway.commands.wait(id)
  expect(command).toMatchObject({ status: 'completed', progress: { total: 1000, done: 1000 } })
  // The program died after that, and simply runs again.
  expect(await call(rows)).toEqual(command)
  expect((await refusalOf(call([...rows, READY]))).code).toBe('command_not_movable')
  const open = await gateway.commands.create({ type: 'transfers.create' })
  expect(await gateway.commands.cancelIfOpen(open)).toMatchObject({ status: 'cancelled' })
})

test('what is wrong with a file is said with its line, and nothing is left open', { timeout: 60_000 }, async () => {
  const send = (csv: string | AsyncIterable<Uint8Array>) =>
    refusalOf(gateway.commands.upload({ type: 'transfers.create', csv }))
  expect((await send('amuont,currency\n5,PHP\n')).message).toContain('line 1, column 1: amuont')
  const lines = Array.from({ length: 3000 }, (_, i) => lineOf(i, 'x'))
  const late = await send([HEADER, ...lines, 'much;PHP;;;;'].join('\n'))
  expect(late.message).toContain('line 3002, column amount')
  const foreign = await send(chunksOf([HEADER, ...lines, 'a;"b"c'].join('\n')))
  expect(foreign.message).toContain('line 3002: text follows a closing quote')
  expect(await send(`${HEADER}\n`)).toMatchObject({ code: 'invalid_csv', status: 0 })
  expect((await send(`a,b\n"${'x'.repeat(600_000)}`)).message).toContain('line 2')
  const latin = (async function* () {
    yield* chunksOf([HEADER, ...lines].join('\n'))
    yield new Uint8Array([0xd1, 0x0a])
  })()
  expect((await send(latin)).message).toContain('UTF-8')
  const open = await gateway.commands.list({ status: 'open' }).all()
  expect(open.filter(({ cancelling }) => !cancelling)).toEqual([])
})
