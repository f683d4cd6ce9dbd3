// Dialogs. What is asked before something is done: what it does, a reason where one is kept, and what the gateway says about it.
import { Button, Group, Modal, type ModalProps, Stack, Textarea, TextInput } from '@mantine/core'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useWords } from '../words/language.ts'
import { CopyButton } from './atoms.tsx'
import { ErrorNote, Note } from './feedback.tsx'
import { COMMON } from './words.ts'

/** A dialog over the page. It is there while it is open, and gives the focus back to what had it before. */
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

type ConfirmProps = {
  readonly title: string
  /** What happens, to which money, before it does. */
  readonly children?: ReactNode
  /** The word on the button: what it does, never Yes. */
  readonly action: string
  readonly isDangerous?: boolean
  /** The reason that is kept with it: asked for where this is set, and demanded where it says so. */
  readonly reason?: { readonly label?: string; readonly isRequired: boolean; readonly max?: number }
  /** A word that must be typed first, for what cannot be undone. */
  readonly typed?: string
  readonly isDisabled?: boolean
  readonly onConfirm: (reason: string) => Promise<unknown>
  readonly onClose: () => void
}

/** What a confirmation gives that has something to say still, and so does not close its dialog. */
export const STAYS = Symbol('stays')

/** Does it: closes when it is done, and stays, with the refusal, when it is not. */
function useConfirming(onConfirm: (reason: string) => Promise<unknown>, onClose: () => void) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const confirm = async (reason: string) => {
    setBusy(true)
    setError(null)
    try {
      if ((await onConfirm(reason)) === STAYS) setBusy(false)
      else onClose()
    } catch (refused) {
      setError(refused)
      setBusy(false)
    }
  }
  return { isBusy, error, confirm }
}

/** Mount it only while it is open. */
export function Confirm(props: ConfirmProps) {
  const { title, children, action, isDangerous = false, reason, typed, isDisabled = false, onConfirm, onClose } = props
  const w = useWords(COMMON)
  const [text, setText] = useState('')
  const [word, setWord] = useState('')
  const { isBusy, error, confirm } = useConfirming(onConfirm, onClose)
  const lacks = isDisabled || (reason?.isRequired && text.trim() === '') || (typed !== undefined && word !== typed)
  return (
    // What was sent goes on: a dialog that could be closed meanwhile would look as if it were stopped, and its failure be told to nobody.
    <Dialog
      onClose={onClose}
      title={title}
      centered
      closeOnEscape={!isBusy}
      closeOnClickOutside={!isBusy}
      closeButtonProps={{ 'aria-label': w.close, disabled: isBusy }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!lacks && !isBusy) void confirm(text.trim())
        }}
      >
        <Stack gap="md">
          {children}
          {reason && <Reason {...reason} text={text} onText={setText} />}
          {typed !== undefined && (
            <TextInput label={typed} value={word} onChange={(event) => setWord(event.currentTarget.value)} />
          )}
          {error !== null && <ErrorNote error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={isBusy}>
              {w.cancel}
            </Button>
            <Button type="submit" color={isDangerous ? 'red' : undefined} loading={isBusy} disabled={lacks}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

type ReasonProps = NonNullable<ConfirmProps['reason']> & {
  readonly text: string
  readonly onText: (text: string) => void
}

function Reason({ label, isRequired, max = 500, text, onText }: ReasonProps) {
  const w = useWords(COMMON)
  return (
    <Textarea
      label={label ?? w.reason}
      value={text}
      maxLength={max}
      autosize
      minRows={2}
      withAsterisk={isRequired}
      onChange={(event) => onText(event.currentTarget.value)}
      data-autofocus
    />
  )
}

/** A secret, which the gateway shows once. */
export function Secret({ label, text }: { readonly label: string; readonly text: string }) {
  const w = useWords(COMMON)
  return (
    <Note tone="warn" title={w.shownOnce}>
      <Group gap="xs" mt={6} wrap="nowrap">
        <span>{label}</span>
        <code className="id" style={{ overflowWrap: 'anywhere', whiteSpace: 'normal' }}>
          {text}
        </code>
        <CopyButton text={text} />
      </Group>
    </Note>
  )
}
