// What is shown in place of a screen that broke, or that there is not.
import { Button, Stack } from '@mantine/core'
import { Link, useRouteError } from 'react-router'
import { Empty, ErrorNote } from '../ui/feedback.tsx'
import { Page } from '../ui/Page.tsx'
import { useWords } from '../words/language.ts'
import { SHELL } from './words.ts'

export function Stopped() {
  const w = useWords(SHELL)
  const error = useRouteError()
  return (
    <Page title={w.wentWrong}>
      <Stack maw={640} align="flex-start">
        <div>{w.wentWrongMend}</div>
        <ErrorNote error={error} />
        <Button onClick={() => location.reload()}>{w.reload}</Button>
      </Stack>
    </Page>
  )
}

export function NotFound() {
  const w = useWords(SHELL)
  return (
    <Page title={w.notFound}>
      <div className="card">
        <Empty
          icon="search"
          title={w.notFound}
          action={
            <Button component={Link} to="/">
              {w.toHome}
            </Button>
          }
        >
          {w.notFoundMend}
        </Empty>
      </div>
    </Page>
  )
}
