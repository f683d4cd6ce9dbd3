// A database that is given to the bench: refused unless it is empty and named for it, empty again afterwards; and what the
// bench writes into one, which the books must prove like anything else.
import pg from 'pg'
import { inject, expect, test } from 'vitest'
import { DatabaseRefused, givenDatabases } from '../../bench/stage/databases.ts'
import { fundWallets, seedAccounts, seedIssued } from '../../bench/stage/seed.ts'
import { openStage } from '../../bench/stage/stage.ts'
import { LANE_COUNT } from '../../src/domain/contract/ids.ts'
import { openWorld } from '../world.ts'

const quietly = () => undefined

/** A new database beside those of the worlds, and its owner's URL. */
async function newDatabase(name: string): Promise<{ readonly url: string; readonly client: pg.Client }> {
  const owner = (await (await fetch(inject('databaseDesk'))).json()) as pg.ClientConfig
  const maker = new pg.Client(owner)
  await maker.connect()
  await maker.query(`create database ${name}`)
  await maker.end()
  const client = new pg.Client({ ...owner, database: name })
  await client.connect()
  const { user = '', password = '', port = 0, host = '' } = owner
  const login = `${user}:${encodeURIComponent(String(password))}`
  return { url: `postgres://${login}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`, client }
}

test('a database of another name and one with tables are refused, and nothing is done to them', async () => {
  const stage = openStage()
  const [other, full] = [await newDatabase('somebody_else'), await newDatabase('bench_full')]
  await full.client.query('create table precious (n int)')
  await expect(givenDatabases(stage, { url: other.url, pids: [] }, quietly)).rejects.toThrow(/not named for that/)
  const refused = givenDatabases(stage, { url: full.url, pids: [] }, quietly)
  await expect(refused).rejects.toThrow(DatabaseRefused)
  await expect(refused).rejects.toThrow(/has precious.*psql -d bench_full -c 'drop schema/)
  await stage.strike()
  expect((await full.client.query('select from precious')).rows).toEqual([])
  for (const { client } of [other, full]) await client.end()
})

test('a database is empty for each gateway, and after the run', async () => {
  const stage = openStage()
  const { url, client } = await newDatabase('bench_in_turns')
  const databases = await givenDatabases(stage, { url, pids: [] }, quietly)
  const tables = async () => (await client.query(`select tablename from pg_tables where schemaname = 'public'`)).rows
  for (let turn = 0; turn < 2; turn++) {
    expect((await databases.open('main')).url).toBe(url)
    expect(await tables()).toEqual([])
    await client.query('create table contracts (n int)')
  }
  await stage.strike()
  expect(await tables()).toEqual([])
  await client.end()
})

test('contracts, accounts and money that the bench writes stand in books that are proved, in turns for each account', async () => {
  const world = await openWorld({ workers: 'resting' })
  const client = new pg.Client(world.lanesOwner)
  await client.connect()
  const { caller, other } = world
  const referenceId = 'what-is-copied-42'
  const { id: contractId } = await caller.issued({ deliverable: { type: 'salary', reference_id: referenceId } })
  const { lane, accountId } = caller.account
  const original = { lane, accountId, contractId, referenceId }
  const strangers = await seedAccounts(client, LANE_COUNT + 1)
  await fundWallets(client, strangers, 1000n)
  const owners = [other.account, strangers[0] ?? other.account, strangers[LANE_COUNT] ?? other.account]
  const seeded = await seedIssued(client, original, owners, 7)
  expect(seeded).toHaveLength(9)
  for (const turn of [0, 3, 6]) expect(new Set(seeded.slice(turn, turn + 3).map((each) => each.accountId)).size).toBe(3)
  const mine = seeded.find((each) => each.accountId === other.account.accountId)
  expect((await other.get(mine?.id ?? '')).status).toBe('issued')
  await world.ledgerHolds()
  await client.end()
  await world.stop()
})
