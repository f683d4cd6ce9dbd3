// gateway transfers: transfer contracts over HTTP. Each command is parse, one call, print.
import type { Command } from 'commander'
import {
  commandWithJson,
  currency,
  decimalNumber,
  durationSeconds,
  groupOf,
  jsonObject,
  metadataPair,
  uuid,
  wholeNumber,
  type WithJson,
} from '../arguments.ts'
import { type Call, call, type PlaceOptions, placeOf, withPlace } from '../client.ts'
import { activityLine, type ContractBody, printContract, printContracts } from './contract-view.ts'
import { note, print, printJson } from '../output.ts'
import { transferActionCommands } from './transfer-actions.ts'
import { watchContract } from './watch.ts'

type Options = WithJson & PlaceOptions

export function transfersCommand(): Command {
  return groupOf('transfers', 'create, change, issue, pay, cancel and read transfer contracts, and unstick them', [
    createCommand(),
    updateCommand(),
    issueCommand(),
    payCommand(),
    cancelCommand(),
    getCommand(),
    listCommand(),
    watchCommand(),
    ...transferActionCommands(),
  ])
}

function one(name: string, description: string, examples: readonly string[]): Command {
  return withPlace(commandWithJson(name, description, examples)).argument('<id>', 'the contract', uuid)
}

type Guarded = Options & { readonly ifMatch?: number }

/** A command that may be bound to the version that was read. */
function guarded(name: string, description: string, examples: readonly string[]): Command {
  const words = 'only if the contract still stands at this version, as "get" shows it'
  return one(name, description, examples).option('--if-match <version>', words, wholeNumber)
}

/** What a draft may say. Flags are for the common fields; --data takes them all, and flags win. */
function withDraft(command: Command): Command {
  return command
    .option('--amount <decimal>', 'in major units, such as 1500 or 19.99', decimalNumber)
    .option('--currency <code>', 'ISO 4217, such as PHP', currency)
    .option('--channel <id>', 'the route of the money, such as sandbox or wallet')
    .option('--to-name <name>', 'who receives it')
    .option('--to-wallet <account>', 'account number, e-wallet number or wallet id of the receiver')
    .option('--description <text>')
    .option('--reference <text>', 'your own reference (deliverable.reference_id)')
    .option('--expires-in <duration>', 'such as 24h', durationSeconds)
    .option('--metadata <name=value>', 'a pair of your own; may be given again', metadataPair)
    .option('--data <json>', 'any fields of the API, as a JSON object', jsonObject)
}

type DraftOptions = Options & {
  readonly amount?: number
  readonly currency?: string
  readonly channel?: string
  readonly toName?: string
  readonly toWallet?: string
  readonly description?: string
  readonly reference?: string
  readonly expiresIn?: number
  readonly metadata?: Readonly<Record<string, string>>
  readonly data?: Record<string, unknown>
}

function draftOf(options: DraftOptions): Record<string, unknown> {
  const { amount, currency: code, channel, toName, toWallet, description, reference, expiresIn } = options
  const { metadata, data = {} } = options
  const named = { amount, currency: code, channel, description, expires_in: expiresIn }
  const draft: Record<string, unknown> = { ...data }
  for (const [field, value] of Object.entries(named)) if (value !== undefined) draft[field] = value
  if (toName !== undefined || toWallet !== undefined)
    draft['recipient'] = {
      ...objectIn(data, 'recipient'),
      ...(toName === undefined ? {} : { name: toName }),
      ...(toWallet === undefined ? {} : { wallet: toWallet }),
    }
  if (metadata !== undefined) draft['metadata'] = { ...objectIn(data, 'metadata'), ...metadata }
  if (reference !== undefined) draft['deliverable'] = { ...objectIn(data, 'deliverable'), reference_id: reference }
  return draft
}

const objectIn = (data: Record<string, unknown>, field: string) =>
  typeof data[field] === 'object' ? (data[field] as object) : {}

function createCommand(): Command {
  const command = commandWithJson('create', 'make a draft; only amount and currency are needed at once', [
    'gateway transfers create --amount 1500 --currency PHP --channel sandbox --to-name "Ana Cruz" --to-wallet 0012345678',
    `gateway transfers create --data '{"amount":1500,"currency":"PHP"}' --idempotency-key order-17`,
  ])
  return withDraft(withPlace(command))
    .option('--idempotency-key <key>', 'makes a repetition harmless')
    .action((options: DraftOptions & { readonly idempotencyKey?: string }) =>
      change(options, {
        method: 'POST',
        path: '/contracts/transfer',
        body: draftOf(options),
        idempotencyKey: options.idempotencyKey,
      }),
    )
}

