// Whether the gateway is operated over HTTP, and up to which amounts one person resolves an outcome alone.
import { isCurrency } from '../../domain/money/currencies.ts'
import { parseAmount } from '../../domain/money/money.ts'
import { type Env, listOf, type Reader } from './environment.ts'
import { textOf } from './settings.ts'

export type OperationsConfig = {
  /** Null where nothing is said: on in development alone. */
  readonly said: 'on' | 'off' | null
  /** By currency, in minor units; a currency that is not named always needs two people. */
  readonly limits: ReadonlyMap<string, bigint>
}

export function operationsOf(env: Env, { oneOf }: Reader, faults: string[]): OperationsConfig {
  const word = oneOf('GATEWAY_OPERATIONS', ['by mode', 'on', 'off'], 'by mode')
  return { said: word === 'by mode' ? null : word, limits: limitsOf(textOf(env, 'GATEWAY_RESOLUTION_LIMITS'), faults) }
}

function limitsOf(text: string, faults: string[]): ReadonlyMap<string, bigint> {
  const limits = new Map<string, bigint>()
  for (const each of listOf(text === 'none' ? '' : text)) {
    const [, currency = '', decimal = ''] = /^([A-Z]{3})=(\d+(?:\.\d+)?)$/.exec(each) ?? []
    const parsed = isCurrency(currency) ? parseAmount(Number(decimal), currency) : null
    if (parsed === null || 'fault' in parsed || limits.has(currency))
      faults.push(`GATEWAY_RESOLUTION_LIMITS must be a list such as PHP=50000,USD=1000, or none, not "${text}"`)
    else limits.set(currency, parsed.amountMinor)
  }
  return limits
}
