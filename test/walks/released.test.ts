// Databases as releases left them (test/released/), brought to today: what callers read is what they read then, the books hold, all
// that was on its way comes to its end, webhooks and feeds go on, and what the release sends is still understood.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { verifyServiceSignature } from '../../sdk/src/signature.ts'
import { type Receipt, verifyReceipt } from '../../sdk/src/index.ts'
import { verifyBooks } from '../../src/app/operator/verify.ts'
import { openAuditSession, ownedDatabase } from '../../src/main/database/database.ts'
import { APP_ROLE } from '../../src/main/database/logins.ts'
import { readSealingKeys, sealSigner } from '../../src/main/database/sealing-keys.ts'
import { migrate } from '../../src/platform/migrate.ts'
import { seen } from '../rig/examples/stage.ts'
import { type Receiver, startReceiver } from '../rig/receiver/receiver.ts'
import { loadDump } from '../rig/released/dump.ts'
import { asThen } from '../rig/released/as-then.ts'
import { type Kept, type KeptCaller, NAMES } from '../rig/released/kept.ts'
import { faultsOf, type SentStatement } from '../rig/released/statements.ts'
import { advance } from '../sandbox/rails.ts'
import { type ContractBody, openWorld, type World } from '../world.ts'

const FOLDER = 'test/released'
const TWO_DAYS = 172_800
const ENDS = ['completed', 'cancelled', 'expired', 'returned']

let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
  await receiver.keepEverything()
})
afterAll(() => receiver.stop())

