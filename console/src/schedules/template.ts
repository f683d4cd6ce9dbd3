// The draft of a schedule's runs as the form of drafts holds it, and as a patch of it is sent.
import type { Schedule } from '../../../sdk/src/index.ts'
import { bodyOf, type DraftForm, emptyForm } from '../transfers/draft.ts'
import { RECIPIENT_FIELDS } from '../transfers/fields.ts'

const textIn = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

const membersOf = (value: unknown) => (value ?? {}) as Readonly<Record<string, unknown>>

export function templateFormOf({ template, pays }: Schedule): DraftForm {
  const recipient = membersOf(template['recipient'])
  const known = Object.fromEntries(RECIPIENT_FIELDS.map((field) => [field, textIn(recipient[field])]))
  return {
    ...emptyForm(pays.currency),
    ...(known as Pick<DraftForm, (typeof RECIPIENT_FIELDS)[number]>),
    amount: textIn(template['amount']),
    description: textIn(template['description']),
    reference: textIn(membersOf(template['deliverable'])['reference_id']),
    channel: textIn(template['channel']) || pays.channel,
    profile: textIn(recipient['profile']) || null,
    destination: textIn(recipient['destination']) || null,
  }
}

/** Somebody else is another recipient altogether: what the one before had is cleared. */
export function templatePatch(form: DraftForm): Record<string, unknown> {
  const { amount, recipient, ...others } = bodyOf(form)
  const cleared = Object.fromEntries([...RECIPIENT_FIELDS, 'profile', 'destination'].map((field) => [field, null]))
  return { ...others, amount: Number(amount), recipient: { ...cleared, ...recipient } }
}
