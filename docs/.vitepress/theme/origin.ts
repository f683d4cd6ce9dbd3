// Samples are written for the address that a gateway has by default. On the page they name the one that serves it, so that
// they work as they are pasted.

import { WRITTEN } from '../reference/written.ts'

/** Puts the page's origin in place of the written one, in all code. */
export function sayOrigin(root: HTMLElement, origin: string): void {
  if (origin === WRITTEN) return
  for (const code of root.querySelectorAll('.vp-doc code')) {
    if (!code.textContent.includes(WRITTEN)) continue
    const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (node.nodeValue?.includes(WRITTEN)) node.nodeValue = node.nodeValue.replaceAll(WRITTEN, origin)
  }
}
