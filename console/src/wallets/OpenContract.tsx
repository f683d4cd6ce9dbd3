// Leads from a ledger row to its contract: the row has the id, and the gateway knows of which kind it is.
import { Navigate, useParams } from 'react-router'
import { gateway, useRead } from '../gateway.ts'
import { screenOf } from '../shell/Palette.tsx'
import { Loaded } from '../ui/feedback.tsx'

export function OpenContract() {
  const { id = '' } = useParams()
  const named = useRead(['resources', id], (signal) => gateway.resources.get(id, { signal }))
  return (
    <Loaded of={named}>
      {(found) => <Navigate replace to={('type' in found && screenOf(found as never)) || `/transfers/${id}`} />}
    </Loaded>
  )
}
