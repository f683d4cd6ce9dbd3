// Tries a verifier that is called: what was sent with its signature, what came back, and how it would be read.
import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core'
import { Dialog } from '../ui/Confirm.tsx'
import type { Verifier, VerifierTrial } from '../../../sdk/src/index.ts'
import { gateway, useWrite } from '../gateway.ts'
import { Facts, Status } from '../ui/atoms.tsx'
import { useWords } from '../words/language.ts'
import { CALLED } from './called-words.ts'

type Props = { readonly of: Verifier; readonly id: string; readonly onClose: () => void }

export function TryCalled({ of, id, onClose }: Props) {
  const w = useWords(CALLED)
  const send = useWrite(() => gateway.verifiers.try(id, {}), [])
  const trial = send.data
  return (
    <Dialog onClose={onClose} title={w.tryTitle(of.name)} size="lg" withCloseButton={false}>
      <Stack gap="md">
        <Text size="sm">{of.kind === 'otp' ? w.tryCodeHow : w.tryHow}</Text>
        {send.error && (
          <Alert color="red" role="alert">
            {send.error.message}
          </Alert>
        )}
        {trial && <Came of={trial} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {w.close}
          </Button>
          <Button data-autofocus loading={send.isPending} onClick={() => send.mutate(undefined)}>
            {trial ? w.sendAgain : w.send}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

function Came({ of }: { readonly of: VerifierTrial }) {
  const w = useWords(CALLED)
  const { request, response } = of
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`)
  return (
    <Stack gap="sm" aria-live="polite">
      <Facts
        of={[
          [w.readAs, <Status key="status" of={of.read_as} />],
          [w.reason, of.reason],
          [w.took, `${of.duration_ms} ms`],
        ]}
      />
      <Block title={w.sent} text={[`POST ${request.url}`, ...headers, '', request.body].join('\n')} />
      <Block title={w.came} text={response ? `${response.status_code}\n\n${response.body}` : w.nothing} />
    </Stack>
  )
}

function Block({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <div>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <Code
        block
        tabIndex={0}
        aria-label={title}
        style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', maxHeight: 220 }}
      >
        {text}
      </Code>
    </div>
  )
}
