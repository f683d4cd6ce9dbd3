// The way in over a page whose session has ended: the page stays as it was, and nothing of it is seen or reached until its member is back.
import { useLayoutEffect, useRef } from 'react'
import { useWords } from '../words/language.ts'
import { SignIn } from './SignIn.tsx'
import { SESSION } from './words.ts'
import './ended.css'

export function Ended() {
  const w = useWords(SESSION)
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const { current } = dialog
    // The browser itself keeps the focus in it, over other dialogs, too, and gives it back.
    current?.showModal()
    return () => current?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className="ended"
      aria-label={w.signIn}
      onCancel={(event) => event.preventDefault()}
      onClose={(event) => {
        // A browser closes it on the second Escape, whatever the first one was told.
        if (event.currentTarget.isConnected) event.currentTarget.showModal()
      }}
    >
      <SignIn lead={w.endedLead} />
    </dialog>
  )
}
