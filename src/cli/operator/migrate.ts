// gateway migrate: brings the schema up to date without starting the gateway, or says what it would do.
import { readConfig } from '../../main/config/config.ts'
import { command, flag } from '../command.ts'
import { print } from '../output.ts'

export const migrate = command('migrate', 'bring the database schema up to date (start does it, too)', {
  examples: ['gateway migrate --dry-run', 'gateway migrate'],
  options: { dryRun: flag('change nothing; list what would be applied') },
  run: async ({ dryRun }) => {
    const { migrateSchema, openDatabase, prepareDatabase } = await import('../../main/database/database.ts')
    const config = readConfig()
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
