// Why approvals are asked: what the policies that ask do, and whose mandate asks.
import type { QueuedApproval } from '../../../sdk/src/index.ts'
import { useWords } from '../words/language.ts'
import { APPROVALS } from './words.ts'

export function Reasons({ of: { policies, contract } }: { readonly of: QueuedApproval }) {
  const w = useWords(APPROVALS)
  const mandates = (contract.approval?.required ?? []).flatMap(({ mandate }) => mandate ?? [])
  return (
    <div>
      {policies.map(({ id, name, sentence }) => (
        <div key={id} title={name}>
          {sentence}
        </div>
      ))}
      {mandates.map(({ key, name }) => (
        <div key={key}>{w.byMandate(name)}</div>
      ))}
    </div>
  )
}
