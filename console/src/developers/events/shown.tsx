// What the list of events and the one that is open both show.
import type { GatewayEvent } from '../../../../sdk/src/index.ts'
import { Id } from '../../ui/atoms.tsx'
import { screenOfObject } from '../event-types.ts'

export const momentOf = ({ created_at }: Pick<GatewayEvent, 'created_at'>) => new Date(created_at * 1000).toISOString()

export function About({ of }: { readonly of: GatewayEvent }) {
  const { id } = of.data.object
  return <Id id={id} to={screenOfObject(of.kind, id) ?? undefined} />
}
