// A command that pays thousands of rows while the gateways that work on it are killed -9 at random moments: when all is over, every
// row was paid exactly once by the provider's books. One runner for the test and for `npm run torture`.
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { unsoundness } from '../books.ts'
import { diceOf } from '../dice.ts'
import type { BesideProcess } from '../gateway-beside.ts'
import { type BulkStage, openBulkStage, payoutsFile } from './bulk-stage.ts'

export type BulkKillOptions = {
  readonly owner: pg.ClientConfig
  readonly rows: number
  readonly kills: number
  /** How many work at the same time. */
  readonly gateways: number
  readonly seed: number
  /** `at once`: a lease of the dead ends with them, and now and then one of the living, so that two have the same rows in hand. */
  readonly leasesEnd: 'at once' | 'by themselves'
  /** Hears how far it is. */
  readonly tell?: (words: string) => void
}

export type BulkKillFigures = {
  readonly rows: number
  readonly kills: number
  /** Of the kills, those at which rows were begun and not recorded. */
  readonly inTheMiddle: number
  readonly executions: number
  /** Until the last kill; from there to the end of the command; and from there until nothing was on its way any more. */
  readonly seconds: { readonly killing: number; readonly ending: number; readonly arriving: number }
  readonly findings: readonly string[]
}

/** For a machine that has other things to do, too. */
const endsWithinMs = (rows: number): number => 15 * 60_000 + rows * 30
const LOOK_MS = 50
const TOLD_EVERY_MS = 10_000

const secondsSince = (from: number): number => (performance.now() - from) / 1000

export async function runBulkKills(options: BulkKillOptions): Promise<BulkKillFigures> {
  const stage = await openBulkStage(options.owner)
  try {
    const living = [await stage.start()]
    const gateway = stage.client(living[0]?.url ?? '')
    const { id } = await gateway.commands.upload({ type: 'transfers.payout', csv: payoutsFile(options.rows) })
    while (living.length < options.gateways) living.push(await stage.start())
    await gateway.commands.start(id)
    const from = performance.now()
    const killed = await killAtRandom(stage, living, id, options)
    const killing = secondsSince(from)
    const { late, ending } = await untilAllEnded(stage, id, options)
    const arriving = secondsSince(from) - killing - ending
    options.tell?.('all arrived: the books are compared')
    const { executions, findings } = await comparison(stage, id, options)
    const seconds = { killing, ending, arriving }
    return { rows: options.rows, ...killed, executions, seconds, findings: [...late, ...findings] }
  } finally {
    await stage.close()
  }
}

type Standing = { readonly ended: boolean; readonly begun: number; readonly done: number; readonly in_hand: number }

async function standingOf({ sql }: BulkStage, id: string): Promise<Standing> {
  const [row] = await sql<Standing>(
    `select c.ended_at is not null as ended, c.begun, c.done, (select count(*)::int from command_rows r
               where r.command_id = c.id and r.status = 'queued' and r.index <= c.begun) as in_hand
       from commands c where c.id = $1`,
    [id],
  )
  return row ?? { ended: false, begun: 0, done: 0, in_hand: 0 }
}

async function killAtRandom(
  stage: BulkStage,
  living: BesideProcess[],
  id: string,
  { rows, kills: wanted, seed, leasesEnd, tell }: BulkKillOptions,
): Promise<{ kills: number; inTheMiddle: number }> {
  const dice = diceOf(seed)
  let [kills, inTheMiddle] = [0, 0]
  while (kills < wanted) {
    // Spread over the rows: one kill in each of as many stretches.
    const at = ((kills + dice.whole(0, 99) / 100) * rows) / wanted
    await begunAsFar(stage, id, at)
    await sleep(dice.whole(0, 300))
    const victim = dice.pick(living)
    victim.signal('SIGKILL')
    await victim.ended
    const { ended, in_hand: inHand, done } = await standingOf(stage, id)
    kills += 1
    tell?.(`kill ${kills} of ${wanted}: ${done} of ${rows} rows recorded, ${inHand} in hand`)
    if (inHand > 0) inTheMiddle += 1
    if (leasesEnd === 'at once') await stage.sql('update commands set leased_until = now() where leased_until > now()')
    living.splice(living.indexOf(victim), 1, await stage.start())
    if (ended) break
  }
  return { kills, inTheMiddle }
}

