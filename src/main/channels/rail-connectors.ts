// The connector of each rail: what it declares before it is opened, and how configuration opens it. The only file that
// knows every rail's connector.
import { CARD_COLLECTS, cardConnector } from '../../connectors/card/card.ts'
import type { CollectCapabilities, Connector } from '../../connectors/connector.ts'
import { GCASH_COLLECTS } from '../../connectors/gcash/gcash-collect.ts'
import { gcashConnector } from '../../connectors/gcash/gcash.ts'
import { instapayConnector } from '../../connectors/instapay/instapay.ts'
import { MAYA_COLLECTS } from '../../connectors/maya/maya-collect.ts'
import { mayaConnector } from '../../connectors/maya/maya.ts'
import { pesonetConnector } from '../../connectors/pesonet/pesonet.ts'
import { QRPH_COLLECTS, qrphConnector } from '../../connectors/qrph/qrph.ts'
import type { RailSettings } from '../../connectors/rail.ts'
import type { RailName, RailsConfig } from '../config/rails.ts'

/** What every connector is opened with. */
type Wire = RailSettings & { readonly nowMs: () => number }

type RailConnector = {
  /** What it declares of money that it brings in; null where it brings none. */
  readonly collects: CollectCapabilities | null
  readonly open: (wire: Wire, rails: RailsConfig) => Connector
}

export const RAIL_CONNECTORS: Readonly<Record<RailName, RailConnector>> = {
  instapay: {
    collects: null,
    open: (wire, rails) => instapayConnector({ ...wire, ...payerOf(rails), ...rails.credentials.instapay }),
  },
  pesonet: {
    collects: null,
    open: (wire, rails) => {
      const { debtorAccount, credentials } = rails
      return pesonetConnector({ ...wire, ...payerOf(rails), debtorAccount, ...credentials.pesonet })
    },
  },
  gcash: {
    collects: GCASH_COLLECTS,
    open: (wire, { credentials }) => gcashConnector({ ...wire, ...credentials.gcash }),
  },
  maya: { collects: MAYA_COLLECTS, open: (wire, { credentials }) => mayaConnector({ ...wire, ...credentials.maya }) },
  card: { collects: CARD_COLLECTS, open: (wire, { credentials }) => cardConnector({ ...wire, ...credentials.card }) },
  qrph: {
    collects: QRPH_COLLECTS,
    open: (wire, { credentials, qrphMerchant }) =>
      qrphConnector({ ...wire, ...qrphMerchant, ...credentials.qrph, payersChannel: 'instapay' }),
  },
}

const payerOf = ({ debtorName, debtorBank }: RailsConfig) => ({ debtorName, debtorBank })
