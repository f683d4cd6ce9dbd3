// Checks a receipt of a contract without the gateway: signatures, the way of each version to its seal, and what is shown of the
// contract. Works wherever Web Crypto knows Ed25519: Node.js, and browsers of today.
import type { Receipt } from './types.gen.ts'

/** What a receipt proves, once it was checked. */
export type VerifiedReceipt = {
  readonly isGenuine: true
  readonly contractId: string
  /** Members of the contract as it stood: `status`, `amount_minor` (minor units, a text), `currency`, `recipient` and others. */
  readonly contract: Readonly<Record<string, unknown>>
  /** What happened to it, oldest first; `event` is null where a step was none. */
  readonly versions: readonly { readonly version: number; readonly event: string | null; readonly at: string }[]
  /** Of the seal that its newest version is in. */
  readonly sealedAt: string
  readonly gateway: string
  readonly installation: string
  readonly account: string
  /** The ids of the keys that signed. */
  readonly keys: readonly string[]
}

/** Why a receipt is not believed. */
export type DoubtedReceipt = { readonly isGenuine: false; readonly reason: string }

/**
 * Checks a receipt. `publicKey`: the base64 of the gateway's key, from where you trust it (`gateway seals key`) and never from the
 * receipt, which anybody can sign with a key of their own; several where it was replaced. Without one no receipt is believed.
 */
export async function verifyReceipt(
  receipt: Receipt,
  publicKey: string | readonly string[],
): Promise<VerifiedReceipt | DoubtedReceipt> {
  try {
    return await checked(receipt, [publicKey ?? []].flat())
  } catch (fault) {
    return doubt(fault instanceof Doubt ? fault.message : 'it has not the form of a receipt')
  }
}

class Doubt extends Error {
  override readonly name = 'Doubt'
}

const doubt = (reason: string): DoubtedReceipt => ({ isGenuine: false, reason })

function must(holds: boolean, reason: string): asserts holds {
  if (!holds) throw new Doubt(reason)
}

type Seal = Readonly<
  Record<'gateway' | 'installation' | 'account' | 'history' | 'sealed_at' | 'key' | 'form', string>
> &
  Readonly<Record<'number' | 'from' | 'to', number>>
type Leaf = Readonly<Record<'object' | 'kind' | 'at' | 'members', string>> &
  Readonly<Record<'position' | 'version', number>> & { readonly event: string | null }

async function checked(receipt: Receipt, trusted: readonly string[]): Promise<VerifiedReceipt> {
  must(trusted.length > 0, 'no key was given that you trust, and anybody can sign with one of their own')
  must(receipt.form === 'gateway.receipt.v1', 'it has not the form of a receipt')
  const seals = new Map<number, Seal>()
  for (const each of receipt.seals) seals.set(each.number, await checkedSeal(each, trusted))
  const [first] = seals.values()
  must(first !== undefined, 'it has no seal')
  for (const seal of seals.values())
    must(
      seal.account === first.account && seal.installation === first.installation,
      'its seals are of different accounts',
    )
  const leaves: Leaf[] = []
  for (const each of receipt.versions) {
    const seal = seals.get(each.seal)
    must(seal !== undefined, `the seal ${each.seal} is not in it`)
    const leaf = await checkedLeaf(each, seal)
    must(leaf.kind === 'contract' && leaf.object === receipt.contract_id, 'a version is of another contract')
    must(leaf.version === leaves.length + 1, 'a version is missing')
    leaves.push(leaf)
  }
  const newest = leaves.at(-1)
  must(newest !== undefined, 'it has no version')
  must(new Set(receipt.versions.map(({ seal }) => seal)).size === seals.size, 'a seal in it vouches for nothing')
  const last = seals.get(receipt.versions.at(-1)?.seal ?? 0) as Seal
  return {
    isGenuine: true,
    contractId: receipt.contract_id,
    contract: await shownMembers(receipt, newest),
    versions: leaves.map(({ version, event, at }) => ({ version, event, at })),
    sealedAt: last.sealed_at,
    gateway: last.gateway,
    installation: last.installation,
    account: last.account,
    keys: [...new Set([...seals.values()].map(({ key }) => key))],
  }
}

async function checkedSeal(
  { number, text, signature, public_key: publicKey }: Receipt['seals'][number],
  trusted: readonly string[],
): Promise<Seal> {
  const seal = JSON.parse(text) as Seal
  must(seal.form === 'gateway.seal.v1' && seal.number === number, `seal ${number} is none`)
  const key = bytesOf(publicKey)
  must(base64Of(key) === publicKey && base64Of(bytesOf(signature)) === signature, `seal ${number} is written otherwise`)
  must((await sha256(key)).startsWith(seal.key), `seal ${number} names another key`)
  must(trusted.includes(publicKey), `seal ${number} is signed by a key that you do not trust`)
  const imported = await crypto.subtle.importKey('raw', key, 'Ed25519', false, ['verify'])
  const isSigned = await crypto.subtle.verify('Ed25519', imported, bytesOf(signature), utf8(text))
  must(isSigned, `the signature of seal ${number} is not that of its text`)
  return seal
}

/** From the leaf to the root by its place in the seal (RFC 9162, 2.1.3.2). */
async function checkedLeaf({ text, path }: Receipt['versions'][number], { from, to, history }: Seal): Promise<Leaf> {
  const leaf = JSON.parse(text) as Leaf
  must(leaf.position >= from && leaf.position <= to, 'a version is not in the seal that it names')
  let [place, last, hash] = [leaf.position - from, to - from, await sha256(utf8(`\0${text}`))]
  for (const beside of path) {
    must(last > 0 && /^[0-9a-f]{64}$/.test(beside), 'the way of a version to its seal is wrong')
    const isRight = place % 2 === 1 || place === last
    hash = await sha256(
      Uint8Array.from([1, ...hexBytes(isRight ? beside : hash), ...hexBytes(isRight ? hash : beside)]),
    )
    while (isRight && place % 2 === 0 && place !== 0) [place, last] = [place >> 1, last >> 1]
    ;[place, last] = [place >> 1, last >> 1]
  }
  must(last === 0 && hash === history, `version ${leaf.version} is not in its seal`)
  return leaf
}

/** The members that are shown, each held against its hash, and all hashes against the leaf. */
async function shownMembers({ members }: Receipt, newest: Leaf): Promise<Readonly<Record<string, unknown>>> {
  const hashes = members.flatMap(({ hash }) => hexBytes(hash))
  must((await sha256(Uint8Array.from(hashes))) === newest.members, 'its members are not those of the newest version')
  const shown: Record<string, unknown> = {}
  for (const { hash, text } of members) {
    if (text === null) continue
    const [, name, value] = JSON.parse(text) as [string, string, unknown]
    must((await sha256(utf8(text))) === hash, `its ${name} is not what was sealed`)
    shown[name] = value
  }
  return shown
}

const utf8 = (text: string) => new TextEncoder().encode(text)
const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (each) => each.charCodeAt(0))
const base64Of = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes))
const hexBytes = (hex: string) => (hex.match(/../g) ?? []).map((two) => Number.parseInt(two, 16))

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return [...digest].map((each) => each.toString(16).padStart(2, '0')).join('')
}
