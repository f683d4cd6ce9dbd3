// Whose background work this process does: the lanes that are its own. Who asks does so in every round, for lanes come and go with
// other processes. It only divides the work: leases, fences and the locks of accounts keep two that work on one lane from harm.
import { ALL_LANES } from '../../domain/contract/ids.ts'
import type { SeenProcess } from '../../store/operator/processes.ts'

export type OwnLanes = () => readonly number[]

/** Whether work that belongs to no lane, such as reading a channel's news, is this process's to do. */
export type OwnWork = (name: string) => boolean

/** A process that works in lanes, and the servers beside home that it cannot work with. */
export type Worker = Pick<SeenProcess, 'id' | 'unreached'>

/**
 * The lanes of one process of several. Of the lanes of the others none moves when one more comes, but to it. A lane is of one that reaches
 * its server; where none does, each keeps what it would have, and goes back to it by itself.
 */
export function lanesOf(id: string, all: readonly Worker[], serverOf: (lane: number) => string): readonly number[] {
  const reaching = new Map<string, readonly string[]>()
  const ownersOf = (server: string) => {
    const known = reaching.get(server)
    if (known) return known
    const reach = all.filter(({ unreached }) => !unreached.includes(server))
    const ids = (reach.length > 0 ? reach : all).map((each) => each.id)
    reaching.set(server, ids)
    return ids
  }
  return ALL_LANES.filter((lane) => ownerOf(`lane ${lane}`, ownersOf(serverOf(lane))) === id)
}

/** Which process does a piece of work: the one that scores highest for it; null where there is none. */
export function ownerOf(work: string, all: readonly string[]): string | null {
  let owner: string | null = null
  let most = -1
  for (const id of all) {
    const score = scoreOf(`${id}/${work}`)
    if (score < most || (score === most && owner !== null && owner < id)) continue
    owner = id
    most = score
  }
  return owner
}

const OFFSET = 2_166_136_261
const PRIME = 16_777_619

/** FNV-1a, its bits mixed once more: names that differ in one digit score as far apart as any. */
function scoreOf(text: string): number {
  let hash = OFFSET
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2_b2_ae_35)
  return (hash ^ (hash >>> 16)) >>> 0
}
