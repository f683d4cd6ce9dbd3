// Two processes that look at one chain, and one that asks about an attempt: what they say of a payment comes only after another one
// has booked it. The attempt stays as it is booked, so that nothing holds up the contract's end.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCollection } from '../../../src/app/payments/collections.ts'
import { invariant } from '../../../src/domain/invariant.ts'
import type { Execute } from '../../../src/engine/command-request.ts'
import { chainWatches } from '../../../src/main/channels/crypto-channels.ts'
import { openLog } from '../../../src/platform/log.ts'
import { openOutbound } from '../../../src/platform/outbound.ts'
import { JOB_COLUMNS, jobFrom } from '../../../src/store/jobs/jobs.ts'
import type { Json } from '../../sandbox/rails.ts'
import { CONFIRMATIONS, type CryptoStage, openCryptoStage } from './crypto-payments-stage.ts'

const outbound = openOutbound()
let at: CryptoStage
beforeAll(async () => {
  at = await openCryptoStage('receives')
  // All that is done here is done in the order of the tests.
  await at.stopWorkers()
})
afterAll(async () => {
  await at.close()
  await outbound.close()
})

function signal() {
  let give: () => void = () => undefined
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return { given, give: () => give() }
}

/** The write path, before which reports of how far a payment is wait until they are let go. */
function holding() {
  const { execute } = at.world.gateway.deps
  const gate = signal()
  const caught = signal()
  const held: Execute = async (request) => {
    if (request.command.verb === 'report_collection') {
      caught.give()
      await gate.given
    }
    return execute(request)
  }
  return { execute: held, caught: caught.given, letGo: gate.give }
}

/** A process that watches. */
async function watching(execute: Execute): Promise<() => Promise<void>> {
  const { config, gateway } = at.world
  const { reader } = gateway.deps
  const rounds = await chainWatches({ config, outbound, execute, reader, session: reader, log: openLog('fatal') })
  return async () => {
    for (const round of rounds) while ((await round()) > 0);
  }
}

async function inquire(execute: Execute, contractId: string): Promise<void> {
  await at.world.sql(`update jobs set due_at = now() where contract_id = $1`, [contractId])
  const [row] = await at.world.sql(`select ${JOB_COLUMNS} from jobs j where j.contract_id = $1`, [contractId])
  const job = row && jobFrom(row)
  invariant(job?.kind === 'collection', 'an open payment contract has a job')
  await runCollection({ execute, payments: at.world.gateway.deps.payments }, job)
}

test.each(['a second watcher', 'an inquiry'] as const)(
  'what %s says late sets nothing back that is booked',
  async (who) => {
    const watch = await watching(at.world.gateway.deps.execute)
    const late = holding()
    const watchLate = await watching(late.execute)
    const opened = await at.open('TUSD')
    await at.pay(opened, (due) => due / 4n)
    await at.mine(1)
    if (who === 'an inquiry') await watch()
    const report = who === 'an inquiry' ? inquire(late.execute, opened.id) : watchLate()
    await late.caught
    await at.mine(CONFIRMATIONS)
    await watch()
    const { status, amount_received: received } = await at.get(opened.id)
    expect([status, Math.round(received)]).toEqual(['issued', 25])
    const booked = await attemptOf(opened.id)
    expect(booked).toMatchObject({ status: 'pending' })
    late.letGo()
    await report
    expect(await attemptOf(opened.id)).toEqual(booked)
    await at.cancelled(opened.id)
  },
)

async function attemptOf(id: string): Promise<Json> {
  const { text } = await at.world.caller.ask('GET', `/contracts/payment/${id}/attempts`)
  const { attempts } = JSON.parse(text).data as { attempts: Json[] }
  return { status: attempts[0]?.['status'] }
}
