// gateway bench: measures this machine. The load generator is loaded only when it is asked for.
import { readConfig } from '../../main/config/config.ts'
import { repeated, wholeNumber } from '../arguments.ts'
import { CommandFailed } from '../failures.ts'
import { command, flag, option, withDefault } from '../command.ts'
import { print } from '../output.ts'

export const bench = command('bench', 'measure this machine: contracts, payments and reads a second', {
  examples: [
    'gateway bench',
    'gateway bench --scenario create --scenario pay-one --seconds 3 --json',
    'gateway bench --short --seconds 1',
    'gateway bench --database-url postgres://postgres@127.0.0.1/gateway_bench --scenario create get pay-one',
  ],
  options: {
    seconds: withDefault(option('<n>', 'how long each window measures', wholeNumber), 5),
    short: flag('one round and small tables: shows that every scenario runs, not how fast'),
    connections: withDefault(option('<n>', 'how many callers at once', wholeNumber), 128),
    processes: withDefault(
      option('<n>', 'run again what writes or reads, by a gateway of so many processes', wholeNumber),
      1,
    ),
    scenario: option('<name...>', 'only these', repeated(String)),
    contracts: option('<n>', 'compare the small database with one of so many contracts', wholeNumber),
    profile: option('<directory>', 'write processor profiles of the gateway there'),
    databaseUrl: option(
      '<url>',
      'in this database, which is empty, named for it and emptied afterwards (DATABASE_URL)',
      String,
    ),
    postgresPid: option(
      '<pid...>',
      'its PostgreSQL processes on this machine, whose processor time is counted',
      repeated(wholeNumber),
    ),
    baselineUrl: option(
      '<url>',
      'compare that database with this one, in turns: create, get, pay-one and pay-spread',
      String,
    ),
    baselinePostgresPid: option('<pid...>', 'the same of the baseline', repeated(wholeNumber)),
  },
  run: async ({
    json,
    scenario,
    short,
    profile,
    contracts,
    databaseUrl,
    postgresPid,
    baselineUrl,
    baselinePostgresPid,
    ...given
  }) => {
    const { runBench, SCENARIOS } = await loadBench()
    const unknown = scenario?.filter((name) => !SCENARIOS.includes(name)) ?? []
    if (unknown.length > 0)
      throw new CommandFailed(`No scenario is called ${unknown.join(', ')}. There are: ${SCENARIOS.join(', ')}`)
    const report = await runBench({
      ...given,
      short: short === true,
      scenarios: scenario,
      json: json === true,
      say: print,
      databaseUrl: databaseUrl ?? readConfig().databaseUrl ?? undefined,
      postgresPids: postgresPid,
      baselineUrl,
      baselinePostgresPids: baselinePostgresPid,
      ...(contracts !== undefined && { contracts }),
      ...(profile !== undefined && { profile }),
    })
    process.exit(report.faults.length > 0 ? 1 : 0)
  },
})

async function loadBench() {
  try {
    return await import('../../../bench/index.ts')
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw fault
    throw new CommandFailed(
      'This installation comes without the load generator. It is in the source repository: npm run bench',
    )
  }
}
