// A document that has left is believed only where it may have left, and with the hashes that were sealed; and the database empties none
// that may not, whoever asks. Damage is done by the owner in a transaction that is rolled back, and the proof looks from inside.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { membersHash, membersIn } from '../../src/app/seals/leaves.ts'
import { verifySeals } from '../../src/app/seals/verify-seals.ts'
import { removeDocuments } from '../../src/app/resources/removing-documents.ts'
import { openPlannedSession, openPruneSession } from '../../src/main/database/database.ts'
import { PAYMENT_MOVES } from '../../src/domain/payment/move-table.ts'
import { TRANSFER_MOVES } from '../../src/domain/transfer/move-table.ts'
import { ownProofsOf } from '../../src/ledger/verify.ts'
import type { Session } from '../../src/platform/db.ts'
import { aged, archived, signerOf } from '../store/aged.ts'
import { insideOf, sealed } from '../rig/sealed.ts'
import { openWorld, type World } from '../world.ts'

let world: World
let session: Session
let operators: Session
const ids: Record<string, string> = {}

beforeAll(async () => {
  world = await openWorld({ workers: 'resting' })
  session = openPruneSession(world.database)
  operators = openPlannedSession(world.operators)
  const { caller } = world
  const ended = await caller.paid()
  await caller.cancel(ended.id)
  const open = await caller.paid()
  await aged(world, caller, 40)
  await archived(world, operators, caller)
  const young = await caller.paid()
  await caller.cancel(young.id)
  await sealed(world, caller)
  if ((await removeDocuments(session, caller.account, 30)) === 0) throw new Error('no document has left')
  const [second] = await world.sql<{ hashes: string }>(
    `select document ->> 'removed' as hashes from contract_versions where contract_id = $1 and version = 2`,
    [ended.id],
  )
  if (!second?.hashes) throw new Error('the second document has not left')
  ids['hashes'] = second.hashes
  Object.assign(ids, { account: caller.account.accountId, ended: ended.id, open: open.id, young: young.id })
})
afterAll(async () => {
  await Promise.all([session.close(), operators.close()])
  await world.stop()
})

const withIds = (text: string) => text.replace(/\{(\w+)\}/g, (whole, name: string) => ids[name] ?? whole)

async function findingsInside(): Promise<string[]> {
  const { lane } = world.caller.account
  const inside = insideOf(world)
  const proved = await inside.send(ownProofsOf(lane))
  const { findings } = await verifySeals(inside, lane, signerOf(world))
  return [
    ...proved.flatMap(({ rows }) => rows.map((row) => String(row['proof']))),
    ...findings.map(({ proof }) => proof),
  ]
}

test('what has left holds', async () => {
  expect(await findingsInside()).toEqual([])
})

const of = (contract: string, version: number) => `where contract_id = '{${contract}}' and version = ${version}`
const document = (contract: string, version: number, text: string) =>
  `update contract_versions set document = (${text})::json ${of(contract, version)}`
const replaced = (from: string, to: string) => document('ended', 2, `replace(document::text, '${from}', '${to}')`)
/** The hashes that are right for the version, as whoever owns the database can make them from what another one has. */
const HASHES = `'{hashes}'`
const stub = (status: string) => `'{"removed":"' || ${HASHES} || '","status":"${status}","activity":"created"}'`

test.each([
  ['a hash that was rewritten', replaced('"removed":"', '"removed":"A'), 'history = seal'],
  [
    'a hash of another document',
    document('ended', 1, `replace(document::text, document ->> 'removed', ${HASHES})`),
    'history = seal',
  ],
  ['a status that was rewritten', replaced('"status":"issued"', '"status":"paid"'), 'history.move on the table'],
  [
    'an activity that was rewritten',
    replaced('"activity":"issued"', '"activity":"returned"'),
    'removed.activity = newest',
  ],
  ['words that were added', replaced('"}', '","note":"x"}'), 'history = seal'],
  ['a document of an open contract', document('open', 1, stub('draft')), 'removed.contract ended'],
  ['a document of a contract that ended lately', document('young', 1, stub('draft')), 'removed.contract ended'],
  ['the newest document', document('ended', 4, stub('cancelled')), 'removed.contract ended'],
  ['documents whose archive is not noted', 'delete from archive_notes', 'removed.document archived'],
  [
    'a note of an archive of other books',
    `update archive_notes set head = repeat('0', 64)`,
    'removed.document archived',
  ],
  ['a moment that was moved', `update contract_versions set at = now() ${of('ended', 2)}`, 'history = seal'],
  [
    'an event that was rewritten',
    `update contract_versions set event = 'contract.paid' ${of('ended', 2)}`,
    'history = seal',
  ],
  ['a version that is gone', `delete from contract_versions ${of('ended', 2)}`, 'history = seal'],
])('%s is found', async (_, sql, proof) => {
  await world.sql('begin')
  try {
    await world.sql(withIds(sql))
    expect(await findingsInside()).toContain(proof)
  } finally {
    await world.sql('rollback')
  }
})

