// What a contract is about, as it is typed when one is made: amount, currency, description, reference.
import { Select, SimpleGrid, TextInput } from '@mantine/core'
import type { Problem } from '../ui/Form.tsx'
import { Section } from '../ui/Page.tsx'
import { COMMON } from '../ui/words.ts'
import { useWords } from '../words/language.ts'
import { isAmount } from './amount.ts'

export type WhatForm = {
  readonly amount: string
  readonly currency: string
  readonly description: string
  readonly reference: string
}

/** Their names in the API. */
export const WHAT_PARAMS = ['amount', 'currency', 'description', 'deliverable.reference_id'] as const

type WhatProps = {
  readonly words: Readonly<Record<'what' | 'amount' | 'currency' | 'description' | 'reference', string>>
  readonly form: WhatForm
  /** What can be chosen; what the form has is among it in any case. */
  readonly currencies: readonly string[]
  /** What the gateway said about one of `WHAT_PARAMS`. */
  readonly problem: Problem
  readonly onChange: (part: Partial<WhatForm>) => void
}

export function What({ words: w, form, currencies, problem, onChange }: WhatProps) {
  const c = useWords(COMMON)
  return (
    <Section title={w.what}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <TextInput
          label={w.amount}
          inputMode="decimal"
          value={form.amount}
          onChange={(event) => onChange({ amount: event.currentTarget.value })}
          error={form.amount.trim() === '' || isAmount(form.amount) ? problem('amount') : c.amountBad}
          withAsterisk
          autoFocus
        />
        <Select
          label={w.currency}
          data={currencies.includes(form.currency) ? [...currencies] : [form.currency, ...currencies]}
          value={form.currency}
          onChange={(currency) => currency && onChange({ currency })}
          allowDeselect={false}
          error={problem('currency')}
          searchable
          withAsterisk
        />
        <TextInput
          label={w.description}
          value={form.description}
          onChange={(event) => onChange({ description: event.currentTarget.value })}
          error={problem('description')}
        />
        <TextInput
          label={w.reference}
          value={form.reference}
          maxLength={128}
          onChange={(event) => onChange({ reference: event.currentTarget.value })}
          error={problem('deliverable.reference_id')}
        />
      </SimpleGrid>
    </Section>
  )
}
