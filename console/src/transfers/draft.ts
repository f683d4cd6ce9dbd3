// A draft as its form holds it, and as the API takes it. Texts as they are typed: the gateway reads and judges them.
import { isAmount } from '../contracts/amount.ts'
import { changedOf } from '../edits.ts'
import type { Profile, TransferDraft, TransferPatch } from '../../../sdk/src/index.ts'
import type { Transfer } from './actions.ts'
import { NO_RECIPIENT, RECIPIENT_FIELDS, type RecipientField } from './fields.ts'

export type DraftForm = Readonly<Record<RecipientField, string>> & {
  readonly amount: string
  readonly currency: string
  readonly description: string
  readonly reference: string
  readonly channel: string | null
  readonly profile: string | null
  readonly destination: string | null
}

export const emptyForm = (currency: string): DraftForm => ({
  ...NO_RECIPIENT,
  amount: '',
  currency,
  description: '',
  reference: '',
  channel: null,
  profile: null,
  destination: null,
})

/** A form that pays somebody: by the way that is named, else by the default one, else by the only one. */
export function toProfile(
  { id, destinations }: Profile,
  destinationId: string | null,
): Pick<DraftForm, 'profile' | 'destination' | 'channel'> {
  const inUse = destinations.filter(({ status }) => status === 'active')
  const only = inUse.length === 1 ? inUse[0] : undefined
  const way = inUse.find((each) => each.id === destinationId) ?? inUse.find((each) => each.default) ?? only
  return { profile: id, destination: way?.id ?? null, channel: way?.channel ?? null }
}

export function formOf({ amount, currency, description, deliverable, recipient, channel }: Transfer): DraftForm {
  const known = Object.fromEntries(RECIPIENT_FIELDS.map((field) => [field, recipient?.[field] ?? '']))
  return {
    ...emptyForm(currency),
    ...(known as Readonly<Record<RecipientField, string>>),
    amount: String(amount),
    description: description ?? '',
    reference: deliverable?.reference_id ?? '',
    channel: channel?.id ?? null,
  }
}

/** Whether it is enough to be priced. */
export const isPriceable = ({ amount, currency }: DraftForm): boolean => isAmount(amount) && currency !== ''

/** The body of a draft; what is empty is null, so that a patch clears it. */
export function bodyOf(form: DraftForm): TransferDraft {
  const textOrNull = (text: string) => (text.trim() === '' ? null : text.trim())
  const byHand = Object.fromEntries(RECIPIENT_FIELDS.map((field) => [field, textOrNull(form[field])]))
  const { profile, destination } = form
  return {
    amount: form.amount.trim(),
    currency: form.currency as TransferDraft['currency'],
    description: textOrNull(form.description),
    channel: form.channel,
    deliverable: { reference_id: textOrNull(form.reference) },
    recipient: profile === null ? byHand : { profile, ...(destination && { destination }) },
  }
}

/** What of a draft was changed in its form: what stands as it was is not written again. */
export function patchOf(before: DraftForm, after: DraftForm): TransferPatch {
  return changedOf<TransferPatch>(bodyOf(before), bodyOf(after))
}
