// Ctrl-C as a signal that a command ends by, in its own time.

/** Aborted by the first SIGINT or SIGTERM; a second one ends the process where it stands. */
export function untilInterrupted(): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  return stop.signal
}
