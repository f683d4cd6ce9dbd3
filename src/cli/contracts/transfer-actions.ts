// gateway transfers retry, explain, resolve: what is done about a transfer that is stuck. The first two ask the gateway;
// a resolution is the operator's, on the database itself.
import { userInfo } from 'node:os'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Static } from 'typebox'
import { isRefusal, type Refusal } from '../../domain/contract/refusals.ts'
import type { Explanation } from '../../wire/transfer-action-schemas.ts'
import { CommandFailed, commandWithJson, uuid, type WithJson } from '../arguments.ts'
import { asOperator } from '../operator/as-operator.ts'
import { call, type PlaceOptions, placeOf, withPlace } from '../client.ts'
import { type ContractBody, moneyText, printContract, statusText } from './contract-view.ts'
import { paint, print, printJson, printPairs } from '../output.ts'

export function transferActionCommands(): readonly Command[] {
  return [retryCommand(), explainCommand(), resolveCommand()]
}

function retryCommand(): Command {
  return withPlace(
    commandWithJson('retry', 'try a transfer again that failed for good, with a new attempt and a new hold', [
      'gateway transfers retry 0198…',
      'gateway transfers retry 0198… --channel pesonet',
    ]),
  )
    .argument('<id>', 'the contract', uuid)
    .option('--channel <id>', 'another channel (default: that of the attempt that failed)')
    .action(async (id: string, options: WithJson & PlaceOptions & { readonly channel?: string }) => {
      const body = options.channel === undefined ? undefined : { channel: options.channel }
      const path = `/contracts/transfer/${id}/retry`
      const data = await call<{ contract: ContractBody }>(placeOf(options), { method: 'PUT', path, body })
      if (options.json) printJson(data)
      else printContract(data.contract)
    })
}

type Explained = { readonly explanation: Static<typeof Explanation> }

function explainCommand(): Command {
  return withPlace(
    commandWithJson('explain', 'where the money is, who must act and by when, and what a cancel would do now', [
      'gateway transfers explain 0198…',
    ]),
  )
    .argument('<id>', 'the contract', uuid)
    .action(async (id: string, options: WithJson & PlaceOptions) => {
      const path = `/contracts/transfer/${id}/explain`
      const data = await call<Explained>(placeOf(options), { method: 'GET', path })
      if (options.json) printJson(data)
      else printExplanation(data)
    })
}

function printExplanation({ explanation }: Explained): void {
  const { summary, places, waits_for: waitsFor, by, cancel_now: cancelNow, attempt } = explanation
  print(summary)
  const rows = places.map(({ account, amount, currency }): [string, string] => [account, moneyText(amount, currency)])
  const tried = attempt && `${attempt.number}, ${attempt.status}, through ${attempt.channel} as ${attempt.reference}`
  printPairs([
    ...rows,
    ['waits for', paint('bold', waitsFor)],
    ['by', by ?? 'nothing happens by itself'],
    ['a cancel now', cancelNow],
    ...(tried === null ? [] : [['attempt', tried] as const]),
  ])
}

type Resolution = WithJson & {
  readonly as: 'delivered' | 'failed'
  readonly evidence: string
  readonly operator?: string
}

function resolveCommand(): Command {
  return withDeed(
    commandWithJson('resolve', 'say how a transfer ended that no channel tells about; kept with who said it and why', [
      'gateway transfers resolve 0198… --as delivered --evidence "bank letter of 3 March, ticket 4711"',
    ]),
  )
    .argument('<id>', 'the contract', uuid)
    .addOption(
      new Option('--as <outcome>', 'what became of it').choices(['delivered', 'failed']).makeOptionMandatory(true),
    )
    .action(async (id: string, { json, as, evidence, operator }: Resolution) => {
      const deed = { evidence, operator: operatorName(operator) }
      const answer = await asOperator((office) => office.resolve(id, as, deed))
      if (isRefusal(answer)) throw failedBy(answer)
      const { status, execution } = answer.contract
      if (json) return printJson({ contract_id: id, status, transfer: execution.status, as, ...deed })
      print(`The transfer is resolved as ${as}. The contract is ${statusText(status)}.`)
    })
}

const EVIDENCE_MAX = 1000

/** What every deed of an operator says: why, and who. */
export function withDeed(command: Command): Command {
  return command
    .requiredOption('--evidence <text>', 'what proves it: a letter, a ticket, a line of a statement', evidenceText)
    .option('--operator <name>', 'who does it (default: the user of this system)')
}

function evidenceText(text: string): string {
  const trimmed = text.trim()
  if (trimmed === '' || trimmed.length > EVIDENCE_MAX)
    throw new InvalidArgumentError(`Give the evidence in 1 to ${EVIDENCE_MAX} characters.`)
  return trimmed
}

/** Who does it: the name given, or the user of this system. */
export function operatorName(given: string | undefined): string {
  if (given !== undefined && given.trim() !== '') return given.trim()
  try {
    return userInfo().username
  } catch {
    throw new CommandFailed('This system knows no name for its user. Give --operator.')
  }
}

/** A refusal in the words of a command. */
export function failedBy({ code, param, message }: Refusal): CommandFailed {
  return new CommandFailed(message, { code, param, message })
}
