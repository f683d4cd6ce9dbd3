// gateway lanes: which node of a cluster has which lanes, and their move to another node while gateways work on them.
import { lanesText } from '../../main/config/lane-servers.ts'
import type { LaneGroup, LaneStanding, MovedLanes, WantedLane } from '../../main/operator/operator-lanes.ts'
import type { Operator } from '../../main/operator/operator.ts'
import type { MoveStep } from '../../main/operator/server-moves.ts'
import { uuid, wholeNumberTo } from '../arguments.ts'
import { command, groupOf, option, required } from '../command.ts'
import { Misused } from '../failures.ts'
import { openProgress, paint, print, snakeCased } from '../output.ts'
import { printMany, type Shows } from '../view.ts'
import { asOperator, DEED, deedOf, noSuchAccount } from './as-operator.ts'

const laneNumber = wholeNumberTo(255, 'Give a lane: a whole number from 0 to 255.')

const GROUPS: Shows<LaneGroup> = [
  ['node', 'node'],
  ['shard', ({ shardId }) => shardId ?? '-'],
  ['lanes', ({ lanes: all }) => shortened(lanesText(all))],
  ['accounts', ({ accounts }) => String(accounts)],
  ['size', ({ bytes }) => `${(bytes / 1024 / 1024).toFixed(1)} MiB`],
]

const list = command(
  'list',
  'tell where the lanes lie: node or server, shard, accounts and size, by what is moved together',
  {
    examples: ['gateway lanes list', 'gateway lanes list --json'],
    notes: `On a Citus cluster, with the login of the owner of the database; or on several PostgreSQLs (GATEWAY_LANES_FILE), where each is a
node, and lanes move one by one. --json names every lane.`,
    run: async () => ({ groups: await asOperator((operator) => operator.lanes()) }),
    json: ({ groups }) => ({ groups: groups.map((group) => snakeCased(group)) }),
    print: ({ groups }) => printMany(groups, GROUPS),
  },
)

const move = command(
  'move',
  'move a lane to another node or server while gateways work on it, and what shares its shard',
  {
    examples: [
      'gateway lanes move --lane 17 --to 10.0.0.3:5432 --evidence "the new node, ticket 4711"',
      'gateway lanes move --account 0198… --to 10.0.0.3:5432 --evidence "the old one is full"',
      'gateway lanes move --lane 17 --to east --evidence "of several PostgreSQLs, as named in GATEWAY_LANES_FILE"',
    ],
    notes: `Rows are copied and followed; writes of these lanes wait for a moment at the end. The books of the lanes are
proved before it and after. A move that is interrupted leaves all where it was or moves all of it: run it again.
Back up the node or server that they have come to afterwards: none of its backups from before has them.`,
    options: {
      lane: option('<number>', 'the lane', laneNumber),
      account: option('<id>', 'or an account in it', uuid),
      to: required(option('<node>', 'the node or server that it moves to, as "lanes list" shows it')),
      ...DEED,
    },
    confirm: async ({ lane, account, to }) =>
      moveQuestion(await asOperator((operator) => standingOf(operator, wantedLane(lane, account))), to),
    run: async ({ lane, account, to, ...deed }) => {
      const began = performance.now()
      const moved = await withProgress(wantedLane(lane, account), to, deedOf(deed))
      return { ...moved, seconds: (performance.now() - began) / 1000 }
    },
    json: ({ lane, lanes: all, from, to, seconds, findings }) =>
      snakeCased({ lane, lanes: all, from, to, seconds, findings }),
    print: printMoved,
    failed: ({ findings }) => findings.length > 0,
  },
)

function wantedLane(lane: number | undefined, accountId: string | undefined): WantedLane {
  if (lane !== undefined && accountId === undefined) return { lane }
  if (lane === undefined && accountId !== undefined) return { accountId }
  throw new Misused('Give --lane or --account, one of them.')
}

async function standingOf(operator: Operator, wanted: WantedLane): Promise<LaneStanding> {
  const standing = await operator.laneNow(wanted)
  if (standing === null) throw noSuchAccount('accountId' in wanted ? wanted.accountId : '')
  return standing
}

/** Says whom a move is about to whoever answers. */
export function moveQuestion({ lane, lanes: all, node, accounts }: LaneStanding, to: string): string {
  const whose = accounts === 1 ? '1 account' : `${accounts} accounts`
  const others = all.filter((each) => each !== lane)
  return others.length === 0
    ? `Lane ${lane} is on ${node} and has ${whose}. Move it to ${to}?`
    : `Lane ${lane} is on ${node}, in one shard with ${shortened(lanesText(others))}: ${whose} in all. Move them to ${to}?`
}

type Moved = MovedLanes & { readonly lane: number }

async function withProgress(wanted: WantedLane, to: string, deed: ReturnType<typeof deedOf>): Promise<Moved> {
  const progress = openProgress()
  const onStep = (step: MoveStep) => {
    if (step.doing !== 'copying') return progress.show(0, 1, step.doing)
    progress.show(step.copiedBytes, step.bytes, step.phase.toLowerCase())
  }
  try {
    return await asOperator(async (operator) => {
      const lane = 'lane' in wanted ? wanted.lane : (await standingOf(operator, wanted)).lane
      return { ...(await operator.moveLane({ lane, to }, deed, onStep)), lane }
    }, deed.operator)
  } finally {
    progress.end()
  }
}

function printMoved({ lane, lanes: all, from, to, seconds, findings }: Moved & { readonly seconds: number }) {
  const others = all.filter((each) => each !== lane)
  const along = others.length === 0 ? '' : `, and with it what shares its shard: ${lanesText(others)}`
  print(`${paint('green', 'Moved')} lane ${lane} from ${from} to ${to} in ${seconds.toFixed(1)} s${along}.`)
  print(`Back up ${to} now: no backup of it from before has what was moved.`)
  if (findings.length === 0) return print('The books of these lanes hold, as they did before.')
  for (const { proof, row, problem } of findings)
    print(`${paint('red', `does not hold: ${proof}`)}: ${row}: ${problem}`)
}

const SHOWN_MAX = 40

/** Which they are, all of them: --json. */
const shortened = (ranges: string) =>
  ranges.length <= SHOWN_MAX ? ranges : `${ranges.slice(0, ranges.lastIndexOf(',', SHOWN_MAX))}, …`

export const lanes = groupOf(
  'lanes',
  'tell which node of a Citus cluster, or which PostgreSQL, has which lanes, and move them',
  [list, move],
)
