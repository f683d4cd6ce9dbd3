// Tries policies on a transfer that is typed, or on one that there is, and shows why. Nothing is written.
import { SegmentedControl, SimpleGrid, Stack } from '@mantine/core'
import { useState } from 'react'
import type { PoliciesEvaluation, PolicyEvaluation, PolicyRequest } from '../../../../sdk/src/index.ts'
import { useActors } from '../../audit/actors.ts'
import { gateway, useWrite } from '../../gateway.ts'
import { useCan, useSignedIn } from '../../session/session.ts'
import { Form } from '../../ui/Form.tsx'
import { Section } from '../../ui/Page.tsx'
import { useWords } from '../../words/language.ts'
import { ContractChoice, DraftFields, draftOf, emptyTrial, PayerChoice, type Typed } from './TrialFields.tsx'
import { TRIALS } from './trial-words.ts'
import { Verdict } from './Verdict.tsx'
import '../policies.css'

/** One that is not saved, one that is, or all that are active. */
type Tried = { readonly policy: PolicyRequest } | { readonly id: string } | 'active'

export function TryIt({ what, isReady = true }: { readonly what: Tried; readonly isReady?: boolean }) {
  const w = useWords(TRIALS)
  const can = useCan()
  const { account } = useSignedIn()
  const [isDraft, setDraft] = useState(true)
  const [typed, setTyped] = useState<Typed>(() => emptyTrial(String(account?.default_currency ?? 'PHP')))
  const set = (part: Partial<Typed>) => setTyped((before) => ({ ...before, ...part }))
  const ask = useTrial(what, typed, isDraft)
  return (
    <Section title={w.try}>
      <Form
        fields={['draft.amount', 'draft.recipient', 'contract_id', 'draft.channel']}
        error={ask.error}
        action={w.tryNow}
        isBusy={ask.isPending}
        isDisabled={!isReady}
        onSubmit={() => ask.mutate(undefined)}
      >
        {(problem) => (
          <Stack gap="md">
            {can('contracts:read') && (
              <SegmentedControl
                aria-label={w.onWhat}
                value={isDraft ? 'draft' : 'contract'}
                style={{ alignSelf: 'flex-start' }}
                data={[
                  { value: 'draft', label: w.onDraft },
                  { value: 'contract', label: w.onContract },
                ]}
                onChange={(value) => setDraft(value === 'draft')}
              />
            )}
            <SimpleGrid cols={{ base: 1, sm: 3 }}>
              {isDraft ? (
                <DraftFields typed={typed} onChange={set} problem={problem} />
              ) : (
                <ContractChoice
                  value={typed.contract}
                  error={problem('contract_id')}
                  onChange={(contract) => set({ contract })}
                />
              )}
              <PayerChoice value={typed.payer} onChange={(payer) => set({ payer })} />
            </SimpleGrid>
          </Stack>
        )}
      </Form>
      {ask.data && (
        <div role="status" style={{ marginTop: 16 }}>
          <Verdict of={ask.data.verdict} currency={ask.data.currency} />
        </div>
      )}
    </Section>
  )
}

function useTrial(what: Tried, typed: Typed, isDraft: boolean) {
  const { all: actors } = useActors()
  const kindOf = (id: string) => (actors.find((each) => each.id === id)?.kind === 'key' ? { key: id } : { member: id })
  return useWrite(async () => {
    const payer = typed.payer === null ? {} : kindOf(typed.payer)
    const sent = isDraft ? { draft: draftOf(typed) } : { contract_id: typed.contract?.id ?? null }
    const currency = isDraft || !typed.contract ? typed.currency : typed.contract.currency
    return { currency, verdict: await evaluate(what, { ...sent, ...payer }) }
  }, [])
}

function evaluate(what: Tried, sent: PolicyEvaluation) {
  if (what === 'active') return gateway.policies.evaluateAll(sent)
  if ('id' in what) return gateway.policies.evaluate(what.id, sent)
  return gateway.policies.evaluateAll({ ...sent, policy: what.policy } as PoliciesEvaluation)
}
