// A new bulk payout: a file is chosen, checked row by row while it streams, mended, and started.
import { Button, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Wallet } from '../../../../sdk/src/index.ts'
import type { PayoutType } from '../types.ts'
import { useCan } from '../../session/session.ts'
import { Empty } from '../../ui/feedback.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { useWords } from '../../words/language.ts'
import { useChecking } from './checking.ts'
import { takesWallet } from './columns.ts'
import { Drop, type Source } from './Drop.tsx'
import { type Draft, Found } from './Found.tsx'
import { useWallets } from './Start.tsx'
import { NEW } from './words.ts'
import { NEEDED } from '../types.ts'
import { TITLE } from '../title.ts'
import { TYPES } from '../words.ts'

const NOTHING = { mends: new Map(), columns: new Map() }

export function NewPayout() {
  const { title } = useWords(TITLE)
  const w = useWords(NEW)
  const can = useCan()
  const types = (Object.keys(NEEDED) as PayoutType[]).filter(
    (type) => can('commands:write') && NEEDED[type].every((scope) => can(scope)),
  )
  const preferred = types.includes('transfers.payout') ? 'transfers.payout' : types[0]
  return (
    <Page title={w.create} parent={[title, '/payouts']}>
      {preferred === undefined ? (
        <Empty icon="lock" title={w.mayNot}>
          {w.mayNotMend}
        </Empty>
      ) : (
        <Making types={types} start={preferred} />
      )}
    </Page>
  )
}

function Making({ types, start }: { readonly types: readonly PayoutType[]; readonly start: PayoutType }) {
  const checking = useChecking()
  const wallets = useWallets()
  const [source, setSource] = useState<Source | null>(null)
  const [draft, setDraft] = useState<Draft>({ type: start, name: '', wallet: null, ...NOTHING })
  const check = (from: Source, part: Partial<Draft> = {}) => {
    const wanted = { ...draft, ...part }
    setSource(from)
    setDraft(wanted)
    void checking.send(from.file, wanted)
  }
  const another = () => {
    checking.forget()
    setSource(null)
    setDraft({ ...draft, ...NOTHING })
  }
  return (
    <Stack gap="lg">
      <Choice
        {...{ types, wallets, draft, source }}
        onChange={(part) => setDraft({ ...draft, ...part })}
        onChosen={(from) => check(from, { name: from.name, ...NOTHING })}
        onAnother={another}
      />
      {source && (
        <Found
          {...{ checking, draft }}
          onMends={(mends) => setDraft({ ...draft, mends })}
          onCheck={(part) => check(source, part)}
        />
      )}
    </Stack>
  )
}

type ChoiceProps = {
  readonly types: readonly PayoutType[]
  readonly wallets: readonly Wallet[]
  readonly draft: Draft
  readonly source: Source | null
  readonly onChange: (part: Partial<Draft>) => void
  readonly onChosen: (source: Source) => void
  readonly onAnother: () => void
}

function Choice({ types, wallets, draft, source, onChange, onChosen, onAnother }: ChoiceProps) {
  const w = useWords(NEW)
  const words = useWords(TYPES)
  const isChosen = source !== null
  return (
    <Section
      title={w.file}
      actions={
        isChosen && (
          <Button size="xs" variant="default" onClick={onAnother}>
            {w.another}
          </Button>
        )
      }
    >
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          <Select
            label={w.type}
            data={types.map((value) => ({ value, label: words[value] }))}
            value={draft.type}
            allowDeselect={false}
            disabled={isChosen}
            onChange={(type) => type && onChange({ type: type as PayoutType, wallet: null })}
          />
          {takesWallet(draft.type) && wallets.length > 0 && (
            <Select
              label={w.wallet}
              description={w.walletHint}
              inputWrapperOrder={['label', 'input', 'description']}
              data={[
                { value: '', label: w.walletDefault },
                ...wallets.map(({ id, label, currency }) => ({
                  value: id,
                  label: label ? `${label} (${currency})` : String(currency),
                })),
              ]}
              value={draft.wallet ?? ''}
              allowDeselect={false}
              disabled={isChosen}
              onChange={(wallet) => onChange({ wallet: wallet || null })}
            />
          )}
        </SimpleGrid>
        {isChosen ? (
          <TextInput
            label={w.name}
            value={draft.name}
            maxLength={1000}
            onChange={(event) => onChange({ name: event.currentTarget.value })}
          />
        ) : (
          <Drop type={draft.type} onChosen={onChosen} />
        )}
      </Stack>
    </Section>
  )
}
