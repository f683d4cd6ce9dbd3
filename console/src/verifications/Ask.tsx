// Asks a verifier about somebody, to see what it says: it moves nothing.
import { Select, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { gateway, useRead, useWrite } from '../gateway.ts'
import { useChannels } from '../profiles/channels.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { useWords } from '../words/language.ts'
import { GROUPS } from './Decide.tsx'
import { KINDS, VERIFICATIONS } from './words.ts'

const ASKED = ['name', 'mobile', 'chain_address', 'list'] as const
const FIELDS = ['name', 'wallet', 'tag', 'mobile'] as const
const NOBODY = { name: '', wallet: '', tag: '', mobile: '' }

/** The account's own verifiers, as they can be chosen. */
function useOwnLists() {
  const all = useRead(['verifiers', 'list'], (signal) => gateway.verifiers.list({ signal }))
  return (all.data?.verifiers ?? []).flatMap(({ id, name, status }) =>
    id !== null && status === 'active' ? [{ value: id, label: name }] : [],
  )
}

type Props = {
  /** A list of one's own that alone is asked. */
  readonly verifier?: { readonly id: string; readonly name: string }
  readonly onClose: () => void
}

export function Ask({ verifier, onClose }: Props) {
  const w = useWords(VERIFICATIONS)
  const kinds = useWords(KINDS)
  const navigate = useNavigate()
  const { paying } = useChannels()
  const own = useOwnLists()
  const [by, setBy] = useState<string>(verifier?.id ?? 'name')
  const [channel, setChannel] = useState<string | null>(null)
  const [recipient, setRecipient] = useState(NOBODY)
  const kind = ASKED.find((each) => each === by)
  const ask = useWrite(() => {
    const given = FIELDS.flatMap((field) => (recipient[field].trim() === '' ? [] : [[field, recipient[field].trim()]]))
    const what = kind ? { kind } : { verifier: by }
    return gateway.verifications.create({ ...what, channel, recipient: Object.fromEntries(given) })
  }, GROUPS)
  const confirm = async () => {
    const { id } = await ask.mutateAsync(undefined)
    void navigate(`/verifications/${id}`)
  }
  return (
    <Confirm
      title={verifier ? w.tryTitle(verifier.name) : w.askTitle}
      action={w.askDo}
      isDisabled={FIELDS.every((field) => recipient[field].trim() === '')}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Text size="sm">{w.askHow}</Text>
      {!verifier && (
        <Select
          label={w.verifier}
          data={[...ASKED.map((value) => ({ value: value as string, label: kinds[value] })), ...own]}
          value={by}
          allowDeselect={false}
          onChange={(each) => each && setBy(each)}
        />
      )}
      <Whom value={recipient} onChange={setRecipient} />
      {!verifier && (
        <Select
          label={w.channel}
          placeholder={w.anyChannel}
          data={paying.map(({ id, name }) => ({ value: id, label: name }))}
          value={channel}
          clearable
          clearButtonProps={{ 'aria-label': w.anyChannel }}
          onChange={setChannel}
        />
      )}
    </Confirm>
  )
}

type Recipient = typeof NOBODY

function Whom({ value, onChange }: { readonly value: Recipient; readonly onChange: (value: Recipient) => void }) {
  const w = useWords(VERIFICATIONS)
  const labels = { name: w.name, wallet: w.account, tag: w.tag, mobile: w.mobile }
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      {FIELDS.map((field) => (
        <TextInput
          key={field}
          label={labels[field]}
          value={value[field]}
          onChange={(event) => onChange({ ...value, [field]: event.currentTarget.value })}
        />
      ))}
    </SimpleGrid>
  )
}
