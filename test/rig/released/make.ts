// Makes what is kept of a release: a database that it wrote, with contracts in every state they can stand in, the books of the
// provider beside it, what callers read of it, and the statements that it sent.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSealingKeys, sealSigner } from '../../../src/main/database/sealing-keys.ts'
import { type Caller, callerOf } from '../../world-caller.ts'
import { newEndpoint } from '../receiver/endpoints.ts'
import { playAll } from '../examples/plays.ts'
import { SALARY } from '../examples/plays/transfers.ts'
import { openStage, seen, type Stage } from '../examples/stage.ts'
import { sealed } from '../sealed.ts'
import { dumpOf } from './dump.ts'
import { type Kept, type KeptCaller, NAMES } from './kept.ts'
import { noteStatements } from './statements.ts'

/** Writes the files of a release into a folder. */
export async function makeReleased(release: string, folder: string): Promise<void> {
  const statements = noteStatements()
  const stage = await openStage()
  try {
    const { world } = stage
    await playAll(stage)
    const endpoint = await newEndpoint(world.caller, stage.hooks, { events: ['contract.issued', 'contract.completed'] })
    await onTheirWay(stage)
    await sealed(world, world.caller)
    await world.gateway.stop()
    const callers = await atRest(stage)
    const keys = readSealingKeys(null, world.config.dataDir)
    const kept: Kept = {
      release,
      sealing_key: keys[0]?.toString('base64') ?? '',
      seal_key: sealSigner(keys).publicKey.toString('base64'),
      endpoint: { id: endpoint.id, secret: endpoint.secret },
      callers,
    }
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, NAMES.data), await dumpOf(world.database.owner, `What ${release} left in its database.`))
    writeFileSync(join(folder, NAMES.replies), linesOf(kept))
    writeFileSync(join(folder, NAMES.provider), readFileSync(join(world.config.dataDir, 'sandbox.jsonl')))
    const sent = statements().map((each) => JSON.stringify(each))
    writeFileSync(join(folder, NAMES.statements), `[\n${sent.join(',\n')}\n]\n`)
  } finally {
    statements()
    await stage.close()
  }
}

/** A diff of it names what has changed. */
function linesOf({ callers, ...rest }: Kept): string {
  const each = callers.map(({ reads, ...caller }) => {
    const lines = Object.entries(reads).map(([path, data]) => `${JSON.stringify(path)}: ${JSON.stringify(data)}`)
    return `{\n"reads": {\n${lines.join(',\n')}\n},\n${JSON.stringify(caller).slice(1, -1)}\n}`
  })
  return `{\n${JSON.stringify(rest).slice(1, -1)},\n"callers": [\n${each.join(',\n')}\n]\n}\n`
}

/** What waits for the rail: taken and not executed, executed and not answered, tried in vain. */
async function onTheirWay({ world: { caller } }: Stage): Promise<void> {
  for (const amount of [1500.52, 1500.32, 1500.31]) {
    const { id } = await caller.paid({ ...SALARY, amount })
    await seen(`${amount} with the rail`, async () => {
      const { transfer } = await caller.get(id)
      return transfer.status === 'accepted' || transfer.status === 'unknown' ? transfer : null
    })
  }
}

const FAR = { expires_in: 43_200 }

/** What is made when nothing works any more, and what is read then. */
async function atRest({ world }: Stage): Promise<KeptCaller[]> {
  const beside = await world.beside()
  try {
    const [caller, other] = [world.caller, world.other].map((each) =>
      callerOf(beside, each.account, { keyId: each.keyId, text: each.apiKey }),
    ) as [Caller, Caller]
    for (const each of [caller, other]) {
      await each.draft(SALARY)
      await each.issued(SALARY)
      await each.paid(SALARY)
      const body = { ...FAR, amount: 500, currency: 'PHP', description: 'Coffee, two bags' }
      await each.ask('POST', '/contracts/payment', { body })
    }
    return [await readsOf(caller), await readsOf(other)]
  } finally {
    await beside.stop()
  }
}

/** Lists that say the same as long as nothing is done. */
const LISTS = ['schedules', 'profiles', 'policies', 'commands', 'wallets', 'verifiers', 'webhook-endpoints', 'members']
/** And what is told of each contract. */
const PARTS = ['', '/activities', '/entries']
const RECEIPTS = 3

async function readsOf(caller: Caller): Promise<KeptCaller> {
  const reads: Record<string, unknown> = {}
  const read = async (path: string) => {
    const { status, data, text } = await caller.ask('GET', path)
    if (status !== 200) throw new Error(`${path} is ${status}: ${text}`)
    reads[path] = data
  }
  for (const list of LISTS) await read(`/${list}`)
  for (const kind of ['transfer', 'payment'])
    for (const { id } of await caller.all<{ readonly id: string }>(`/contracts/${kind}`, 'contracts'))
      for (const part of PARTS) await read(`/contracts/${kind}/${id}${part}`)
  const ended = await caller.all<{ readonly id: string }>('/contracts/transfer?status=completed', 'contracts')
  for (const { id } of ended.slice(0, RECEIPTS)) await read(`/contracts/transfer/${id}/receipt`)
  const events = await caller.all<{ readonly id: string }>('/events', 'events')
  return { api_key: caller.apiKey, reads, events: events.map(({ id }) => id) }
}
