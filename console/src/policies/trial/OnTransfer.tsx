// What policies say of a transfer that may still be paid, on its page: why it would be denied or wait, and which policy says so.
import { gateway, useRead } from '../../gateway.ts'
import { useCan } from '../../session/session.ts'
import { Section } from '../../ui/Page.tsx'
import { useWords } from '../../words/language.ts'
import { TRIALS } from './trial-words.ts'
import { Verdict } from './Verdict.tsx'
import '../policies.css'

const PAYABLE: readonly string[] = ['draft', 'issued']

type OnTransferProps = { readonly id: string; readonly status: string; readonly currency: string }

export function OnTransfer({ id, status, currency }: OnTransferProps) {
  const w = useWords(TRIALS)
  const can = useCan()
  const read = useRead(
    ['policies', 'on transfer', id],
    (signal) => gateway.policies.evaluateAll({ contract_id: id }, { signal }),
    { enabled: PAYABLE.includes(status) && can('policies:read') && can('contracts:read') },
  )
  // Where no policy says anything, there is nothing to say.
  if (!PAYABLE.includes(status) || !read.data?.traces.length) return null
  return (
    <Section title={w.policies}>
      <Verdict of={read.data} currency={currency} isWhole={false} />
    </Section>
  )
}
