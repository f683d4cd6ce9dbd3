// Ids of contracts and what is derived from them. A contract id is a UUIDv7 that carries its lane, so that an id
// without a credential finds its place without a look-up (docs/design/write-path.md). Pure: random bits and time are passed in.

/** Lanes are fixed for ever: every tenant-owned row carries one (docs/design/write-path.md). */
export const LANE_COUNT = 256
/** Every lane: for a process that shares them with no other. */
export const ALL_LANES: readonly number[] = Array.from({ length: LANE_COUNT }, (_, lane) => lane)

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** True for the canonical lower-case text of a UUID (RFC 9562), any version. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/**
 * A UUIDv7 whose twelve bits after the version hold four random bits and then the lane.
 * `random` is at least 17 hexadecimal digits.
 */
export function laneUuid(lane: number, nowMs: number, random: string): string {
  const time = nowMs.toString(16).padStart(12, '0')
  const variant = (8 + (Number.parseInt(random.charAt(0), 16) & 3)).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.charAt(1)}${laneDigits(lane)}-${variant}${random.slice(2, 5)}-${random.slice(5, 17)}`
}

/** A lane as ids have it, and so the references of attempts: there it is the 15th and 16th digit. */
export const laneDigits = (lane: number): string => lane.toString(16).padStart(2, '0')

/** Whose contract an id names: what a provider's list of references tells of an account. */
type Owner = { readonly lane: number; readonly accountId: string }

/**
 * The id of a contract: a `laneUuid` that also says, in 16 bits, whose it is and, in 44 bits, under which idempotency key it was
 * requested. So the same request, made again when the books have forgotten it, is known by what the provider still knows.
 * `random` is at least 17 hexadecimal digits; `keyDigest` has eleven, and is null where there was no key.
 */
export function contractUuid(owner: Owner, nowMs: number, random: string, keyDigest: string | null): string {
  const digest = keyDigest ?? random.slice(2, 13)
  const own = random.slice(0, 2) + digest.slice(0, 3) + accountTagOf(owner.accountId) + digest.slice(3)
  return laneUuid(owner.lane, nowMs, own)
}

/** The account's own last 16 bits, which are random, as its contracts carry them: many accounts share each tag. */
export const accountTagOf = (accountId: string): string => accountId.slice(-4)

/** The tag of the account whose contract has the id; of a contract that is older than tags, any. */
export const tagIn = (contractId: string): string => contractId.slice(24, 28)

/** The digest of the key that the contract was requested under; of a contract without one, any. */
export const keyDigestIn = (contractId: string): string => contractId.slice(20, 23) + contractId.slice(28)

/** When an id was given, in milliseconds since the epoch, as whoever gave it knew the time. */
export const createdAtOf = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

/** The lane that `laneUuid` wrote into an id; of a foreign id some lane, where the id will simply be absent. */
export function laneOf(id: string): number {
  return Number.parseInt(id.slice(16, 18), 16)
}

/**
 * The id of the n-th activity of a contract: a UUIDv8 made from the contract's id, so that no id is stored for it.
 * The last 32 bits count up from the contract's own; two contracts of one millisecond collide only where 50 other bits do.
 * What was made after a restore has other bits before them: its place may have been another activity's, which the restore undid.
 */
export function activityId(contractId: string, index: number, epoch: number): string {
  const low = (Number.parseInt(contractId.slice(28), 16) + index + 1) % 0x1_0000_0000
  const own = inEpoch(contractId, epoch)
  return `${own.slice(0, 14)}8${own.slice(15, 28)}${low.toString(16).padStart(8, '0')}`
}

/** With which digits the id of the contract begins whose activity of that epoch has the id. */
export function contractPrefixOf(activity: string, epoch: number): string {
  const own = inEpoch(activity, epoch)
  return `${own.slice(0, 14)}7${own.slice(15, 28)}`
}

/** Marks twelve random bits with the epoch: those of the first stay as they are, and marked twice they are as before. */
function inEpoch(id: string, epoch: number): string {
  const marked = Number.parseInt(id.slice(20, 23), 16) ^ ((epoch - FIRST_EPOCH) % 0x1000)
  return `${id.slice(0, 20)}${marked.toString(16).padStart(3, '0')}${id.slice(23)}`
}

/** The id of the profile that is made of a contract's payer: one for each contract, and that of none of its activities. */
export function payerProfileId(contractId: string): string {
  return `${contractId.slice(0, 14)}8${contractId.slice(15)}`
}

/** Which event: the n-th of a contract, in the epoch of the books that it was made in (docs/recovery.md). */
export type EventName = { readonly contractId: string; readonly sequence: number; readonly epoch: number }

export const FIRST_EPOCH = 1

/**
 * The id of a contract's n-th event; from it the row is found without an index of its own. What was made after a restore has its
 * epoch at the end: its number may have been given to another event, which the restore undid.
 */
export function eventId(contractId: string, sequence: number, epoch = FIRST_EPOCH): string {
  const id = `evt_${contractId.replaceAll('-', '')}${sequence.toString().padStart(4, '0')}`
  return `${id}${epochSuffix(epoch)}`
}

/** A place in an account's history, which a restore may have given twice: `epoch` tells the two apart. */
export type EpochPlace = { readonly position: number; readonly epoch: number }

/** Of what is named by its place: nothing of the first epoch. */
const epochSuffix = (epoch: number) => (epoch === FIRST_EPOCH ? '' : `_${epoch}`)

/** The rows of the ledger that one step of a history booked. */
export const transactionId = ({ position, epoch }: EpochPlace): string => `txn_${position}${epochSuffix(epoch)}`

/** The same of a row that may be no step's. */
export const transactionIdOf = ({ position, epoch }: { readonly position: number | null; readonly epoch: number }) =>
  position === null ? null : transactionId({ position, epoch })

/** One delivery of the event at a place: the first, or a replay by its number. Unique within its endpoint. */
export const deliveryIdAt = ({ position, epoch }: EpochPlace, replay: number): string =>
  `dlv_${position}_${replay}${epochSuffix(epoch)}`

/**
 * Our reference for an attempt at the provider: 32 hexadecimal digits and the attempt's number, 35 characters at most
 * (ISO 20022 EndToEndId).
 */
export function attemptReference(contractId: string, number: number): string {
  return `${contractId.replaceAll('-', '')}${number.toString().padStart(3, '0')}`
}

/** The contract and the number behind an attempt's reference, or nothing when it is not one of ours. */
export function contractOfReference(reference: string): { contractId: string; number: number } | undefined {
  if (!/^[0-9a-f]{32}[0-9]{3}$/.test(reference)) return undefined
  const hex = reference
  const contractId = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
  return { contractId, number: Number(hex.slice(32)) }
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SHORT_DIGITS = 22

/** The same as `attemptReference` in 25 letters and digits, for codes with little room (EMVCo reference label). */
export function shortReference(contractId: string, number: number): string {
  let rest = BigInt(`0x${contractId.replaceAll('-', '')}`)
  let digits = ''
  for (let i = 0; i < SHORT_DIGITS; i++) {
    digits = BASE62.charAt(Number(rest % 62n)) + digits
    rest /= 62n
  }
  return `${digits}${number.toString().padStart(3, '0')}`
}

/** The reference that a short one stands for, or nothing when it is none of ours. */
export function referenceOfShort(short: string): string | undefined {
  if (!/^[0-9A-Za-z]{22}[0-9]{3}$/.test(short)) return undefined
  let value = 0n
  for (const digit of short.slice(0, SHORT_DIGITS)) value = value * 62n + BigInt(BASE62.indexOf(digit))
  const hex = value.toString(16).padStart(32, '0')
  return hex.length === 32 ? `${hex}${short.slice(SHORT_DIGITS)}` : undefined
}

/** The contract, sequence and epoch behind an event's id, or nothing when it is not one of ours. */
export function contractOfEvent(id: string): EventName | undefined {
  const match = EVENT.exec(id)
  if (!match) return undefined
  const contractId = match.slice(1, 6).join('-')
  return { contractId, sequence: Number(match[6]), epoch: Number(match[7] ?? FIRST_EPOCH) }
}

const EVENT =
  /^evt_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})([0-9]{4,9})(?:_([2-9]|[1-9][0-9]{1,8}))?$/

/** No id that was given at that time, or later, is before this one. */
export function firstIdAt(ms: number): string {
  const time = Math.min(Math.max(0, Math.floor(ms)), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}
