// Deadlines that no busy machine misses: a call waits as long as it takes, but where the provider is made to hang, for then
// nothing else would ever end it. It knows that by the scenario that was posted, or by the amount that chooses one.
import type { Outbound } from '../../src/platform/outbound.ts'

const PATIENT_MS = 60_000
/** What hangs by itself: docs/sandbox.md. Amounts are told in major units, or in minor ones under these names. */
const HANGING = /\d\.3[12]\b|"(?:amount|value)":"?\d*3[12]\b|sandbox-timeout/

export type Patience = {
  /** The client, with the caller's deadline where the provider hangs, and none to speak of elsewhere. */
  readonly outbound: Outbound
  /** A scenario was posted; the function tells that it ended. */
  readonly posted: (scenario: object) => () => void
}

export function patient(outbound: Outbound): Patience {
  let hanging = 0
  return {
    outbound: {
      ...outbound,
      request: (ask) => {
        const mayHang = hanging > 0 || HANGING.test(String(ask.body ?? ''))
        return outbound.request(mayHang ? ask : { ...ask, timeoutMs: PATIENT_MS })
      },
    },
    posted: (scenario) => {
      if (!JSON.stringify(scenario).includes('hang')) return () => undefined
      hanging += 1
      return () => void (hanging -= 1)
    },
  }
}
