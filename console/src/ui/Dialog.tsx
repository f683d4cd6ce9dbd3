// A dialog over the page. It is there while it is open, and gives the focus back to what had it before.
import { Modal, type ModalProps } from '@mantine/core'
import { useEffect, useRef } from 'react'

export function Dialog(props: Omit<ModalProps, 'opened'>) {
  // Mantine gives it back where a dialog stays and is closed; this one is gone by then, and whoever has no mouse began at the top.
  const before = useRef(document.activeElement).current
  useEffect(
    () => () => {
      // After the trap of the focus has gone, too. What opened it may be gone as well, such as the entry of a menu.
      setTimeout(() => {
        if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
      })
    },
    [before],
  )
  return <Modal opened {...props} />
}
