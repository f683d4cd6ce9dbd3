// Sets a production up step by step: configuration, schema, first account, its owner, its first key. Each step is done once,
// found done from then on, or reported as lacking with its fix; a new run goes on where it can.
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import type { AccountOwner } from '../../store/accounts/admin.ts'
import { OWN_SCOPES } from '../../domain/account/scopes.ts'
import { type Config, Misconfigured } from '../config/config.ts'
import { isRefusal } from '../../domain/contract/refusals.ts'
import { openDatabase } from '../database/database.ts'
import { prepareDatabase, SchemaBehind } from '../database/prepare.ts'
import { isNotLetIn, LoginRefused } from '../database/logins.ts'
import { type Account, openOperator, type Operator } from './operator.ts'
import { usableKey } from './operator-keys.ts'
import { missingForProduction } from '../config/production.ts'

export type Step = {
  readonly step: string
  readonly state: 'done' | 'already' | 'lacking'
  readonly said: string
  /** What to do; only of what is lacking. */
  readonly mend: string | null
}

export type Wanted = {
  readonly account: string | null
  readonly owner: AccountOwner | null
  readonly currencies: readonly string[]
  /** A new file, mode 0600, that the first key is written to. */
  readonly keyFile: string | null
  readonly showKey: boolean
  /** Who does this. */
  readonly operator: () => string
}

export type Setup = {
  readonly steps: readonly Step[]
  readonly accountId: string | null
  /** The first key, where it was made now and is to be shown. */
  readonly key: string | null
}

const done = (step: string, said: string): Step => ({ step, state: 'done', said, mend: null })
const already = (step: string, said: string): Step => ({ step, state: 'already', said, mend: null })
const lacking = (step: string, said: string, mend: string): Step => ({ step, state: 'lacking', said, mend })

/** Does what can be done now, and reports what is lacking. */
export async function setUpProduction(config: Config, wanted: Wanted): Promise<Setup> {
  const steps = configurationSteps(config)
  const blocking = steps.filter(({ state, step }) => state === 'lacking' && BLOCKING.has(step))
  if (blocking.length > 0) {
    const names = blocking.map(({ step }) => step).join(', ')
    steps.push(
      lacking('database', `Not touched before this is mended: ${names}.`, 'Mend that, and run gateway init again.'),
    )
    return { steps, accountId: null, key: null }
  }
  const schema = await schemaStep(config)
  steps.push(schema)
  if (schema.state === 'lacking') return { steps, accountId: null, key: null }
  const office = await openOffice(config)
  if ('step' in office) return { steps: [...steps, office], accountId: null, key: null }
  try {
    const account = await accountSteps(office, wanted, steps)
    const key = account ? await keyStep(office, account, wanted, steps) : null
    return { steps, accountId: account?.accountId ?? null, key }
  } finally {
    await office.close()
  }
}

/** Without these it is not clear which database is meant, or it would belong to the wrong user. */
const BLOCKING = new Set(['GATEWAY_MODE', 'DATABASE_URL', 'user'])

function configurationSteps(config: Config): Step[] {
  const steps =
    config.mode === 'production'
      ? []
      : [lacking('GATEWAY_MODE', 'This is not said to be a production.', 'Set GATEWAY_MODE=production.')]
  steps.push(...missingForProduction(config).map(({ setting, what, mend }) => lacking(setting, what, mend)))
  return steps.length > 0 ? steps : [already('configuration', 'Nothing is missing.')]
}

async function schemaStep(config: Config): Promise<Step> {
  const database = await openDatabase(config, () => undefined).catch(toStep)
  if ('step' in database) return database
  try {
    const { applied, version } = await prepareDatabase(database, config, () => undefined)
    return applied.length > 0
      ? done('database', `The schema is at version ${version}: ${applied.length} migrations applied.`)
      : already('database', `The schema is at version ${version}.`)
  } catch (fault) {
    return toStep(fault)
  } finally {
    await database.stop()
  }
}

