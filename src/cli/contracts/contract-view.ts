// A transfer contract for people to read: what it is, what it costs, what it still lacks, and what has happened. Takes the
// reply as the API gives it.
import type { presentTransfer } from '../../wire/transfer.ts'
import { paint, print } from '../output.ts'
import { moneyText, printOne, type Shows, stateText, wordsOf } from '../view.ts'

export type Contract = ReturnType<typeof presentTransfer>
export type Activity = Contract['activities'][number]

const TRANSFER: Shows<Contract> = [
  ['contract', 'id'],
  ['mode', 'livemode'],
  ['status', ({ status, version }) => `${stateText(status)} (version ${version})`],
  ['amount', 'amount'],
  [
    'payer pays',
    ({ preview, currency }) => `${moneyText(preview.amount, currency)} (${feeText(preview.fees, currency)})`,
  ],
  ['recipient gets', ({ preview, currency }) => moneyText(preview.receive_amount, currency)],
  ['channel', ({ channel }) => (channel ? `${channel.id} (${channel.name})` : 'none yet')],
  ['recipient', ({ recipient }) => recipientText(recipient)],
  ['by profile', ({ recipient_profile: used }) => used && `${used.profile} (version ${used.profile_version})`],
  ['expires', 'expires_at'],
  [
    'transfer',
    ({ transfer: { status, reference, failure } }) =>
      status === 'none' ? null : wordsOf(status, reference, failure?.message),
  ],
  ['cancellation', ({ cancellation }) => cancellation && wordsOf(cancellation.status, cancellation.reason)],
  ['refunded', ({ refund, currency }) => refund && moneyText(refund.amount, currency)],
  [
    'metadata',
    ({ metadata }) => wordsOf(...Object.entries(metadata).map(([name, value]) => `${name}=${value}`)) || null,
  ],
]

export const TRANSFERS: Shows<Contract> = [
  ['contract', 'id'],
  ['mode', 'livemode'],
  ['status', 'status'],
  ['amount', 'amount'],
  ['channel', ({ channel }) => channel?.id],
  ['recipient', ({ recipient }) => recipientText(recipient)],
  ['created', 'created_at'],
]

export const TRANSFER_CSV =
  'id livemode status amount currency preview.amount preview.fees.total preview.receive_amount channel.id recipient.name recipient.wallet recipient.tag recipient.mobile recipient.email deliverable.reference_id description transfer.status transfer.reference created_at issued_at paid_at updated_at version metadata'.split(
    ' ',
  )

/** What a payment of it is about, in a sentence. */
export function payWords({ preview, currency, recipient, channel }: Contract, through = channel?.id): string {
  const to = recipientText(recipient)
  return `${moneyText(preview.amount, currency)} (${feeText(preview.fees, currency)}) through ${through ?? 'no channel yet'} to ${to}.`
}

export function printTransfer({ contract }: { readonly contract: Contract }): void {
  printOne(contract, TRANSFER)
  printMessages(contract)
}

export function printWholeTransfer(contract: Contract): void {
  printTransfer({ contract })
  printActivities(contract)
}

export const feeText = ({ total }: { readonly total: number }, currency: string) =>
  total === 0 ? 'no fee' : `fee ${moneyText(total, currency)}`

/** What a draft still lacks, and what to do about it. */
export function printMessages({ preview }: Pick<Contract, 'preview'>): void {
  for (const { type, code, message } of preview.messages)
    print(`  ${paint(type === 'error' ? 'red' : 'yellow', type)}  ${message} ${paint('dim', `(${code})`)}`)
}

export function printActivities({ activities }: { readonly activities: readonly Activity[] }): void {
  print()
  for (const activity of activities) print(`  ${activityLine(activity)}`)
}

const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value ?? null))

export function activityLine({ published_at, summary, resource }: Activity): string {
  const { before, after, ...others } = resource.data
  // The summary names what changed; the values stand beside it, where there are any.
  const [was, is] = [before, after].map((values) => (values ?? {}) as Readonly<Record<string, unknown>>)
  const changes = Object.entries(is ?? {}).map(([name, value]) => `${name} ${shown(was?.[name])} → ${shown(value)}`)
  const named = Object.entries(others).filter(([name]) => name !== 'changed')
  const data = [...named.map(([name, value]) => `${name} ${shown(value)}`), ...changes]
  return `${paint('dim', published_at)}  ${summary}${data.length === 0 ? '' : paint('dim', `  ${data.join(', ')}`)}`
}

function recipientText(recipient: Contract['recipient']): string {
  if (!recipient) return 'none yet'
  const { name, email, mobile, wallet } = recipient
  return wordsOf(name ?? email ?? mobile, wallet) || 'none yet'
}
