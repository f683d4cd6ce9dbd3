// Asks for another place than the one that the money came from: a channel, and the very fields that this channel takes.
import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { gateway, useRead } from '../gateway.ts'
import { DRAFT } from '../transfers/draft-words.ts'
import { fieldsOf } from '../transfers/fields.ts'
import { useWords } from '../words/language.ts'
import { BACK, type Elsewhere, type Money, payingOut, placeOf } from './elsewhere.ts'
import { PAYMENT } from './page-words.ts'

/** What is typed, and the place that it comes to; null while something lacks. */
export function useElsewhere(money: Money) {
  const [value, onChange] = useState<Elsewhere>(BACK)
  const read = useRead(['channels'], (signal) => gateway.channels.list({ signal }).all(), { staleTime: 60_000 })
  const channels = payingOut(read.data ?? [], money)
  return { place: placeOf(value, channels), asking: { value, channels, onChange } }
}

export function SendElsewhere({ value, channels, onChange }: ReturnType<typeof useElsewhere>['asking']) {
  const w = useWords(PAYMENT)
  const labels = useWords(DRAFT)
  const { channel, recipient } = value
  return (
    <>
      <Select
        label={w.elsewhere}
        description={w.elsewhereHow}
        data={channels.map(({ id, name }) => ({ value: id, label: name }))}
        value={channel}
        onChange={(chosen) => onChange({ ...value, channel: chosen })}
        clearable
        clearButtonProps={{ 'aria-label': w.elsewhereNot }}
      />
      {channel !== null &&
        fieldsOf(channels.find(({ id }) => id === channel)).map(({ field, mend }) => (
          <TextInput
            key={field}
            label={labels[field]}
            description={mend}
            value={recipient[field]}
            withAsterisk
            onChange={(event) => onChange({ channel, recipient: { ...recipient, [field]: event.currentTarget.value } })}
          />
        ))}
    </>
  )
}
