// The requests of the account as they are answered: followed for as long as the screen is open.
import { useEffect, useState } from 'react'
import type { ApiRequest } from '../../../../sdk/src/index.ts'
import { gateway, isSignedOut, queries } from '../../gateway.ts'

export type Filters = {
  readonly status?: string | undefined
  readonly method?: string | undefined
  readonly operation?: string | undefined
  readonly code?: string | undefined
}

/** Whether it is open, and why it is not, where the gateway refuses it. */
export function useRequestStream(filters: Filters, hear: (request: ApiRequest) => void) {
  const [isOpen, setOpen] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const key = JSON.stringify(filters)
  useEffect(() => {
    const stop = new AbortController()
    const onOpen = () => {
      setOpen(true)
      // What was answered between the list and the stream is in neither.
      void queries.invalidateQueries({ queryKey: ['log', 'requests'] })
    }
    const options = { signal: stop.signal, onOpen, onLost: () => setOpen(false) }
    const follow = async () => {
      for await (const { data } of gateway.stream('/requests/stream', JSON.parse(key), options))
        hear(JSON.parse(data) as ApiRequest)
    }
    setError(null)
    follow().catch((refused: unknown) => {
      setOpen(false)
      if (isSignedOut(refused)) void queries.invalidateQueries({ queryKey: ['session'] })
      else setError(refused)
    })
    return () => stop.abort()
  }, [key, hear])
  return { isOpen, error }
}