/** Asks for documents as the removal does, with right hashes. */
async function asked(contract: string, days = 30, mend = (members: string) => members): Promise<number> {
  const { lane, accountId } = world.caller.account
  const rows = await world.sql<{ position: string; document: string; salt: Buffer }>(
    `select v.position, v.document::text, s.salt from contract_versions v
       join seals s on s.lane = $2 and s.account_id = v.account_id and v.position between s.from_position and s.to_position
      where v.lane = $2 and v.contract_id = $1 order by v.position`,
    [ids[contract], lane],
  )
  const members = rows.map(({ position, document: text, salt }) =>
    mend(membersHash(membersIn(salt, Number(position), text))),
  )
  const values = [lane, accountId, `{${rows.map(({ position }) => position).join()}}`, `{${members.join()}}`, days]
  const [result] = await session.send([
    {
      name: 'ask_for_documents',
      text: 'select empty_documents($1, $2, $3::bigint[], $4::text[], $5) as emptied',
      values,
    },
  ])
  return Number(result?.rows[0]?.['emptied'])
}

test('the database empties nothing that may not leave, whoever asks and for what', async () => {
  const { caller } = world
  // Emptied already; open; ended lately, for any number of days.
  expect([await asked('ended'), await asked('open'), await asked('young'), await asked('young', 0)]).toEqual([
    0, 0, 0, 0,
  ])
  const aside = await world.newCaller()
  const { id } = await aside.paid()
  await aside.cancel(id)
  await aged(world, aside, 40)
  ids['aside'] = id
  const askAside = (days?: number, mend?: (members: string) => string) => {
    const { account } = world.caller
    Object.assign(world.caller, { account: aside.account })
    return asked('aside', days, mend).finally(() => Object.assign(world.caller, { account }))
  }
  // Not sealed, then in no archive.
  expect(await askAside()).toBe(0)
  await sealed(world, aside)
  expect(await askAside()).toBe(0)
  await archived(world, operators, aside)
  expect(await askAside(41)).toBe(0)
  expect(await askAside(30, (members) => members.replace(/^./, (digit) => (digit === '0' ? '1' : '0')))).toBe(0)
  // A document that is not as it was sealed stays, as what shows it.
  const [was] = await world.sql<{ document: string }>(
    `select document::text from contract_versions where contract_id = $1 and version = 2`,
    [id],
  )
  await world.sql(
    `update contract_versions set document = replace(document::text, 'issued', 'issueD')::json where contract_id = $1 and version = 2`,
    [id],
  )
  expect(await askAside()).toBe(2)
  await world.sql(`update contract_versions set document = $2::json where contract_id = $1 and version = 2`, [
    id,
    was?.document,
  ])
  expect(await askAside()).toBe(1)
  // And the gateway's own login writes no document.
  const text = `update contract_versions set document = '{}' where lane = $1 and false`
  const write = session.send([{ name: 'write_document', text, values: [caller.account.lane] }])
  await expect(write).rejects.toThrow(/permission denied/)
  expect(caller.account.accountId).toBe(ids['account'])
})

test('an event says which status it led to, so that a status that is kept cannot be another', () => {
  for (const moves of [TRANSFER_MOVES, PAYMENT_MOVES]) {
    const led = new Map<string, string>()
    for (const { from, event, to } of moves) {
      const step = `${from} ${event}`
      expect(`${step} ${led.get(step) ?? to}`).toBe(`${step} ${to}`)
      led.set(step, to)
    }
  }
})
