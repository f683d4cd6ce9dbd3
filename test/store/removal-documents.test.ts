// Documents of superseded versions leave after their time: whatever happened before, wherever the removal is cut off, nothing else
// changes, the books and their seals hold, and every reader answers as before or says what has left.
import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { verifyBooks } from '../../src/app/operator/verify.ts'
import { removeDocuments } from '../../src/app/resources/removing-documents.ts'
import { ALL_LANES } from '../../src/domain/contract/ids.ts'
import { removedFrom } from '../../src/domain/seal/removed.ts'
import { Misconfigured, readConfig } from '../../src/main/config/config.ts'
import { openAuditSession, openPlannedSession, openPruneSession } from '../../src/main/database/database.ts'
import { openRemoval } from '../../src/workers/sweeps/remove.ts'
import { openPayment } from '../http/payments/receiver-world.ts'
import { aged, archived, signerOf } from './aged.ts'
import { sealed } from '../rig/sealed.ts'
import { type Caller, openWorld } from '../world.ts'

const DAYS = 90
const world = await openWorld({ workers: 'resting' })
const session = openPruneSession(world.database)
const operators = openPlannedSession(world.operators)
const auditor = openAuditSession(world.operators)
afterAll(async () => {
  await world.ledgerHolds()
  await Promise.all([session.close(), operators.close(), auditor.close()])
  await world.stop()
})

type Version = {
  readonly contract_id: string
  readonly version: number
  readonly position: string
  readonly document: string
}

const versionsOf = ({ account: { accountId } }: Caller) =>
  world.sql<Version>(
    `select contract_id, version, position, document::text from contract_versions where account_id = $1 order by position`,
    [accountId],
  )

const findings = async () => (await verifyBooks(auditor, () => undefined, signerOf(world))).findings

const story = fc.array(
  fc.record({
    end: fc.constantFrom(
      'draft',
      'issued',
      'paid',
      'cancelled',
      'paid and cancelled',
      'changed and cancelled',
      'payment',
    ),
    removal: fc.constantFrom('none', 'a page', 'killed'),
  }),
  { minLength: 2, maxLength: 8 },
)

/** Whether the contract has ended. */
async function happened(who: Caller, end: string): Promise<{ readonly path: string; readonly hasEnded: boolean }> {
  if (end === 'payment') {
    const { id } = await openPayment(who)
    await who.ask('DELETE', `/contracts/payment/${id}`, { body: { reason: 'no longer wanted' } })
    return { path: `/contracts/payment/${id}`, hasEnded: true }
  }
  const begin = end.startsWith('paid') ? who.paid : end === 'issued' ? who.issued : who.draft
  const { id } = await begin()
  if (end.startsWith('changed')) await who.update(id, { amount: 7, description: 'Another "purpose" — ünïcode\u2028\t' })
  if (end.endsWith('cancelled')) await who.cancel(id)
  return { path: `/contracts/transfer/${id}`, hasEnded: end.endsWith('cancelled') }
}

/** Killed: the database undoes the page, as it does where the process or its connection ends within it. */
async function removed(who: Caller, how: string): Promise<void> {
  if (how === 'a page') await removeDocuments(session, who.account, DAYS)
  if (how !== 'killed') return
  const before = await versionsOf(who)
  await world.sql('alter table document_removals add constraint killed check (removed_to < 0) not valid')
  const due = removeDocuments(session, who.account, DAYS)
  // Where nothing is due nothing is written.
  expect(await due.then(String, (fault: Error) => fault.message)).toMatch(/killed|^0$/)
  await world.sql('alter table document_removals drop constraint killed')
  expect(await versionsOf(who)).toEqual(before)
}

const isoIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const [FROM, TO] = [isoIn(-200), isoIn(0)]

/** What readers answer that name no event: the same before and after. */
async function answers(who: Caller, paths: readonly string[]): Promise<unknown[]> {
  const wallet = await who.wallet('PHP')
  const reads = [
    ...paths.flatMap((path) => [path, `${path}/activities`, `${path}/attempts`, `${path}/receipt`, `${path}/entries`]),
    `/wallets/${wallet.id}`,
    `/wallets/${wallet.id}/entries`,
    `/wallets/${wallet.id}/statement?from=${FROM}&to=${TO}`,
    ...paths.map((path) => `${path}/explain`),
    '/contracts/transfer?limit=100',
  ]
  return Promise.all(
    reads.map(async (path) => {
      const { status, data } = await who.ask('GET', path)
      expect({ path, status }).toEqual({ path, status: 200 })
      return { path, status, data }
    }),
  )
}

