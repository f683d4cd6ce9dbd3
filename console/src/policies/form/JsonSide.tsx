// A policy as JSON, to copy and to paste into.
import { Group, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { CopyButton } from '../../ui/atoms.tsx'
import { Section } from '../../ui/Page.tsx'
import { useWords } from '../../words/language.ts'
import { formIn, jsonOf, type PolicyForm } from './form.ts'
import { FORM } from './form-words.ts'

export function JsonSide({
  form,
  onPaste,
}: {
  readonly form: PolicyForm
  readonly onPaste: (form: PolicyForm) => void
}) {
  const w = useWords(FORM)
  // What is typed here stays as it is typed for as long as it says what the form says.
  const [typed, setTyped] = useState<string | null>(null)
  const shown = jsonOf(form)
  const read = typed === null ? form : formIn(typed)
  const isOwn = typed !== null && (read === null || jsonOf(read) === shown)
  const text = isOwn ? typed : shown
  return (
    <Section title={w.json} actions={<CopyButton text={shown} />}>
      <Group gap={4} mb={6}>
        <Text size="sm" c="dimmed">
          {w.jsonHint}
        </Text>
      </Group>
      <Textarea
        aria-label={w.json}
        className="json-side"
        autosize
        minRows={8}
        maxRows={24}
        spellCheck={false}
        value={text}
        error={isOwn && read === null ? w.jsonWrong : undefined}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          const sent = formIn(event.currentTarget.value)
          if (sent) onPaste(sent)
        }}
      />
    </Section>
  )
}
