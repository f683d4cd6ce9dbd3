// gateway bench: measures this machine. The load generator is loaded only when it is asked for.
import type { Command } from 'commander'
import { CommandFailed, commandWithJson, wholeNumber, type WithJson } from './arguments.ts'
import { print } from './output.ts'

const DEFAULTS = { seconds: 5, connections: 128 } as const

export function benchCommand(): Command {
  return commandWithJson('bench', 'measure this machine: contracts, payments and reads a second', [
    'gateway bench',
    'gateway bench --scenario create --scenario pay-one --seconds 3 --json',
    'gateway bench --short --seconds 1',
  ])
    .option('--seconds <n>', 'how long each window measures', wholeNumber, DEFAULTS.seconds)
    .option('--short', 'one round and small tables: shows that every scenario runs, not how fast')
    .option('--connections <n>', 'how many callers at once', wholeNumber, DEFAULTS.connections)
    .option('--scenario <name...>', 'only these')
    .option('--contracts <n>', 'compare the small database with one of so many contracts', wholeNumber)
    .option('--profile <directory>', 'write processor profiles of the gateway there')
    .action(bench)
}

type Options = WithJson & {
  readonly seconds: number
  readonly short?: boolean
  readonly connections: number
  readonly scenario?: readonly string[]
  readonly contracts?: number
  readonly profile?: string
}

async function bench({ json, scenario, short, ...options }: Options): Promise<void> {
  const { runBench, SCENARIOS } = await loadBench()
  const unknown = scenario?.filter((name) => !SCENARIOS.includes(name)) ?? []
  if (unknown.length > 0)
    throw new CommandFailed(`No scenario is called ${unknown.join(', ')}. There are: ${SCENARIOS.join(', ')}`)
  const report = await runBench({
    ...options,
    short: short === true,
    scenarios: scenario,
    json: json === true,
    say: print,
  })
  process.exit(report.faults.length > 0 ? 1 : 0)
}

async function loadBench() {
  try {
    return await import('../../bench/index.ts')
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw fault
    throw new CommandFailed(
      'This installation comes without the load generator. It is in the source repository: npm run bench',
    )
  }
}
