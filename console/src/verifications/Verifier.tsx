// One list of the account's own: its entries, added and removed here; tried on a name; archived.
import { Button, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useParams } from 'react-router'
import type { ListEntry, Verifier } from '../../../sdk/src/index.ts'
import { gateway, useRead, useWrite } from '../gateway.ts'
import { useCan } from '../session/session.ts'
import { countText } from '../ui/amounts.ts'
import { Facts, Id, Status, Time } from '../ui/atoms.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { Empty, Loaded } from '../ui/feedback.tsx'
import { ListTable } from '../ui/ListTable.tsx'
import { Page, Section } from '../ui/Page.tsx'
import { usePage } from '../ui/paging.ts'
import { useLanguage, useWords } from '../words/language.ts'
import { Ask } from './Ask.tsx'
import { CALLED } from './called-words.ts'
import { KeepSecret, type Kept, RollSecret } from './MakeCalled.tsx'
import { TryCalled } from './TryCalled.tsx'
import { VERIFIERS } from './words.ts'

const GROUPS = ['verifiers', 'verifierEntries']

export function OneVerifier() {
  const w = useWords(VERIFIERS)
  const { id = '' } = useParams()
  const read = useRead(['verifiers', 'get', id], (signal) => gateway.verifiers.get(id, { signal }))
  return (
    <Page
      title={read.data?.name ?? w.list}
      parent={[w.verifiers, '/verifications/verifiers']}
      beside={read.data && <Status of={read.data.status} />}
      actions={read.data && <Actions of={read.data} id={id} />}
    >
      <Loaded of={read}>{(data) => <Shown of={data} id={id} />}</Loaded>
    </Page>
  )
}

type Props = { readonly of: Verifier; readonly id: string }

function Actions({ of, id }: Props) {
  const w = useWords(VERIFIERS)
  const can = useCan()
  const [opened, setOpened] = useState<'try' | 'archive' | 'roll' | Kept | null>(null)
  const called = useWords(CALLED)
  const archive = useWrite(() => gateway.verifiers.archive(id), GROUPS)
  if (of.status === 'archived') return null
  return (
    <>
      {can(of.url === null ? 'contracts:read' : 'verifiers:write') && (
        <Button variant="default" onClick={() => setOpened('try')}>
          {w.try}
        </Button>
      )}
      {can('verifiers:write') && of.url !== null && (
        <Button variant="default" onClick={() => setOpened('roll')}>
          {called.roll}
        </Button>
      )}
      {can('verifiers:write') && (
        <Button color="red" variant="outline" onClick={() => setOpened('archive')}>
          {w.archive}
        </Button>
      )}
      {opened === 'try' && of.url === null && <Ask verifier={{ id, name: of.name }} onClose={() => setOpened(null)} />}
      {opened === 'try' && of.url !== null && <TryCalled of={of} id={id} onClose={() => setOpened(null)} />}
      {opened === 'roll' && (
        // What was asked is closed once it is done: the secret stays.
        <RollSecret id={id} onKept={setOpened} onClose={() => setOpened((now) => (now === 'roll' ? null : now))} />
      )}
      {typeof opened === 'object' && opened !== null && (
        <KeepSecret secret={opened.secret} onClose={() => setOpened(null)} />
      )}
      {opened === 'archive' && (
        <Confirm
          title={w.archiveTitle}
          action={w.archive}
          isDangerous
          onConfirm={() => archive.mutateAsync(undefined)}
          onClose={() => setOpened(null)}
        >
          <Text size="sm">{w.archiveHow}</Text>
        </Confirm>
      )}
    </>
  )
}

function Shown({ of, id }: Props) {
  const w = useWords(VERIFIERS)
  const called = useWords(CALLED)
  const language = useLanguage()
  return (
    <>
      <Section>
        <Facts
          of={[
            ['ID', <Id key="id" id={id} isWhole />],
            [w.what, of.description],
            of.entries === null ? null : [w.entries, countText(of.entries, language)],
            of.url === null ? null : [called.url, of.url],
            of.hit_from === null ? null : [w.hitFrom, String(of.hit_from)],
            [w.changed, <Time key="changed" at={of.changed_at} />],
          ]}
        />
      </Section>
      {of.kind === 'list' && <Entries of={of} id={id} />}
    </>
  )
}

