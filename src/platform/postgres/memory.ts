// How much memory the embedded server takes for pages of the books: a share of what this machine, or this container, has.
import { totalmem } from 'node:os'

const MB = 1024 ** 2
const BUFFERS_MIN_MB = 128
// Beyond this the server's own list of its pages costs more than what the system's cache does as well.
const BUFFERS_MAX_MB = 8192

/** What may be used here, in bytes: a container's limit where there is one. */
export function memoryHereBytes(): number {
  const limitBytes = process.constrainedMemory()
  return limitBytes > 0 ? Math.min(limitBytes, totalmem()) : totalmem()
}

/**
 * PostgreSQL's settings for so much memory: a quarter for its own pages, as its manual advises; and what its planner may take to be
 * cached, by it and by the system.
 */
export function memorySettings(memoryBytes: number) {
  const quarterMb = Math.floor(memoryBytes / 4 / MB)
  const buffersMb = Math.min(Math.max(quarterMb, BUFFERS_MIN_MB), BUFFERS_MAX_MB)
  return { shared_buffers: `${buffersMb}MB`, effective_cache_size: `${Math.max(quarterMb * 3, BUFFERS_MIN_MB)}MB` }
}
