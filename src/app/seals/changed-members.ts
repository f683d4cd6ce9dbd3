// Which members of a document are not what was sealed: by the marks that the seal keeps of each, and inside a member by what the
// contract's versions before and after have there.
import { removedFrom } from '../../domain/seal/removed.ts'
import { membersOf, type Step } from '../../domain/seal/seal.ts'
import type { Session } from '../../platform/db.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import { stepFrom, stepsOfContract } from '../../store/seals/seals.ts'
import { type Leaf, unmarked } from './leaves.ts'

export type ChangedMembers = { readonly names: readonly string[]; readonly kind: string }

/** `place`: of the step among those of the seal. */
export async function changedMembers(
  session: Session,
  key: AccountKey,
  step: Step,
  leaf: Leaf,
  marks: Buffer,
  place: number,
): Promise<ChangedMembers> {
  const members = new Map(membersOf(step.document))
  const kind = members.get('kind') === 'payment' ? 'payment' : 'transfer'
  const names = unmarked(marks, place, leaf)
  if (names.length === 0 || !step.isContract) return { names, kind }
  const [found] = await session.send([stepsOfContract(key, step.object)])
  const beside = (found?.rows ?? [])
    .map(stepFrom)
    .filter(({ version, document }) => Math.abs(version - step.version) === 1 && removedFrom(document) === null)
    .map(({ document }) => new Map(membersOf(document)))
  return { names: names.map((name) => within(name, members, beside)), kind }
}

type Members = ReadonlyMap<string, unknown>

/** `recipient.wallet`, where a version beside has all else of the recipient alike. */
function within(name: string, members: Members, beside: readonly Members[]): string {
  const own = partsOf(members.get(name))
  for (const version of beside) {
    const other = partsOf(version.get(name))
    const all = [...new Set([...own.keys(), ...other.keys()])]
    const differing = all.filter((part) => own.get(part) !== other.get(part))
    if (differing.length > 0 && differing.length < all.length)
      return differing.map((part) => `${name}.${part}`).join(', ')
  }
  return name
}

function partsOf(value: unknown): ReadonlyMap<string, string> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return new Map(isObject ? Object.entries(value).map(([part, inner]) => [part, JSON.stringify(inner)]) : [])
}
