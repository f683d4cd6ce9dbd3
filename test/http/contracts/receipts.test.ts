// Receipts: of a contract whose steps are sealed, believed by the SDK and by a verifier of its own that knows nothing but
// docs/receipts.md; by neither once a byte was changed; and of nobody else's contract.
import { createHash, createPublicKey, verify } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Receipt, verifyReceipt } from '../../../sdk/src/index.ts'
import { readSealingKeys, sealSigner } from '../../../src/main/database/sealing-keys.ts'
import { sealed } from '../../rig/sealed.ts'
import { openWorld, type Reply, type World } from '../../world.ts'

let world: World
let receipt: Receipt
let id: string
let key: string
/** Of a time when the newest step was not sealed. */
let early: Reply
beforeAll(async () => {
  world = await openWorld({ workers: 'resting' })
  await sealed(world, world.caller)
  const { id: made } = await world.caller.draft({ metadata: { secret: 'a note' } })
  id = made
  await sealed(world, world.caller)
  for (let i = 0; i < 3; i++) await world.caller.issued()
  await world.caller.issue(id)
  await world.caller.pay(id)
  await world.caller.draft()
  early = await world.caller.ask('GET', path())
  await sealed(world, world.caller)
  receipt = (await world.caller.ask('GET', path())).data['receipt'] as Receipt
  key = sealSigner(readSealingKeys(world.config.sealingKeys, world.config.dataDir)).publicKey.toString('base64')
})
afterAll(() => world.stop())

const path = (of = id) => `/contracts/transfer/${of}/receipt`
const sha = (data: string | Buffer) => createHash('sha256').update(data).digest()

/** A verifier that was written from the page alone. Throws, or says which members it has seen. */
function independent({ versions, members, seals }: Receipt): string[] {
  const roots = new Map<number, { history: string; from: number; to: number }>()
  for (const { number, text, signature, public_key: raw } of seals) {
    const x = Buffer.from(raw, 'base64').toString('base64url')
    const own = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    if (raw !== key || !verify(null, Buffer.from(text), own, Buffer.from(signature, 'base64')))
      throw new Error('signature')
    roots.set(number, JSON.parse(text))
  }
  for (const { text, seal, path: beside } of versions) {
    const { history, from, to } = roots.get(seal) ?? { history: '', from: 0, to: 0 }
    const root = climb(sha(`\0${text}`), JSON.parse(text).position - from, to - from + 1, [...beside])
    if (root.toString('hex') !== history) throw new Error('path')
  }
  const all = sha(Buffer.concat(members.map(({ hash }) => Buffer.from(hash, 'hex'))))
  if (all.toString('hex') !== JSON.parse(versions.at(-1)?.text ?? '{}').members) throw new Error('members')
  return members.flatMap(({ hash, text }) => {
    if (text !== null && sha(text).toString('hex') !== hash) throw new Error('member')
    return text === null ? [] : [(JSON.parse(text) as string[])[1] ?? '']
  })
}

/** The root of a tree of so many leaves, from one of them: by halves, as RFC 6962 defines it. */
function climb(leaf: Buffer, place: number, size: number, beside: string[]): Buffer {
  if (size === 1) return leaf
  let half = 1
  while (half * 2 < size) half *= 2
  const other = Buffer.from(beside.pop() ?? '', 'hex')
  const [left, right] =
    place < half ? [climb(leaf, place, half, beside), other] : [other, climb(leaf, place - half, size - half, beside)]
  return sha(Buffer.concat([Buffer.from([1]), left, right]))
}

test('there is none before the newest step is sealed', () => {
  expect([early.status, early.error.code, early.headers['retry-after']]).toEqual([409, 'not_sealed_yet', '3'])
})

test('a receipt proves what the contract is and how it came there, and hides the rest', async () => {
  const checked = await verifyReceipt(receipt, key)
  expect(checked).toMatchObject({
    isGenuine: true,
    contractId: id,
    contract: { status: 'paid', amount_minor: '10000', currency: 'PHP', recipient: { name: 'Ana Reyes' } },
    versions: [{ version: 1 }, { version: 2, event: 'contract.issued' }, { version: 3, event: 'contract.paid' }],
    account: world.caller.account.accountId,
  })
  expect(receipt.seals).toHaveLength(2)
  expect(independent(receipt)).toContain('status')
  const said = JSON.stringify(receipt)
  for (const hidden of ['a note', 'wallet_id', 'debit_minor', 'activities', world.caller.keyId])
    expect(said).not.toContain(hidden)
})

test('a receipt of which any byte was changed is not believed', async () => {
  const text = JSON.stringify(receipt)
  const step = Math.max(1, Math.floor(text.length / 700))
  for (let place = 0; place < text.length; place += step) {
    const changed = text.slice(0, place) + String.fromCharCode(text.charCodeAt(place) ^ 1) + text.slice(place + 1)
    const read = parsed(changed)
    if (read === null) continue
    expect(await verifyReceipt(read, key), changed.slice(Math.max(0, place - 30), place + 30)).toMatchObject({
      isGenuine: false,
    })
  }
})

function parsed(text: string): Receipt | null {
  try {
    return JSON.parse(text) as Receipt
  } catch {
    return null
  }
}

test.each([
  ['a version is left out', (r: Receipt) => ({ ...r, versions: r.versions.slice(1) })],
  ['the order of versions', (r: Receipt) => ({ ...r, versions: r.versions.toReversed() })],
  ['a seal is left out', (r: Receipt) => ({ ...r, seals: r.seals.slice(1) })],
  ['a member is left out', (r: Receipt) => ({ ...r, members: r.members.slice(1) })],
  ['no seals', (r: Receipt) => ({ ...r, seals: [], versions: [] })],
  ['another contract', (r: Receipt) => ({ ...r, contract_id: `${r.contract_id}0` })],
  ['nothing', () => null as unknown as Receipt],
])('nor where %s', async (_, change) => {
  expect(await verifyReceipt(change(receipt), key)).toMatchObject({ isGenuine: false })
})

test('nor without a key that is trusted: whoever signs with their own would be believed', async () => {
  for (const none of [undefined as unknown as string, '', []])
    expect(await verifyReceipt(receipt, none)).toMatchObject({
      isGenuine: false,
      reason: expect.stringContaining('trust'),
    })
})

test('nor by whoever trusts another key', async () => {
  const other = Buffer.alloc(32, 7).toString('base64')
  expect(await verifyReceipt(receipt, other)).toMatchObject({
    isGenuine: false,
    reason: expect.stringContaining('trust'),
  })
  expect(await verifyReceipt(receipt, [other, key])).toMatchObject({ isGenuine: true })
})

test('another account gets no receipt, and a contract that was rewritten has none', async () => {
  expect((await world.other.ask('GET', path())).error.code).toBe('contract_not_found')
  expect((await world.caller.ask('GET', `/contracts/payment/${id}/receipt`)).error.code).toBe('contract_not_found')
  const rewritten = `update contract_versions set document = jsonb_set(document::jsonb, '{recipient,wallet}', $2)::json
    where contract_id = $1 and version = 1`
  await world.sql(rewritten, [id, '"999"'])
  expect((await world.caller.ask('GET', path())).error.code).toBe('history_not_as_sealed')
})
