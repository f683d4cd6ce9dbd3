// Keys that do something wherever one is: single ones, and two after one another such as "g t". None of them while somebody
// types, or while a dialog is open.
import { useEffect, useRef } from 'react'

type Shortcuts = Readonly<Record<string, () => void>>

const SEQUENCE_MS = 1200

function isTaken(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement
  if (event.metaKey || event.ctrlKey || event.altKey || event.isComposing) return true
  if (target.isContentEditable || target.closest('[role="dialog"]')) return true
  if (event.key === 'Enter') return target !== document.body && target.id !== 'main'
  return target.closest('input, textarea, select') !== null
}

let before = { key: '', at: 0 }

/** `{ '/': focus, 'g t': go }`. The newest that is mounted wins no more than the others: keys must be distinct. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const current = useRef(shortcuts)
  current.current = shortcuts
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (isTaken(event)) return
      const isSecond = event.timeStamp - before.at < SEQUENCE_MS && before.key === 'g' && event.key !== 'g'
      const act = current.current[isSecond ? `g ${event.key}` : event.key]
      if (!act) return
      event.preventDefault()
      act()
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}

// Remembered after everybody has looked at the key before it.
window.addEventListener('keyup', (event) => {
  before = { key: event.key, at: event.timeStamp }
})
