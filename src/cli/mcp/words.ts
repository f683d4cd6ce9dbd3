// Contracts in a line or two, for whoever reads what a tool says. What other people wrote stands in quotes.
import type { Payment, Preview, Transfer } from '../../../sdk/src/index.ts'
import { moneyText } from '../view.ts'

export type Contract = Transfer | Payment

/** Text of somebody else, so that nobody takes it for the gateway's. */
const quoted = (text: string) => JSON.stringify(text)

export function recipientWords({ recipient }: Contract): string {
  if (recipient === null) return 'nobody yet'
  const { name, email, mobile, wallet, tag } = recipient
  const account = wallet === null ? null : `account ${quoted(wallet)}${tag === null ? '' : ` (${quoted(tag)})`}`
  const told = [name && quoted(name), account, mobile && quoted(mobile), email && quoted(email)].filter(Boolean)
  return told.length === 0 ? 'nobody yet' : told.join(', ')
}

export function priceWords({ preview, currency }: Contract): string {
  const { amount, fees } = preview
  if (fees === null || fees.total === 0) return `${moneyText(amount, currency)} (no fee)`
  return `${moneyText(amount, currency)} (of it a fee of ${moneyText(fees.total, currency)})`
}

export function contractWords(contract: Contract): string {
  const { id, kind, status, version, channel } = contract
  const mode = contract.livemode ? '' : 'TEST '
  const way = channel === null ? 'without a channel' : `through ${channel.id}`
  const who = kind === 'transfer' ? ` to ${recipientWords(contract)}` : ''
  return `${mode}${kind} ${id} is ${status} (version ${version}): ${priceWords(contract)} ${way}${who}.`
}

export const messageLines = ({ messages }: Pick<Preview, 'messages'>) =>
  messages.map(({ type, code, message }) => `- ${type}: ${message} (${code})`)
