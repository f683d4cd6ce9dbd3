// gateway migrate: brings the schema up to date without starting the gateway, or says what it would do.
import { readConfig } from '../../main/config/config.ts'
import { wholeNumberTo } from '../arguments.ts'
import { command, flag, option } from '../command.ts'
import { CommandFailed, Misused } from '../failures.ts'
import { print } from '../output.ts'

// More than there are lanes would leave shards empty.
const shardCount = wholeNumberTo(256, 'Give a whole number from 1 to 256.')
const DEFAULT_SHARDS = 32

export const migrate = command('migrate', 'bring the database schema up to date (start does it, too)', {
  examples: [
    'gateway migrate --dry-run',
    'gateway migrate',
    'gateway migrate --create',
    'gateway migrate --distribute --shards 32',
  ],
  options: {
    dryRun: flag('change nothing; list what would be applied'),
    create: flag('make the embedded database where there is none yet'),
    distribute: flag('on a Citus cluster: spread the tables over its nodes by lane; what is missing, when run again'),
    shards: option('<count>', `into how many shards; for the first time only (${DEFAULT_SHARDS})`, shardCount),
  },
  run: async ({ dryRun, create, distribute, shards }) => {
    if (shards === 0) throw new Misused('Give at least one shard.')
    if (shards !== undefined && !distribute) throw new Misused('--shards is for --distribute.')
    if (dryRun && distribute) throw new Misused('--distribute has no dry run: it does what is missing.')
    const { hasDatabase, openDatabase } = await import('../../main/database/database.ts')
    const { distributeDatabase, pendingMigrations, prepareDatabase } = await import('../../main/database/prepare.ts')
    const config = readConfig()
    if (!hasDatabase(config) && (dryRun || !create))
      throw new CommandFailed(
        `There is no database in ${config.dataDir}. Is it the right directory (GATEWAY_DATA_DIR, DATABASE_URL)? To make one: gateway start, or gateway migrate --create`,
      )
    const database = await openDatabase(config, () => undefined)
    const quietly = () => undefined
    try {
      if (distribute) {
        const { schema, distributed } = await distributeDatabase(database, config, shards ?? DEFAULT_SHARDS, quietly)
        return { ...schema, distributed }
      }
      const schema = dryRun
        ? { ...(await pendingMigrations(database)), applied: [] }
        : await prepareDatabase(database, config, quietly)
      return { ...schema, distributed: [] }
    } finally {
      await database.stop()
    }
  },
  print: ({ pending, applied, distributed, version }) => {
    for (const name of pending) print(`would apply ${name}`)
    for (const name of applied) print(`applied ${name}`)
    for (const name of distributed) print(`distributed ${name}`)
    if (pending.length + applied.length + distributed.length === 0) print(`Up to date: version ${version}.`)
  },
})
