// A list and what was chosen of it: beside each other where there is room, else what was chosen first.
import type { ReactNode } from 'react'

type SplitProps = { readonly list: ReactNode; readonly detail: ReactNode; readonly isOpen: boolean }

export function Split({ list, detail, isOpen }: SplitProps) {
  return (
    <div className={`split ${isOpen ? 'split-open' : ''}`}>
      <div className="split-list">{list}</div>
      <div className="split-detail">{detail}</div>
    </div>
  )
}
