// Who answers whether a recipient is who they are said to be: the built-in verifiers, the account's own, and the published lists.
import { Button, NumberInput, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import type { PublishedList, Verifier } from '../../../sdk/src/index.ts'
import { gateway, useRead, useWrite } from '../gateway.ts'
import { useCan } from '../session/session.ts'
import { countText } from '../ui/amounts.ts'
import { Status, Time } from '../ui/atoms.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { Empty, Loaded } from '../ui/feedback.tsx'
import { ListTable } from '../ui/ListTable.tsx'
import { Section } from '../ui/Page.tsx'
import { useLanguage, useWords } from '../words/language.ts'
import { VerificationsPage } from './VerificationsPage.tsx'
import { CALLED } from './called-words.ts'
import { KeepSecret, type Kept, MakeCalled } from './MakeCalled.tsx'
import { KINDS, VERIFIERS } from './words.ts'

export function Verifiers() {
  const w = useWords(VERIFIERS)
  const can = useCan()
  const called = useWords(CALLED)
  const navigate = useNavigate()
  const [making, setMaking] = useState<'list' | 'called' | Kept | null>(null)
  const read = useRead(['verifiers', 'list'], (signal) => gateway.verifiers.list({ signal }))
  const make = can('verifiers:write') ? <Button onClick={() => setMaking('list')}>{w.make}</Button> : undefined
  const makeCalled = can('verifiers:write') && (
    <Button variant="default" onClick={() => setMaking('called')}>
      {called.make}
    </Button>
  )
  return (
    <VerificationsPage
      actions={
        <>
          {makeCalled}
          {make}
        </>
      }
    >
      <Loaded of={read}>
        {({ verifiers, published_lists: lists }) => (
          <>
            <Own of={verifiers.filter(({ id }) => id !== null)} make={make} />
            <BuiltIn of={verifiers.filter(({ id }) => id === null)} />
            <Published of={lists} />
          </>
        )}
      </Loaded>
      {making === 'list' && <Make onClose={() => setMaking(null)} />}
      {making === 'called' && (
        // What was asked is closed once it is made: the secret stays.
        <MakeCalled onKept={setMaking} onClose={() => setMaking((now) => (now === 'called' ? null : now))} />
      )}
      {typeof making === 'object' && making !== null && (
        <KeepSecret secret={making.secret} onClose={() => void navigate(`/verifications/verifiers/${making.id}`)} />
      )}
    </VerificationsPage>
  )
}

function Own({ of, make }: { readonly of: readonly Verifier[]; readonly make: ReactNode }) {
  const w = useWords(VERIFIERS)
  const kinds: Readonly<Record<string, string>> = useWords(KINDS)
  const language = useLanguage()
  return (
    <Section title={w.own} isFlush>
      <ListTable
        label={w.own}
        rows={of}
        keyOf={({ id }) => id ?? ''}
        linkOf={({ id }) => `/verifications/verifiers/${id}`}
        empty={
          <Empty icon="list" title={w.noneTitle} action={make}>
            {w.none}
          </Empty>
        }
        columns={[
          { key: 'name', title: w.name, render: ({ name }) => <strong>{name}</strong> },
          { key: 'kind', title: w.kind, render: ({ kind }) => kinds[kind] ?? kind },
          {
            key: 'entries',
            title: w.entries,
            align: 'right',
            render: ({ entries }) => (entries === null ? '—' : countText(entries, language)),
          },
          { key: 'changed', title: w.changed, render: ({ changed_at: at }) => <Time at={at} /> },
          { key: 'status', title: w.state, render: ({ status }) => <Status of={status} /> },
        ]}
      />
    </Section>
  )
}

function BuiltIn({ of }: { readonly of: readonly Verifier[] }) {
  const w = useWords(VERIFIERS)
  return (
    <Section title={w.builtIn} isFlush>
      <ListTable
        label={w.builtIn}
        rows={of}
        keyOf={({ kind }) => kind}
        columns={[
          { key: 'name', title: w.name, render: ({ name }) => <strong>{name}</strong> },
          { key: 'what', title: w.what, render: ({ description }) => description },
        ]}
      />
    </Section>
  )
}

function Published({ of }: { readonly of: readonly PublishedList[] }) {
  const w = useWords(VERIFIERS)
  const language = useLanguage()
  return (
    <Section title={w.published} isFlush>
      {of.length === 0 ? (
        <Text size="sm" c="dimmed" px="md" pb="md">
          {w.noPublished}
        </Text>
      ) : (
        <ListTable
          label={w.published}
          rows={of}
          keyOf={({ source }) => source}
          columns={[
            { key: 'source', title: w.source, render: ({ source }) => <strong>{source}</strong> },
            { key: 'version', title: w.version, render: ({ version }) => version },
            {
              key: 'entries',
              title: w.entries,
              align: 'right',
              render: ({ entries }) => countText(entries, language),
            },
            { key: 'on', title: w.publishedOn, render: ({ published_on: day }) => day ?? '—' },
            { key: 'loaded', title: w.loaded, render: ({ loaded_at: at }) => <Time at={at} /> },
          ]}
        />
      )}
    </Section>
  )
}

const HIT_FROM = { default: 85, min: 50, max: 100 } as const

function Make({ onClose }: { readonly onClose: () => void }) {
  const w = useWords(VERIFIERS)
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [hitFrom, setHitFrom] = useState<number>(HIT_FROM.default)
  const make = useWrite(
    () => gateway.verifiers.create({ kind: 'list', name: name.trim(), hit_from: hitFrom }),
    ['verifiers'],
  )
  const confirm = async () => {
    const { id } = await make.mutateAsync(undefined)
    void navigate(`/verifications/verifiers/${id}`)
  }
  return (
    <Confirm
      title={w.makeTitle}
      action={w.makeDo}
      isDisabled={name.trim() === ''}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Text size="sm">{w.makeHow}</Text>
      <TextInput
        label={w.name}
        value={name}
        maxLength={100}
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <NumberInput
        label={w.hitFrom}
        description={w.hitFromHow}
        min={HIT_FROM.min}
        max={HIT_FROM.max}
        clampBehavior="strict"
        value={hitFrom}
        onChange={(value) => typeof value === 'number' && setHitFrom(value)}
      />
    </Confirm>
  )
}
