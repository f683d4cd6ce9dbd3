// Waiting that can be ended: how long before the next try, and the sleep itself.

const FIRST_WAIT_MS = 250
const WAIT_MAX_MS = 8000

/** Before the try after `tries`: twice as long each time, half of it by chance, so that many callers do not come at once. */
export function backoffMs(tries: number): number {
  const fullMs = Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), WAIT_MAX_MS)
  return fullMs / 2 + (Math.random() * fullMs) / 2
}

/** Resolves after so long, or as soon as the signal is aborted. */
export function rest(waitMs: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const over = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', over)
      resolve()
    }
    const timer = setTimeout(over, waitMs)
    signal?.addEventListener('abort', over)
  })
}
