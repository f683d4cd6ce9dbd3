// How callers' names are looked up: by a name server of the test's own, which answers, denies or keeps silent.
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openNameLookup } from '../../src/platform/addresses.ts'

const TYPE_A = 1
const NO_SUCH_NAME = 3
const ADDRESS = [192, 0, 2, 7]
const LATER = expect.objectContaining({ code: 'EAI_AGAIN' })

let server: Socket
let asked: string[] = []

beforeAll(async () => {
  server = createSocket('udp4').on('message', (query, from) => answer(query, from))
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.close())

/** Of a name that begins with `silent` nothing, of `half` the IPv4 address alone, of `known` that and no IPv6 one; no other is known. */
function answer(query: Buffer, from: RemoteInfo): void {
  const { name, type, question } = questionOf(query)
  asked.push(name)
  const isOurs = name.startsWith('half') || name.startsWith('known')
  if (name.startsWith('silent') || (name.startsWith('half') && type !== TYPE_A)) return
  const answers = isOurs && type === TYPE_A ? 1 : 0
  const header = Buffer.alloc(12)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8180 | (isOurs ? 0 : NO_SUCH_NAME), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(answers, 6)
  const record = Buffer.from([0xc0, 12, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4, ...ADDRESS])
  const reply = Buffer.concat([header, question, ...(answers > 0 ? [record] : [])])
  server.send(reply, from.port, from.address)
}

function questionOf(query: Buffer): { readonly name: string; readonly type: number; readonly question: Buffer } {
  const labels: string[] = []
  let at = 12
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return {
    name: labels.join('.').toLowerCase(),
    type: query.readUInt16BE(at + 1),
    question: query.subarray(12, at + 5),
  }
}

const opened = () => {
  asked = []
  return openNameLookup([`127.0.0.1:${server.address().port}`])
}

test('names whose servers keep silent hold up nobody: this machine answers meanwhile', async () => {
  const look = opened()
  const ended: string[] = []
  const names = Array.from({ length: 16 }, (_, place) => `silent-${place}.example`)
  const looked = names.map((name) => look(name).finally(() => ended.push(name)))
  const settled = Promise.allSettled(looked)
  expect(await lookup('127.1')).toMatchObject({ address: '127.0.0.1' })
  expect(ended).toEqual([])
  expect(await settled).toEqual(names.map(() => ({ status: 'rejected', reason: LATER })))
  expect(new Set(asked)).toEqual(new Set(names))
})

test('what the name servers know is the answer, also where one of two questions stays open', async () => {
  const look = opened()
  expect(await look('known.example')).toEqual([ADDRESS.join('.')])
  expect(await look('half.example')).toEqual([ADDRESS.join('.')])
})

test('a name that is denied is looked for on this machine, and one that only it can have at once', async () => {
  const look = opened()
  // A spelling of an address that only the machine reads.
  expect(await look('127.1')).toEqual(['127.0.0.1'])
  expect(asked).toContain('127.1')
  expect(await look('2130706433')).toEqual(['127.0.0.1'])
  expect(asked).not.toContain('2130706433')
})

test('the machine is asked for so many names at once, and for none of them twice', async () => {
  const look = opened()
  const names = Array.from({ length: 64 }, (_, place) => `${2130706433 + place}`)
  const looked = [...names, names[0] ?? ''].map(look)
  await expect(look('2130709999')).rejects.toEqual(LATER)
  expect((await Promise.all(looked)).flat()).toEqual([...names.map((_, place) => `127.0.0.${place + 1}`), '127.0.0.1'])
  expect(await look('2130709999')).toEqual(['127.0.13.239'])
})
