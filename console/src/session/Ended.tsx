// The way in over a page whose session has ended: the page stays as it was, and nothing of it is seen or reached until its member is back.
import { useLayoutEffect, useRef } from 'react'
import { useWords } from '../words/language.ts'
import { SignIn } from './SignIn.tsx'
import { SESSION } from './words.ts'
import './ended.css'

const keepOpen = (event: KeyboardEvent) => {
  if (event.key === 'Escape') event.preventDefault()
}

export function Ended() {
  const w = useWords(SESSION)
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const { current } = dialog
    // The browser itself keeps the focus in it, over other dialogs, too, and gives it back.
    current?.showModal()
    // A browser closes a dialog on the second Escape, whatever it was told on the first.
    document.addEventListener('keydown', keepOpen, true)
    return () => {
      document.removeEventListener('keydown', keepOpen, true)
      current?.close()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      className="ended"
      aria-label={w.signIn}
      onCancel={(event) => event.preventDefault()}
      // There are other ways to close one than a key, such as a phone's way back.
      onClose={(event) => {
        if (event.currentTarget.isConnected) event.currentTarget.showModal()
      }}
    >
      <SignIn lead={w.endedLead} />
    </dialog>
  )
}
