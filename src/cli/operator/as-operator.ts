// What an operator's command is: work on the database of the configuration, and for an action by hand who did it and what
// proves it.
import { userInfo } from 'node:os'
import { isRefusal, type Refusal } from '../../domain/contract/refusals.ts'
import { readConfig } from '../../main/config/config.ts'
import type { Operator } from '../../main/operator/operator.ts'
import { wordOf } from '../arguments.ts'
import { CommandFailed } from '../failures.ts'
import { option, required, type Values } from '../command.ts'

/**
 * Opens the database for one command, and closes it whatever happens: an embedded server that runs is shared, one that does
 * not is started. A refusal is thrown as {@link CommandFailed}. `name`: who does it, where that is given.
 */
export async function asOperator<T>(work: (operator: Operator) => Promise<T | Refusal>, name?: string): Promise<T> {
  const { openOperator } = await import('../../main/operator/operator.ts')
  const operator = await openOperator(
    readConfig(),
    () => undefined,
    () => operatorName(name),
  )
  try {
    const result = await work(operator).catch(async (fault: unknown) => {
      throw await operator.faultOfOne(fault)
    })
    if (!isRefusal(result)) return result
    const { code, param, message } = result
    throw new CommandFailed(message, { code, param, message })
  } finally {
    await operator.close()
  }
}

const EVIDENCE_MAX = 1000

export const OPERATOR = { operator: option('<name>', 'who does it (default: the user of this system)') }

/** What every action by hand says: why, and who. */
export const DEED = {
  evidence: required(
    option(
      '<text>',
      'what proves it: a letter, a ticket, a line of a statement',
      wordOf(`Give the evidence in 1 to ${EVIDENCE_MAX} characters.`, (text) => {
        const trimmed = text.trim()
        return trimmed === '' || trimmed.length > EVIDENCE_MAX ? null : trimmed
      }),
    ),
  ),
  ...OPERATOR,
}

export const deedOf = ({ evidence, operator }: Values<typeof DEED>) => ({ evidence, operator: operatorName(operator) })

/** Who does it: the name given, or the user of this system. */
export function operatorName(given: string | undefined): string {
  if (given !== undefined && given.trim() !== '') return given.trim()
  try {
    return userInfo().username
  } catch {
    throw new CommandFailed('This system knows no name for its user. Give --operator.')
  }
}

export const noSuchAccount = (id: string) =>
  new CommandFailed(`No account has the id ${id}. See: gateway accounts list`)

/** Throws where one of the channels is not configured. */
export function refuseUnknownChannels(ids: readonly string[]): void {
  const known = readConfig().channels.map((channel) => channel.id)
  const unknown = ids.filter((id) => !known.includes(id))
  if (unknown.length > 0)
    throw new CommandFailed(`No channel has the id ${unknown.join(', ')}. There are: ${known.join(', ')}.`)
}
