// How far a cancellation is, and why it was asked for.
import { Status } from '../ui/atoms.tsx'

type Props = { readonly of: { readonly status: string; readonly reason: string | null } }

export function Cancellation({ of: { status, reason } }: Props) {
  return (
    <span style={{ display: 'inline-flex', flexWrap: 'wrap', gap: 8 }}>
      <Status of={status} />
      {reason !== null && <span>{reason}</span>}
    </span>
  )
}