describe.each(readdirSync(FOLDER))('what %s left', (release) => {
  const at = (name: string) => join(FOLDER, release, name)
  const kept = JSON.parse(readFileSync(at(NAMES.replies), 'utf8')) as Kept
  let world: World
  let connection: pg.ClientConfig
  beforeAll(async () => {
    const server = (await (await fetch(inject('databaseDesk'))).json()) as pg.ClientConfig
    const name = `released_${release.replaceAll(/\W/g, '_')}`
    connection = await loadDump(server, name, readFileSync(at(NAMES.data), 'utf8'))
    await migrate({ connection, directory: 'db/migrations', mode: 'apply', log: () => undefined })
    const found = { database: connection, providerBooks: at(NAMES.provider) }
    world = await openWorld({ workers: 'resting', found, config: { sealingKeys: kept.sealing_key } })
  })
  afterAll(() => world?.stop())

  const asking = ({ api_key: key }: KeptCaller, method: 'GET' | 'PUT' | 'DELETE', path: string, body?: object) =>
    world.ask(method, path, { headers: { 'x-api-key': key }, ...(body && { body }) })
  const verified = async () => {
    const database = ownedDatabase(connection)
    const auditor = openAuditSession({ ...database, login: database.operator })
    const verdict = verifyBooks(auditor, () => undefined, sealSigner(readSealingKeys(kept.sealing_key, '')))
    await Promise.allSettled([verdict]).then(() => auditor.close())
    return verdict
  }

  test('the statements that it sends are carried out, each by its login', async () => {
    const statements = JSON.parse(readFileSync(at(NAMES.statements), 'utf8')) as SentStatement[]
    const { login, operator } = ownedDatabase(connection)
    const isOfGateway = ({ role }: SentStatement) => role === APP_ROLE
    expect(await faultsOf(statements.filter(isOfGateway), login)).toEqual([])
    // It would be told.
    const gone = { role: APP_ROLE, text: 'select gone from contracts' }
    expect(await faultsOf([gone], login)).toEqual([expect.stringContaining('"gone" does not exist')])
    expect(
      await faultsOf(
        statements.filter((each) => !isOfGateway(each)),
        operator,
      ),
    ).toEqual([])
  })

  test('callers read what they read then, and the books hold', async () => {
    for (const caller of kept.callers)
      for (const [path, data] of Object.entries(caller.reads))
        expect({ path, ...(await asking(caller, 'GET', path)).data }).toMatchObject({
          path,
          ...(asThen(data) as object),
        })
    expect(await verified()).toMatchObject({ findings: [] })
  })

  test('its receipts are believed', async () => {
    const receipts = kept.callers.flatMap(({ reads }) =>
      Object.values(reads).flatMap((data) => (data as { readonly receipt?: Receipt }).receipt ?? []),
    )
    for (const receipt of receipts)
      expect(await verifyReceipt(receipt, kept.seal_key)).toMatchObject({ isGenuine: true })
  })

  test('what was on its way comes to its end, and is told', async () => {
    const path = `/released-${release}`
    // By its owner's word it would get new secrets at another address.
    await world.sql('update webhook_endpoints set url = $1 where id = $2', [receiver.url + path, kept.endpoint.id])
    // All waits are over, here and at the rail.
    await world.sql(`update jobs set due_at = now() where due_at > now()`)
    await advance(world.sandboxUrl, TWO_DAYS)
    world.gateway.startWorkers()
    for (const each of kept.callers)
      for (const kind of ['transfer', 'payment'] as const)
        for (const id of idsOf(each, kind)) await ended(each, kind, id)
    await expect.poll(() => receiver.count(path)).toBeGreaterThan(0)
    for (const { headers, body } of await receiver.arrivals(path)) {
      const header = String(headers?.['service-signature'])
      const nowSeconds = Math.floor(Date.now() / 1000)
      expect(
        verifyServiceSignature(Buffer.from(body ?? ''), header, [kept.endpoint.secret], { nowSeconds }),
      ).toMatchObject({
        ok: true,
      })
    }
    expect(await verified()).toMatchObject({ findings: [] })
    await world.ledgerHolds()
  })

  test('the feed goes on from where it was', async () => {
    for (const caller of kept.callers) {
      const told: string[] = []
      for (let after = ''; ; ) {
        // Judged by the shapes of today: what was added to an object since must be one that may be absent.
        const { data } = await asking(caller, 'GET', `/events?limit=100${after}`)
        told.push(...(data['events'] as readonly { readonly id: string }[]).map(({ id }) => id))
        if (data['next'] === null) break
        after = `&after=${data['next'] as string}`
      }
      expect(told.slice(0, caller.events.length)).toEqual(caller.events)
      expect(told.length).toBeGreaterThan(caller.events.length)
      expect(new Set(told).size).toBe(told.length)
    }
  })

  /** By whatever its owner may do: what waits is sent, what was failed is given back, and what cannot be paid is cancelled. */
  async function ended(caller: KeptCaller, kind: 'transfer' | 'payment', id: string): Promise<void> {
    const path = `/contracts/${kind}/${id}`
    const now = async () => (await asking(caller, 'GET', path)).data['contract'] as ContractBody
    if ((await now()).status === 'draft') await asking(caller, 'PUT', `${path}/issue`)
    const isPaid = kind === 'transfer' && (await asking(caller, 'PUT', `${path}/pay`)).status === 200
    if (!isPaid) await asking(caller, 'DELETE', path, {})
    const last = await seen(`the end of ${kind} ${id} of ${release}`, async () => {
      const contract = await now()
      const isFailed = kind === 'transfer' && contract.transfer.status === 'failed' && contract.status === 'paid'
      if (isFailed) await asking(caller, 'DELETE', path, {})
      const isOver =
        ENDS.includes(contract.status) ||
        (kind === 'payment' ? contract.status === 'paid' : await isForPeople(contract))
      return isOver ? contract : null
    })
    expect(last.id).toBe(id)
  }

  /** A callback said that the rail has it, and the rail does not know it: nothing but an operator ends that. */
  async function isForPeople({ transfer }: ContractBody): Promise<boolean> {
    if (transfer.status !== 'accepted') return false
    return (await fetch(`${world.sandboxUrl}/transfers/${transfer.reference}`)).status === 404
  }
})

const idsOf = ({ reads }: KeptCaller, kind: 'transfer' | 'payment') =>
  Object.keys(reads).flatMap((path) => new RegExp(`^/contracts/${kind}/([0-9a-f-]+)$`).exec(path)?.[1] ?? [])