function Entries({ of, id }: Props) {
  const w = useWords(VERIFIERS)
  const can = useCan()
  const [opened, setOpened] = useState<'add' | ListEntry | null>(null)
  const page = usePage<ListEntry>(['verifierEntries', 'list', id], (after, signal) =>
    gateway.verifierEntries.list(id, { after, limit: 25 }, { signal }).page(),
  )
  const mayWrite = can('verifiers:write') && of.status === 'active'
  const add = mayWrite ? <Button onClick={() => setOpened('add')}>{w.add}</Button> : undefined
  return (
    <Section title={w.entries} isFlush actions={add}>
      <ListTable
        {...page}
        label={w.entries}
        keyOf={(entry) => entry.id}
        empty={<Empty icon="list">{w.noEntries}</Empty>}
        columns={[
          { key: 'name', title: w.listed, render: ({ name }) => name ?? '—' },
          {
            key: 'numbers',
            title: w.numbers,
            render: ({ wallet, mobile, email }) => [wallet, mobile, email].filter(Boolean).join(' · ') || '—',
          },
          { key: 'note', title: w.note, render: ({ note }) => note ?? '—' },
          {
            key: 'do',
            title: '',
            render: (entry) =>
              mayWrite ? (
                <Button size="compact-sm" variant="default" onClick={() => setOpened(entry)}>
                  {w.remove}
                </Button>
              ) : null,
          },
        ]}
      />
      {opened === 'add' && <AddEntry id={id} onClose={() => setOpened(null)} />}
      {opened !== null && opened !== 'add' && <RemoveEntry id={id} of={opened} onClose={() => setOpened(null)} />}
    </Section>
  )
}

const FIELDS = ['name', 'wallet', 'mobile', 'email', 'note'] as const
const EMPTY = { name: '', wallet: '', mobile: '', email: '', note: '' }

function AddEntry({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const w = useWords(VERIFIERS)
  const [entry, setEntry] = useState(EMPTY)
  const add = useWrite(() => {
    const given = FIELDS.flatMap((field) => (entry[field].trim() === '' ? [] : [[field, entry[field].trim()]]))
    return gateway.verifierEntries.create(id, { entries: [Object.fromEntries(given)] })
  }, GROUPS)
  const labels = { name: w.listed, wallet: w.account, mobile: w.mobile, email: w.email, note: w.note }
  return (
    <Confirm
      title={w.addTitle}
      action={w.add}
      isDisabled={FIELDS.slice(0, -1).every((field) => entry[field].trim() === '')}
      onConfirm={() => add.mutateAsync(undefined)}
      onClose={onClose}
    >
      <Text size="sm">{w.addHow}</Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {FIELDS.map((field) => (
          <TextInput
            key={field}
            label={labels[field]}
            value={entry[field]}
            onChange={(event) => setEntry({ ...entry, [field]: event.currentTarget.value })}
          />
        ))}
      </SimpleGrid>
    </Confirm>
  )
}

type RemoveProps = { readonly id: string; readonly of: ListEntry; readonly onClose: () => void }

function RemoveEntry({ id, of, onClose }: RemoveProps) {
  const w = useWords(VERIFIERS)
  const remove = useWrite(() => gateway.verifierEntries.remove(id, of.id), GROUPS)
  return (
    <Confirm
      title={w.removeTitle}
      action={w.remove}
      isDangerous
      onConfirm={() => remove.mutateAsync(undefined)}
      onClose={onClose}
    >
      <Text size="sm">
        <strong>{of.name ?? of.wallet ?? of.mobile ?? of.email}</strong>
      </Text>
      <Text size="sm">{w.removeHow}</Text>
    </Confirm>
  )
}
