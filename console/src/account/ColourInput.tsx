// The account's colour, with what the payment page makes of it so that it can be read.
import { Button, Group, Text, TextInput } from '@mantine/core'
import { useLanguage, useWords, localeOf } from '../words/language.ts'
import { accentOf, colourOf, contrast, THEMES } from './payment-page.ts'
import { BRAND } from './words.ts'

type ColourInputProps = {
  readonly text: string
  readonly error: string | undefined
  readonly onChange: (text: string) => void
}

export function ColourInput({ text, error, onChange }: ColourInputProps) {
  const w = useWords(BRAND)
  const colour = colourOf(text)
  return (
    <div>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          label={w.colour}
          placeholder="#0b57c2"
          value={text}
          maxLength={7}
          error={error !== undefined}
          style={{ flex: 1 }}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        <input
          className="colour-input"
          type="color"
          aria-label={w.pickColour}
          value={colour ?? THEMES.light.accent}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        {text !== '' && (
          <Button variant="subtle" onClick={() => onChange('')}>
            {w.noColour}
          </Button>
        )}
      </Group>
      {error !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)" mt={4}>
          {error}
        </Text>
      )}
      {colour !== null && <Readability colour={colour} />}
    </div>
  )
}

function Readability({ colour }: { readonly colour: string }) {
  const w = useWords(BRAND)
  const language = useLanguage()
  const { button, links } = accentOf(colour)
  const format = new Intl.NumberFormat(localeOf(language), { maximumFractionDigits: 1 })
  const ink = button.text === '#000000' ? w.black : w.white
  const ratio = format.format(contrast(button.text, colour))
  const isAsIs = links.light === colour && links.dark === colour
  return (
    <Text size="sm" c="dimmed" mt={6} role="status">
      {w.onButton(ink, ratio)} {isAsIs ? w.linksAsIs : w.linksMended(links.light, links.dark)}
    </Text>
  )
}