function updateCommand(): Command {
  return withDraft(
    guarded('update', 'mend a draft; only what is given changes', [
      'gateway transfers update 0198… --to-wallet 0012345678',
      'gateway transfers update 0198… --metadata order=17 --if-match 3',
    ]),
  ).action((id: string, options: DraftOptions & Guarded) =>
    change(options, { method: 'PATCH', path: `/contracts/transfer/${id}`, body: draftOf(options) }),
  )
}

function issueCommand(): Command {
  return guarded('issue', 'freeze the terms of a valid draft', ['gateway transfers issue 0198…']).action(
    (id: string, options: Guarded) => change(options, { method: 'PUT', path: `/contracts/transfer/${id}/issue` }),
  )
}

function payCommand(): Command {
  return guarded('pay', 'pay an issued contract from a wallet', ['gateway transfers pay 0198…'])
    .option('--source <wallet>', 'the wallet (default: that of the currency)', uuid)
    .action((id: string, options: Guarded & { readonly source?: string }) =>
      change(options, {
        method: 'PUT',
        path: `/contracts/transfer/${id}/pay`,
        body: options.source === undefined ? undefined : { source: options.source },
      }),
    )
}

function cancelCommand(): Command {
  return guarded('cancel', 'cancel a contract; what was paid and did not arrive comes back', [
    'gateway transfers cancel 0198… --reason "ordered twice"',
  ])
    .option('--reason <text>', 'why')
    .action((id: string, options: Guarded & { readonly reason?: string }) =>
      change(options, {
        method: 'DELETE',
        path: `/contracts/transfer/${id}`,
        body: options.reason === undefined ? undefined : { reason: options.reason },
      }),
    )
}

async function change(options: Guarded, what: Call): Promise<void> {
  const data = await call<{ contract: ContractBody }>(placeOf(options), { ...what, ifMatch: options.ifMatch })
  if (options.json) printJson(data)
  else printContract(data.contract)
}

function getCommand(): Command {
  return one('get', 'show a contract with its history', ['gateway transfers get 0198…']).action(
    async (id: string, options: Options) => {
      const { contract } = await read(options, id)
      if (options.json) return printJson({ contract })
      printContract(contract)
      print()
      for (const activity of contract.activities) print(`  ${activityLine(activity)}`)
    },
  )
}

const read = (options: Options, id: string) =>
  call<{ contract: ContractBody }>(placeOf(options), { method: 'GET', path: `/contracts/transfer/${id}` })

type ListOptions = Options & {
  readonly status?: string
  readonly channel?: string
  readonly currency?: string
  readonly reference?: string
  readonly limit?: number
  readonly after?: string
}

function listCommand(): Command {
  return withPlace(
    commandWithJson('list', 'list contracts, newest first', [
      'gateway transfers list --status paid',
      'gateway transfers list --limit 100 --json',
    ]),
  )
    .option('--status <status>', 'only those that are draft, issued, paid, …; several after commas')
    .option('--channel <id>', 'only those of the channel')
    .option('--currency <code>', 'only those in the currency', currency)
    .option('--reference <text>', 'only those with this reference of yours')
    .option('--limit <n>', 'at most so many, up to 100', wholeNumber)
    .option('--after <cursor>', 'go on after the page that ended with this', uuid)
    .action(async (options: ListOptions) => {
      const { status, channel, currency: code, reference, limit, after } = options
      const query = { status, channel, currency: code, reference_id: reference, limit, after }
      const page = await call<{ contracts: ContractBody[]; next: string | null }>(placeOf(options), {
        method: 'GET',
        path: '/contracts/transfer',
        query,
      })
      if (options.json) return printJson(page)
      printContracts(page.contracts)
      if (page.next !== null) note(`More: gateway transfers list --after ${page.next}`)
    })
}

const ENDS = new Set(['completed', 'cancelled', 'expired'])

function watchCommand(): Command {
  return one('watch', 'follow a contract until it ends', ['gateway transfers watch 0198…']).action(
    (id: string, options: Options) => watchContract(options, async () => (await read(options, id)).contract, ENDS),
  )
}