test('what is superseded, ended, sealed and archived leaves, and nothing else; every reader answers', async () => {
  await fc.assert(
    fc.asyncProperty(story, story, async (old, young) => {
      const who = await world.newCaller()
      const ended: string[] = []
      const paths: string[] = []
      const all = async (steps: typeof old) => {
        for (const { end } of steps) {
          const { path, hasEnded } = await happened(who, end)
          paths.push(path)
          if (hasEnded) ended.push(path.slice(path.lastIndexOf('/') + 1))
        }
      }
      await all(old)
      await aged(world, who, DAYS + 1)
      const endedLongAgo = [...ended]
      // In no archive yet: nothing leaves.
      await sealed(world, who)
      expect(await removeDocuments(session, who.account, DAYS)).toBe(0)
      await archived(world, operators, who)
      await all(young)
      await sealed(world, who)

      const before = await versionsOf(who)
      const told = await answers(who, paths)
      for (const { removal } of [...old, ...young]) await removed(who, removal)
      while ((await removeDocuments(session, who.account, DAYS)) > 0);

      const newest = new Map(before.map(({ contract_id: id, position }) => [id, position]))
      const after = await versionsOf(who)
      for (const [i, { document, ...row }] of after.entries()) {
        const was = before[i]
        const leaves = endedLongAgo.includes(row.contract_id) && newest.get(row.contract_id) !== row.position
        expect({ ...row, hasLeft: removedFrom(document) !== null }).toEqual({
          contract_id: was?.contract_id,
          version: was?.version,
          position: was?.position,
          hasLeft: leaves,
        })
        const { status } = JSON.parse(was?.document ?? '{}') as { readonly status?: string }
        expect(leaves ? removedFrom(document)?.status : document).toBe(leaves ? status : was?.document)
      }
      expect(await answers(who, paths)).toEqual(told)
      expect(await findings()).toEqual([])
      await everyEventAnswers(who, after)
    }),
    { numRuns: 3 },
  )
})

const REMOVED = { code: 'events_removed', param: 'after', resume_after: 'evt_' }

/** Each event is told as it was, or it is said that it has left; the feed comes past them by what it says. */
async function everyEventAnswers(who: Caller, versions: readonly Version[]): Promise<void> {
  const rows = await world.sql<{ id: string; position: string }>(
    `select 'evt_' || replace(contract_id::text, '-', '') || lpad(sequence::text, 4, '0') as id, position
       from contract_versions where account_id = $1 and event is not null order by position`,
    [who.account.accountId],
  )
  const left = new Set(versions.filter(({ document }) => removedFrom(document)).map(({ position }) => position))
  for (const { id, position } of rows) {
    const one = await who.ask('GET', `/events/${id}`)
    expect([one.status, one.status === 200 ? undefined : one.error.code]).toEqual(
      left.has(position) ? [410, 'events_removed'] : [200, undefined],
    )
    expect((await who.ask('GET', `/resources/${id}`)).status).toBe(200)
    const next = await who.ask('GET', `/events?after=${id}&limit=100`)
    expect(next.status === 410 ? next.error : REMOVED).toMatchObject({
      ...REMOVED,
      resume_after: expect.stringMatching(/^evt_/),
    })
    expect([200, 410]).toContain(next.status)
  }
  const seen: string[] = []
  for (let after: string | null = null; ; ) {
    const page = await who.ask('GET', `/events?limit=3${after ? `&after=${after}` : ''}`)
    if (page.status === 410) {
      const { resume_after: resume } = page.error as unknown as { readonly resume_after: string }
      if (resume === after) throw new Error('the feed says to go on where it was')
      after = resume
      continue
    }
    const { events, next } = page.data as {
      readonly events: readonly { readonly id: string }[]
      readonly next: string | null
    }
    seen.push(...events.map(({ id }) => id))
    if (next === null) break
    after = next
  }
  // After the place where it goes on nothing is lost.
  const lastLeft = rows.findLastIndex(({ position }) => left.has(position))
  const tail = rows.slice(lastLeft + 1).map(({ id }) => id)
  expect(tail.length === 0 || seen.some((id) => tail.includes(id))).toBe(true)
  expect((await who.ask('GET', '/events?order=newest&limit=100')).status).toBe(
    tail.length > 0 || left.size === 0 ? 200 : 410,
  )
}

test('a round takes what is archived, and says for how long what is not has waited', async () => {
  const removal = openRemoval({
    session,
    ownLanes: () => ALL_LANES,
    lives: { wordsDays: null, documentsDays: DAYS, bodiesDays: null },
    nowMs: Date.now,
  })
  while ((await removal.round()) > 0);
  const [waits, goes] = [await world.newCaller(), await world.newCaller()]
  for (const who of [waits, goes]) {
    await happened(who, 'cancelled')
    await aged(world, who, DAYS + 3)
    await sealed(world, who)
  }
  await archived(world, operators, goes)
  await removal.round()
  expect(removal.overdueSeconds()).toBeGreaterThan(2 * 86_400)
  expect(removal.unarchivedSeconds()).toBeGreaterThan(2 * 86_400)
  while ((await removal.round()) > 0);
  expect(removal.overdueSeconds()).toBe(0)
  const hasLeft = async (who: Caller) => (await versionsOf(who)).some(({ document }) => removedFrom(document))
  expect([await hasLeft(waits), await hasLeft(goes)]).toEqual([false, true])
  await archived(world, operators, waits)
  while ((await removal.round()) > 0);
  expect(removal.unarchivedSeconds()).toBe(0)
})

test('less than a month is refused', () => {
  expect(() => readConfig({ GATEWAY_EVENT_DAYS: '29' })).toThrow(Misconfigured)
  expect(readConfig({}).removal.documentsDays).toBeNull()
})
