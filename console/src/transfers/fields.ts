// The fields of a recipient that a channel takes, as its JSON Schema names them.

export const RECIPIENT_FIELDS = ['name', 'wallet', 'tag', 'mobile', 'email', 'address', 'country'] as const
export type RecipientField = (typeof RECIPIENT_FIELDS)[number]

export const NO_RECIPIENT = { name: '', wallet: '', tag: '', mobile: '', email: '', address: '', country: '' }

/** The name alone while no channel is chosen. */
export function fieldsOf(of: OfChannel | undefined): readonly { field: RecipientField; mend: string | null }[] {
  const recipient = recipientOf(of)
  const asked = recipient?.required ?? ['name']
  return RECIPIENT_FIELDS.filter((field) => asked.includes(field)).map((field) => ({
    field,
    mend: recipient?.properties?.[field]?.description ?? null,
  }))
}

type OfChannel = { readonly required: Readonly<Record<string, unknown>> }

/** What a channel's `required` says of a recipient. */
export const recipientOf = (of: OfChannel | undefined) => (of?.required as Required | undefined)?.properties?.recipient

/** As much of a channel's JSON Schema as a form is made of. */
type Required = {
  readonly properties?: {
    readonly recipient?: {
      readonly required?: readonly string[]
      readonly properties?: Readonly<Record<string, { readonly description?: string }>>
    }
  }
}