/** What the database refuses is lacking; what is broken is thrown on. */
function toStep(fault: unknown): Step {
  if (fault instanceof LoginRefused || fault instanceof SchemaBehind)
    return lacking('database', fault.message, 'Then run gateway init again.')
  // Before the first migration there is no such role, or none with this password.
  if (fault instanceof Error && isNotLetIn(fault))
    return lacking(
      'database',
      `The database does not let the login of DATABASE_URL in (${fault.message}).`,
      'Give gateway init the login of its owner, GATEWAY_OWNER_DATABASE_URL: it then makes gateway_app with the password of DATABASE_URL.',
    )
  throw fault
}

async function openOffice(config: Config): Promise<Operator | Step> {
  return openOperator(config, () => undefined).catch((fault: unknown) => {
    if (fault instanceof LoginRefused)
      return lacking('operator', fault.message, 'Give gateway init one of them; a running gateway needs neither.')
    throw fault
  })
}

const ACCOUNT_MEND =
  'gateway init --account "Reyes Trading" --owner-name "Ana Cruz" --owner-email ana@example.com --key-file first.key'

async function accountSteps(office: Operator, wanted: Wanted, steps: Step[]): Promise<Account | null> {
  const { owner, operator } = wanted
  const found = (await office.accounts()).find(({ livemode }) => livemode) ?? null
  const account = found ?? (await madeAccount(office, wanted))
  if (!account) {
    steps.push(lacking('account', 'There is no live account.', ACCOUNT_MEND))
    return null
  }
  steps.push((found ? already : done)('account', `${account.name}, live: ${account.accountId}`))
  if (account.owner) steps.push(already('owner', `${account.owner.name} <${account.owner.email}>`))
  else if (owner) {
    await office.nameOwner(account, owner, operator())
    steps.push(done('owner', `${owner.name} <${owner.email}>`))
  } else steps.push(lacking('owner', 'Nobody is named to turn to about the account.', ACCOUNT_MEND))
  return account
}

async function madeAccount(office: Operator, { account: name, currencies }: Wanted): Promise<Account | null> {
  if (name === null) return null
  const { accountId } = await office.createAccount({ name, livemode: true, currencies })
  return (await office.accounts()).find((each) => each.accountId === accountId) ?? null
}

const KEY_MEND =
  'gateway init --key-file first.key, a new file for you alone; or --show-key, on a terminal that nobody records.'

/** The key's text, where it is to be shown. */
async function keyStep(
  office: Operator,
  { accountId }: Account,
  wanted: Wanted,
  steps: Step[],
): Promise<string | null> {
  const { keyFile, showKey } = wanted
  const known = await usableKey(office, accountId)
  if (known) {
    steps.push(already('key', `${known.keyId} (${known.name}); more by gateway keys create`))
    return null
  }
  if (keyFile === null && !showKey) {
    steps.push(lacking('key', 'The account has no key.', KEY_MEND))
    return null
  }
  const file = keyFile === null ? null : newFile(keyFile)
  const wish = { name: 'First', scopes: OWN_SCOPES, expiresInSeconds: null }
  const key = await office.createKey(accountId, wish).catch((fault: unknown) => {
    file?.drop()
    throw fault
  })
  if (!key) throw new Error('the account of a first key is gone')
  if (isRefusal(key)) {
    file?.drop()
    throw new Misconfigured(key.message)
  }
  file?.write(key.text)
  steps.push(
    done('key', keyFile === null ? `${key.keyId}, shown below and never again` : `${key.keyId}, in ${keyFile}`),
  )
  return showKey ? key.text : null
}

/** Made before the key is: a key that could not be saved must not be made. Never over an existing file. */
function newFile(path: string): { readonly write: (text: string) => void; readonly drop: () => void } {
  let file: number
  try {
    file = openSync(path, 'wx', 0o600)
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException
    throw new Misconfigured(
      code === 'EEXIST' ? `${path} is there already. Give --key-file a new one` : `${path} cannot be written (${code})`,
    )
  }
  return {
    write: (text) => {
      writeSync(file, `${text}\n`)
      closeSync(file)
    },
    drop: () => {
      closeSync(file)
      rmSync(path, { force: true })
    },
  }
}
