// A logo is chosen, shown, or taken away.
import { Button, Group, Input } from '@mantine/core'
import { useRef, useState } from 'react'
import { useWords } from '../words/language.ts'
import { LOGO_TYPES, type LogoFault, readLogo } from './logo.ts'
import { BRAND } from './words.ts'

type LogoInputProps = {
  readonly logo: string | null
  readonly error: string | undefined
  readonly onChange: (logo: string | null) => void
}

export function LogoInput({ logo, error, onChange }: LogoInputProps) {
  const w = useWords(BRAND)
  const input = useRef<HTMLInputElement>(null)
  const [fault, setFault] = useState<LogoFault | null>(null)
  const faults = { type: w.logoType, size: w.logoSize, pixels: w.logoPixels, broken: w.logoBroken }
  const take = async (file: File | undefined) => {
    if (!file) return
    const read = await readLogo(file)
    setFault('fault' in read ? read.fault : null)
    if ('uri' in read) onChange(read.uri)
  }
  return (
    <Input.Wrapper label={w.logo} description={w.logoHint} error={fault === null ? error : faults[fault]}>
      <Group gap="xs" mt={6}>
        {logo !== null && (
          <span style={{ padding: 6, border: '1px solid var(--line)', borderRadius: 8, background: '#fff' }}>
            <img src={logo} alt={w.logoNow} style={{ display: 'block', maxHeight: 36, maxWidth: 140 }} />
          </span>
        )}
        <Button variant="default" onClick={() => input.current?.click()}>
          {logo === null ? w.chooseLogo : w.otherLogo}
        </Button>
        {logo !== null && (
          <Button
            variant="subtle"
            onClick={() => {
              setFault(null)
              onChange(null)
            }}
          >
            {w.noLogo}
          </Button>
        )}
        <input
          ref={input}
          type="file"
          hidden
          accept={LOGO_TYPES.join(',')}
          aria-label={w.logo}
          onChange={(event) => {
            void take(event.currentTarget.files?.[0])
            event.currentTarget.value = ''
          }}
        />
      </Group>
    </Input.Wrapper>
  )
}
