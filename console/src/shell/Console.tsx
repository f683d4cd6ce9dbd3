// Which of three the console is: the way in, the frame with its screens, or a word that the gateway cannot be reached.
import { Center, Container, Stack } from '@mantine/core'
import { useEffect, useMemo, useState } from 'react'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { AREAS } from '../areas.ts'
import { startLive } from '../live/events.ts'
import { Ended } from '../session/Ended.tsx'
import { Invitation } from '../session/Invitation.tsx'
import { SignedInContext, type SignedIn, useIsLeaving, useSession } from '../session/session.ts'
import { SignIn } from '../session/SignIn.tsx'
import { SigningOut } from '../session/SigningOut.tsx'
import { ErrorNote, Loading } from '../ui/feedback.tsx'
import { Frame } from './Frame.tsx'
import { NotFound, Stopped } from './Stopped.tsx'
import { seenBy } from './seen.ts'

const INVITED = /^\/console\/invitations\/([^/]+)\/?$/

export function Console() {
  const session = useSession()
  const isLeaving = useIsLeaving()
  const [last, setLast] = useState<SignedIn | null>(null)
  if (session.data && session.data !== last) setLast(session.data)
  const token = INVITED.exec(location.pathname)?.[1]
  if (token !== undefined) return <Invitation token={token} />
  if (isLeaving) return <SigningOut />
  // A session that ends takes no form with it: the screen stays, unseen, for the member who signs in again.
  if (last)
    return (
      <>
        <SignedInConsole key={last.member.id} signedIn={last} />
        {session.data === null && <Ended />}
      </>
    )
  if (session.data === null) return <SignIn />
  return (
    <Center mih="100vh">
      <Container size="xs" w="100%">
        {session.error ? (
          <ErrorNote error={session.error} onAgain={() => void session.refetch()} />
        ) : (
          <Loading rows={4} />
        )}
      </Container>
    </Center>
  )
}

function SignedInConsole({ signedIn }: { readonly signedIn: SignedIn }) {
  const { session, scopes } = signedIn
  // another session is another stream, the same one read again is not
  useEffect(() => (scopes.has('events:read') ? startLive() : undefined), [session.id])
  // the screens that there are follow from what the member may do
  const router = useMemo(() => routerFor(signedIn), [[...scopes].join()])
  return (
    <SignedInContext value={signedIn}>
      <RouterProvider router={router} />
    </SignedInContext>
  )
}

function routerFor(signedIn: SignedIn) {
  const screens = AREAS.filter((area) => seenBy(area, signedIn)).map(({ path, routes }) => ({
    path,
    errorElement: <Stopped />,
    children: [...routes],
  }))
  const hydrateFallbackElement = (
    <Stack p="xl">
      <Loading />
    </Stack>
  )
  return createBrowserRouter(
    [
      {
        element: <Frame />,
        errorElement: <Stopped />,
        hydrateFallbackElement,
        children: [...screens, { path: '*', element: <NotFound /> }],
      },
    ],
    { basename: '/console' },
  )
}
