// gateway migrate: brings the schema up to date without starting the gateway, or says what it would do.
import { readConfig } from '../../main/config/config.ts'
import { command, flag } from '../command.ts'
import { CommandFailed } from '../failures.ts'
import { print } from '../output.ts'

export const migrate = command('migrate', 'bring the database schema up to date (start does it, too)', {
  examples: ['gateway migrate --dry-run', 'gateway migrate', 'gateway migrate --create'],
  options: {
    dryRun: flag('change nothing; list what would be applied'),
    create: flag('make the embedded database where there is none yet'),
  },
  run: async ({ dryRun, create }) => {
    const { hasDatabase, migrateSchema, openDatabase, prepareDatabase } = await import(
      '../../main/database/database.ts'
    )
    const config = readConfig()
    if (!hasDatabase(config) && (dryRun || !create))
      throw new CommandFailed(
        `There is no database in ${config.dataDir}. Is it the right directory (GATEWAY_DATA_DIR, DATABASE_URL)? To make one: gateway start, or gateway migrate --create`,
      )
    const database = await openDatabase(config, () => undefined)
    try {
      return dryRun
        ? await migrateSchema(database, 'dry-run', () => undefined)
        : await prepareDatabase(database, config, () => undefined)
    } finally {
      await database.stop()
    }
  },
  print: ({ pending, applied, version }) => {
    for (const name of pending) print(`would apply ${name}`)
    for (const name of applied) print(`applied ${name}`)
    if (pending.length + applied.length === 0) print(`Up to date: version ${version}.`)
  },
})
