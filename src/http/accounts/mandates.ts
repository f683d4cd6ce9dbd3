// A mandate as it is sent, read: amounts in minor units, recipients in the form in which contracts keep them.
import type { Static } from 'typebox'
import type { WantedMandate } from '../../app/accounts/keys.ts'
import type { MandateLimit, Payee } from '../../domain/mandate/mandate.ts'
import { amountFaultWords, parseAmount } from '../../domain/money/money.ts'
import { invalid, type Problem } from '../../domain/contract/refusals.ts'
import type { MandateBody } from '../../wire/accounts/mandates.ts'
import { recipientIn } from '../../app/contracts/recipient.ts'

type Sent = NonNullable<Static<typeof MandateBody>>
type SentLimit = Sent['limits'][number]
type SentPayee = NonNullable<Sent['recipients']>[number]

/** What is wrong with it goes to `problems`. */
export function mandateIn(sent: Sent, currencies: ReadonlySet<string>, problems: Problem[]): WantedMandate {
  const limits = sent.limits.map((limit, i) => limitIn(limit, `mandate.limits.${i}`, currencies, problems))
  if (new Set(limits.map(({ currency }) => currency)).size < limits.length)
    problems.push(invalid('mandate.limits', 'mandate.limits names a currency twice. Give each one limit.'))
  return {
    limits,
    recipients: sent.recipients?.map((each, i) => payeeIn(each, `mandate.recipients.${i}`, problems)) ?? null,
    profiles: sent.profiles?.map((id) => id.toLowerCase()) ?? null,
    channels: sent.channels ?? null,
    until: typeof sent.until === 'string' ? Date.parse(sent.until) : null,
  }
}

function limitIn(
  { currency: code, total, per_transfer: most, approval_above: above }: SentLimit,
  at: string,
  currencies: ReadonlySet<string>,
  problems: Problem[],
): MandateLimit {
  const currency = code.toUpperCase()
  if (!currencies.has(currency)) {
    const mend = `Choose one of: ${[...currencies].join(', ')}.`
    problems.push(invalid(`${at}.currency`, `currency ${currency} is not taken here. ${mend}`))
    return { currency, totalMinor: 0n, perTransferMinor: null, approvalAboveMinor: null }
  }
  const minor = (amount: number, member: string): bigint => {
    const parsed = parseAmount(amount, currency)
    if ('amountMinor' in parsed) return parsed.amountMinor
    problems.push(invalid(`${at}.${member}`, amountFaultWords(parsed.fault, currency)))
    return 0n
  }
  const perTransferMinor = typeof most === 'number' ? minor(most, 'per_transfer') : null
  // 0: nothing leaves by the key alone.
  const approvalAboveMinor = above === 0 ? 0n : typeof above === 'number' ? minor(above, 'approval_above') : null
  return { currency, totalMinor: minor(total, 'total'), perTransferMinor, approvalAboveMinor }
}

function payeeIn(sent: SentPayee, at: string, problems: Problem[]): Payee {
  const { wallet, tag, mobile, email } = recipientIn(sent, `${at}.`, problems)
  if (wallet === null && mobile === null && email === null)
    problems.push(invalid(at, `${at} names nobody. Give an account, a mobile number or an e-mail address.`))
  return { wallet, tag, mobile, email }
}
