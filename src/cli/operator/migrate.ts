// gateway migrate: brings the schema up to date without starting the gateway, or says what it would do.
import type { Command } from 'commander'
import { readConfig } from '../../main/config/config.ts'
import { commandWithJson, type WithJson } from '../arguments.ts'
import { print, printJson } from '../output.ts'

export function migrateCommand(): Command {
  return commandWithJson('migrate', 'bring the database schema up to date (start does it, too)', [
    'gateway migrate --dry-run',
    'gateway migrate',
  ])
    .option('--dry-run', 'change nothing; list what would be applied')
    .action(migrate)
}

async function migrate({ json, dryRun }: WithJson & { readonly dryRun?: true }): Promise<void> {
  const { migrateSchema, openDatabase, prepareDatabase } = await import('../../main/database/database.ts')
  const config = readConfig()
  const database = await openDatabase(config, () => undefined)
  try {
    const result = dryRun
      ? await migrateSchema(database, 'dry-run', () => undefined)
      : await prepareDatabase(database, config, () => undefined)
    if (json) return printJson(result)
    for (const name of result.pending) print(`would apply ${name}`)
    for (const name of result.applied) print(`applied ${name}`)
    if (result.pending.length + result.applied.length === 0) print(`Up to date: version ${result.version}.`)
  } finally {
    await database.stop()
  }
}
