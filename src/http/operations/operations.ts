// The routes by which people operate the gateway: what waits for them, and the books of the installation.
import type { Context } from '../context.ts'
import { bookRoutes } from './books.ts'
import { freezeRoutes } from './freezes.ts'
import { payoutRoutes } from './payouts.ts'
import { providerRoutes } from './providers.ts'
import { recoveryRoutes } from './recovery.ts'
import { resolutionRoutes } from './resolutions.ts'
import { waitingTransferRoutes } from './transfers.ts'

export function operationRoutes(context: Context): void {
  waitingTransferRoutes(context)
  resolutionRoutes(context)
  freezeRoutes(context)
  payoutRoutes(context)
  recoveryRoutes(context)
  providerRoutes(context)
  bookRoutes(context)
}