async function begunAsFar(stage: BulkStage, id: string, rows: number): Promise<void> {
  for (const until = Date.now() + endsWithinMs(rows); Date.now() < until; await sleep(LOOK_MS)) {
    const { ended, begun } = await standingOf(stage, id)
    if (ended || begun >= rows) return
  }
}

/** Until the command is over and nothing is on its way to the provider. */
async function untilAllEnded(
  stage: BulkStage,
  id: string,
  { leasesEnd, rows, tell }: BulkKillOptions,
): Promise<{ late: string[]; ending: number }> {
  const from = performance.now()
  let ending: number | null = null
  let toldAt = from
  for (const until = Date.now() + endsWithinMs(rows); Date.now() < until; await sleep(500)) {
    const { ended, done } = await standingOf(stage, id)
    const [open] = await stage.sql<{ n: number }>(`select count(*)::int n from contracts where status = 'paid'`)
    if (ended) ending ??= secondsSince(from)
    if (ended && open?.n === 0) return { late: [], ending: ending ?? 0 }
    if (performance.now() - toldAt > TOLD_EVERY_MS) {
      toldAt = performance.now()
      tell?.(`${done} of ${rows} rows recorded, ${open?.n} transfers on their way`)
    }
    if (leasesEnd === 'at once')
      await stage.sql(
        `update jobs set due_at = now() where due_at > now() and status in ('queued', 'unknown', 'accepted')`,
      )
  }
  return { late: ['the command, or a transfer of it, did not come to its end'], ending: ending ?? secondsSince(from) }
}

async function comparison(
  stage: BulkStage,
  id: string,
  { rows, owner }: BulkKillOptions,
): Promise<{ executions: number; findings: string[] }> {
  const { transfers, totals } = await stage.books()
  const executions = transfers.reduce((sum, each) => sum + each.executions, 0)
  const findings: string[] = []
  const same = (what: string, found: unknown, wanted: unknown) => {
    if (String(found) !== String(wanted)) findings.push(`${what}: ${String(found)}, and not ${String(wanted)}`)
  }
  const [counted] = await stage.sql<Record<string, string>>(
    `select c.status, c.done, c.failed, (select count(*) from command_rows r where r.command_id = c.id and r.status = 'done') as rows_done,
            (select count(distinct r.contract_id) from command_rows r where r.command_id = c.id) as different,
            (select count(*) from contracts t where t.kind = 'transfer') as contracts,
            (select count(*) from contracts t where t.kind = 'transfer' and t.status = 'completed') as completed,
            (select count(*) from account_history h where h.event = 'command.completed') as told
       from commands c where c.id = $1`,
    [id],
  )
  same('the command', counted?.['status'], 'completed')
  for (const what of ['done', 'rows_done', 'different', 'contracts', 'completed']) same(what, counted?.[what], rows)
  same('failed', counted?.['failed'], 0)
  same('events of its end', counted?.['told'], 1)
  same('orders in the provider’s books', transfers.length, rows)
  same('orders that it executed once', transfers.filter((each) => each.executions === 1).length, rows)
  same('what it paid out', totals['PHP']?.executed_minor, rows * 100)
  return { executions, findings: [...findings, ...(await unsoundness(owner))] }
}

export const bulkKillReport = ({ findings, ...figures }: BulkKillFigures): string =>
  [`a command under kills: ${JSON.stringify(figures)}`, ...findings.map((each) => `  ${each}`)].join('\n')
