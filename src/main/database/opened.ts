// What is known of a database that was opened, and of the servers beside it.
import type { Statement } from '../../platform/db.ts'
import type { Servers } from '../../platform/postgres/hosts.ts'
import type { EmbeddedPostgres } from '../../platform/postgres/postgres.ts'
import type { Standing } from '../../platform/postgres/standing.ts'
import type { CameAt } from '../../platform/servers/absence.ts'
import type { HeldLanes } from '../../platform/servers/held-lanes.ts'
import type { Owners, Place } from '../../platform/servers/places.ts'
import type { PlacedLane } from '../../store/operator/lane-servers.ts'

export type Database = {
  /** What sessions log in as: the gateway's own role, but in a command of an operator. */
  readonly login: Servers
  /** The operators' login; null where neither it nor the owner's is configured. */
  readonly operator: Servers | null
  /** The owner's login: migrations, and nothing else; null where it is not configured. */
  readonly owner: Servers | null
  /** The embedded server as it was found or started; null for an own one. */
  readonly server: EmbeddedPostgres | null
  /** Of a gateway at work: which server its sessions may use. A command takes the one that it finds. */
  readonly standing?: Standing
  /** The servers beside this one that lanes are spread over; without any, all lanes are here. */
  readonly others?: OtherServers
  readonly stop: () => Promise<void>
}

/** A database whose owner is known: everything else follows from that. */
export type OwnedDatabase = Database & { readonly owner: Servers; readonly operator: Servers }

/** The servers beside home, and where each lane is. */
export type OtherServers = {
  /** By name, each as a database of its own. */
  readonly servers: ReadonlyMap<string, Database>
  readonly placement: Placement
  /** Those that did not answer at the start. Nothing is sent to them: nobody has seen whether they are as new as they were. */
  readonly absent: Set<string>
}

export type Placement = {
  /** The name of the server that has the lane. */
  readonly serverOf: (lane: number) => string
  /** What its row of the lane says since the move that brought it there; null where that says nothing. */
  readonly cameAt: CameAt
  readonly placeOf: (statement: Statement) => Place
  /** Lanes that are on their way from one server to another at this moment. */
  readonly held: HeldLanes
  /** Whether it was seen once, with the schema. */
  readonly isSeen: () => boolean
  /** What home says of lanes; and whose each table is, where that was not seen before. */
  readonly see: (lanes: readonly PlacedLane[], owners: Owners | null) => void
}
