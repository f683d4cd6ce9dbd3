// What stands in place of the screens while a session is being ended, and until it has been.
import { Center, Container, Stack, Title } from '@mantine/core'
import { useEffect, useState } from 'react'
import { ErrorNote } from '../ui/feedback.tsx'
import { useWords } from '../words/language.ts'
import { endSession } from './session.ts'
import { SESSION } from './words.ts'

export function SigningOut() {
  const w = useWords(SESSION)
  const [error, setError] = useState<unknown>(null)
  const end = () => {
    setError(null)
    endSession().catch(setError)
  }
  useEffect(end, [])
  return (
    <Center mih="100vh">
      <Container component="main" size="xs" w="100%">
        <Stack gap="sm">
          <Title order={1} size="h3" aria-live="polite">
            {error ? w.notEnded : w.ending}
          </Title>
          {error ? <ErrorNote error={error} onAgain={end} /> : null}
        </Stack>
      </Container>
    </Center>
  )
}
