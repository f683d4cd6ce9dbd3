// A contract for people to read: what it is, what it costs, what it still lacks, and what has happened. Takes the reply
// as the API gives it.
import type { presentTransfer as presentContract } from '../../wire/transfer.ts'
import { digitsOf } from '../../domain/money/currencies.ts'
import { displayText, parseDecimal } from '../../domain/money/money.ts'
import { modeText, modeWords, paint, print, printPairs, printTable } from '../output.ts'

export type ContractBody = ReturnType<typeof presentContract>

/** An amount of a reply, with its currency: "PHP 1,517.50". */
export function moneyText(major: number, currency: string): string {
  const parsed = parseDecimal(major, digitsOf(currency))
  return 'fault' in parsed ? `${currency} ${major}` : displayText(parsed.scaled, currency)
}

const COLOURS = { completed: 'green', cancelled: 'yellow', expired: 'yellow', returned: 'red' } as const

export function statusText(status: string): string {
  return status in COLOURS ? paint(COLOURS[status as keyof typeof COLOURS], status) : paint('bold', status)
}

export function printContract(contract: ContractBody): void {
  const { preview, currency, channel, recipient, transfer, cancellation, refund } = contract
  const fee = preview.fees.total === 0 ? 'no fee' : `fee ${moneyText(preview.fees.total, currency)}`
  const pairs: [string, string][] = [
    ['contract', paint('bold', contract.id)],
    ['mode', modeWords(contract.livemode)],
    ['status', `${statusText(contract.status)} (version ${contract.version})`],
    ['amount', moneyText(contract.amount, currency)],
    ['payer pays', `${moneyText(preview.amount, currency)} (${fee})`],
    ['recipient gets', moneyText(preview.receive_amount, currency)],
    ['channel', channel ? `${channel.id} (${channel.name})` : 'none yet'],
    ['recipient', recipientText(recipient)],
    ['expires', contract.expires_at],
  ]
  if (transfer.status !== 'none')
    pairs.push(['transfer', wordsOf(transfer.status, transfer.reference, transfer.failure?.message)])
  if (cancellation) pairs.push(['cancellation', wordsOf(cancellation.status, cancellation.reason)])
  if (refund) pairs.push(['refunded', moneyText(refund.amount, currency)])
  const own = Object.entries(contract.metadata).map(([name, value]) => `${name}=${value}`)
  if (own.length > 0) pairs.push(['metadata', own.join(', ')])
  printPairs(pairs)
  printMessages(contract)
}

/** What the draft still lacks, each with its mend. */
export function printMessages({ preview }: Pick<ContractBody, 'preview'>): void {
  for (const { type, code, message } of preview.messages)
    print(`  ${paint(type === 'error' ? 'red' : 'yellow', type)}  ${message} ${paint('dim', `(${code})`)}`)
}

const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value ?? null))

export function activityLine({ published_at, summary, resource }: ContractBody['activities'][number]): string {
  const { before, after, ...others } = resource.data
  // The summary names what changed; the values stand beside it, where there are any.
  const [was, is] = [before, after].map((values) => (values ?? {}) as Readonly<Record<string, unknown>>)
  const changes = Object.entries(is ?? {}).map(([name, value]) => `${name} ${shown(was?.[name])} → ${shown(value)}`)
  const named = Object.entries(others).filter(([name]) => name !== 'changed')
  const data = [...named.map(([name, value]) => `${name} ${shown(value)}`), ...changes]
  return `${paint('dim', published_at)}  ${summary}${data.length === 0 ? '' : paint('dim', `  ${data.join(', ')}`)}`
}

export function printContracts(contracts: readonly ContractBody[]): void {
  const rows = contracts.map((each) => [
    each.id,
    modeText(each.livemode),
    each.status,
    moneyText(each.amount, each.currency),
    each.channel?.id ?? '',
    recipientText(each.recipient),
    each.created_at.slice(0, 19).replace('T', ' '),
  ])
  printTable(['CONTRACT', 'MODE', 'STATUS', 'AMOUNT', 'CHANNEL', 'RECIPIENT', 'CREATED'], rows)
}

function recipientText(recipient: ContractBody['recipient']): string {
  if (!recipient) return 'none yet'
  const { name, email, mobile, wallet } = recipient
  return wordsOf(name ?? email ?? mobile, wallet) || 'none yet'
}

const wordsOf = (...words: (string | null | undefined)[]) => words.filter(Boolean).join(', ')
