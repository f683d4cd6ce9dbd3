// The signed receipt of a contract, as a file that anybody checks without the gateway; or when to come for it.
import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { GatewayError } from '../../../sdk/src/index.ts'
import { gateway } from '../gateway.ts'
import { countText } from '../ui/amounts.ts'
import { DocsLink } from '../ui/DocsLink.tsx'
import { ErrorNote, Note } from '../ui/feedback.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Section } from '../ui/Page.tsx'
import { saveFile } from '../ui/save-file.ts'
import { useLanguage, useWords } from '../words/language.ts'
import { PAGE } from './page-words.ts'

type Props = { readonly kind: 'transfers' | 'payments'; readonly id: string }

type State = { readonly is: 'ready' | 'asking' | 'saved'; readonly error: unknown }

/** What the gateway asks for where it does not say. */
const SOON_SECONDS = 3

export function Receipt({ kind, id }: Props) {
  const w = useWords(PAGE)
  const language = useLanguage()
  const [{ is, error }, setState] = useState<State>({ is: 'ready', error: null })
  const get = async () => {
    setState({ is: 'asking', error: null })
    try {
      const receipt = await gateway[kind].receipt(id)
      saveFile(`receipt-${id}.json`, 'application/json', `${JSON.stringify(receipt, null, 2)}\n`)
      setState({ is: 'saved', error: null })
    } catch (fault) {
      setState({ is: 'ready', error: fault })
    }
  }
  const waits = error instanceof GatewayError && error.code === 'not_sealed_yet'
  const seconds = waits ? (error.retryAfterSeconds ?? SOON_SECONDS) : SOON_SECONDS
  return (
    <Section title={w.receipt}>
      <Stack gap="md" align="flex-start">
        <Text size="sm">{w.receiptHow}</Text>
        <Button
          variant="default"
          loading={is === 'asking'}
          leftSection={<Icon name="download" size={15} />}
          onClick={() => void get()}
        >
          {w.receiptGet}
        </Button>
        {is === 'saved' && (
          <Text size="sm" role="status">
            {w.receiptSaved}
          </Text>
        )}
        {waits && <Note tone="info">{w.receiptSoon(countText(seconds, language))}</Note>}
        {error !== null && !waits && <ErrorNote error={error} />}
        <DocsLink page="receipts">{w.receiptCheck}</DocsLink>
      </Stack>
    </Section>
  )
}
