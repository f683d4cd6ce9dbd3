// Choosing one of the channels that the gateway offers.
import { NativeSelect } from '@mantine/core'
import { gateway, useRead } from '../gateway.ts'
import { useWords } from '../words/language.ts'
import { WORK } from './words.ts'

/** The channels that the gateway offers, of either mode that the member sees. */
export function ChannelChoice({
  value,
  onChange,
  none,
}: {
  readonly value: string
  readonly onChange: (id: string) => void
  /** What it means that none is chosen; without it one has to be. */
  readonly none?: string
}) {
  const w = useWords(WORK)
  const channels = useRead(['channels', 'list'], (signal) => gateway.channels.list({ signal }).all(200))
  const ids = [...new Set((channels.data ?? []).map(({ id }) => id))]
  return (
    <NativeSelect
      label={w.channel}
      data={[{ value: '', label: none ?? '' }, ...ids.map((id) => ({ value: id, label: id }))]}
      value={value}
      withAsterisk={none === undefined}
      onChange={(change) => onChange(change.currentTarget.value)}
    />
  )
}
