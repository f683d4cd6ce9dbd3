// The file that an export has written: how large it is, its hash, until when it is kept, and the way to it.
import { Button, Stack, Text } from '@mantine/core'
import type { Command } from '../../../sdk/src/index.ts'
import { countText } from '../ui/amounts.ts'
import { Facts, Id, Time } from '../ui/atoms.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Section } from '../ui/Page.tsx'
import { useLanguage, useWords } from '../words/language.ts'
import { PAYOUT } from './words.ts'

export function ExportFile({ of: { id, file } }: { readonly of: Command }) {
  const w = useWords(PAYOUT)
  const language = useLanguage()
  if (file === null) return null
  const { status, name, rows, bytes, sha256, expires_at: endsAt } = file
  return (
    <Section title={w.file}>
      <Stack gap="md" align="flex-start">
        {status === 'writing' && <Text role="status">{w.fileWriting}</Text>}
        {status === 'expired' && <Text>{w.fileExpired}</Text>}
        <Facts
          of={[
            [w.fileName, name],
            [w.fileRows, countText(rows, language)],
            [w.fileBytes, countText(bytes, language)],
            sha256 === null ? null : [w.fileHash, <Id key="hash" id={sha256} />],
            endsAt === null ? null : [w.fileEnds, <Time key="ends" at={endsAt} style="short" />],
          ]}
        />
        {status === 'ready' && (
          <Button component="a" href={`/commands/${id}/file`} download leftSection={<Icon name="download" size={15} />}>
            {w.fileGet}
          </Button>
        )}
      </Stack>
    </Section>
  )
}
