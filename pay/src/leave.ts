// Back to the merchant by itself, a moment after a payment that the payer saw being made here; a click stops it.

const SECONDS = 5

/** `paid`: it turned to paid while the page was open. `found`: it was as it is when the page was opened. */
export type Change = 'paid' | 'found'

let isStaying = false

/** Starts the wait after a payment that was seen here, or that the payer comes back from. */
export function leave(change: Change): void {
  const line = document.getElementById('leaving')
  const back = document.getElementById('back') as HTMLAnchorElement | null
  if (isStaying || !line || !back || (change === 'found' && !line.dataset['seen'])) return
  const text = line.querySelector('span')
  let left = SECONDS
  const tick = () => {
    // The body it stood in was replaced, by one that may have a word about money.
    if (!line.isConnected) return clearInterval(ticking)
    if (text) text.textContent = (line.dataset['said'] ?? '').replace('{n}', String(left))
    if (left === 0) {
      clearInterval(ticking)
      location.replace(back.href)
    }
    left -= 1
  }
  const ticking = setInterval(tick, 1000)
  line.hidden = false
  line.querySelector('[data-stay]')?.addEventListener('click', () => {
    isStaying = true
    clearInterval(ticking)
    line.hidden = true
    document.getElementById('now')?.focus()
  })
  tick()
}
