// Which addresses a caller's URL may lead to: public ones over https, and those that the operator allows. It judges how a
// URL is spelled and single addresses, and looks names up; it opens no connection and knows nothing about who is called.
import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** This machine. */
export const LOOPBACK_RANGES: readonly string[] = ['127.0.0.0/8', '::1/128']

/** Of public addresses. A network policy must let them through (deploy/kubernetes). */
export const PUBLIC_PORTS: ReadonlySet<number> = new Set([443, 8443])

/** All the addresses of a name, in one answer; rejects where it has none. */
export type AddressLookup = (hostname: string) => Promise<readonly string[]>

export type AddressGuard = {
  /** What is wrong with a URL as it is spelled, with the fix, or null. A name is not looked up: see `admits`. */
  readonly faultOfUrl: (url: string) => string | null
  /** Whether one resolved address may be connected to; the protocol is 'http:' or 'https:'. */
  readonly admits: (address: string, port: number, protocol: string) => boolean
  readonly lookup: AddressLookup
}

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = readonly [base: Address, bits: number]

// ipaddr.js names every special-purpose range of IANA's two registries; this is what the registries do not say.
// Outside 2000::/3 nothing is given out (RFC 4291, 2.4), and 3ffe::/16 was taken back (RFC 3701).
const GLOBAL_UNICAST = rangeOf('2000::/3')
const TAKEN_BACK = rangeOf('3ffe::/16')
/** The way to IPv4 from a network that has IPv6 alone (RFC 6052): as public as the address within. */
const NAT64 = rangeOf('64:ff9b::/96')
/** Spelled like a public address, and answered by the host beneath the virtual machine (Azure). */
const HOST_BENEATH = rangeOf('168.63.129.16/32')
/** 10.0.0.0/8 and fc00::/7 are the widest private ranges; a provider has a /32 of IPv6. */
const IPV4_BITS_MIN = 8
const LOCAL_IPV6_BITS_MIN = 7
const PUBLIC_IPV6_BITS_MIN = 32

/**
 * Opens the guard: https on port 443 or 8443 of a public address, anything on an allowed one.
 * `allow` holds addresses and CIDR ranges; what is neither is the operator's mistake, and throws.
 */
export function openAddressGuard(options: {
  readonly allow: readonly string[]
  readonly lookup?: AddressLookup
}): AddressGuard {
  const allowed = options.allow.map(rangeOf)
  const isAllowed = (address: Address) => allowed.some((range) => isWithin(address, range))
  return {
    faultOfUrl: (url) => faultOfUrl(url, isAllowed, allowed.length > 0),
    admits(address, port, protocol) {
      const judged = addressOf(address)
      if (!judged) return false
      return isAllowed(judged) || (protocol === 'https:' && PUBLIC_PORTS.has(port) && isPublic(judged))
    },
    lookup: options.lookup ?? openNameLookup(),
  }
}

/** Whether an address is one of the list, or in one of its ranges. Throws for a list that holds something else. */
export function addressList(texts: readonly string[]): (address: string) => boolean {
  const ranges = texts.map(rangeOf)
  return (text) => {
    const address = addressOf(text)
    return address !== null && ranges.some((range) => isWithin(address, range))
  }
}

/** An address or a range in one spelling, without the bits that it leaves open: 10.1.2.3/8 is 10.0.0.0/8. Null for other text. */
export function rangeText(text: string): string | null {
  try {
    const [base, bits] = rangeOf(text)
    const kind = base.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6
    return `${kind.networkAddressFromCIDR(`${base.toString()}/${bits}`).toString()}/${bits}`
  } catch {
    return null
  }
}

/** Whether a range lies within one of the ranges. Throws for what is no range. */
export function isRangeWithin(text: string, ranges: readonly string[]): boolean {
  const [base, bits] = rangeOf(text)
  return ranges.map(rangeOf).some((range) => bits >= range[1] && isWithin(base, range))
}

/** What one customer of a provider has: an IPv4 address, or the first 64 bits of an IPv6 one. Other text stays as it is. */
export function networkOf(text: string): string {
  const address = addressOf(text.split('%')[0] ?? '')
  if (!address || address.kind() === 'ipv4') return address?.toString() ?? text
  return `${Buffer.from(address.toByteArray().slice(0, 8)).toString('hex')}/64`
}

/** The port that a URL or its parts mean: the usual one of its protocol where none is given. */
export function portOf({ protocol, port }: { readonly protocol: string; readonly port: string }): number {
  if (port !== '') return Number(port)
  return protocol === 'https:' ? 443 : 80
}

/** Not by URL.canParse: that of Node 20 refuses "bücher.example" once its code is hot. */
export function urlOf(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}

function faultOfUrl(text: string, isAllowed: (address: Address) => boolean, areSomeAllowed: boolean): string | null {
  const url = urlOf(text)
  if (!url) return 'This is no whole URL. Use one like https://example.com/webhooks.'
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'The URL must begin with https://.'
  if (url.username !== '' || url.password !== '') return 'The URL must hold no user name and no password.'
  // A URL has numbers in every spelling (hexadecimal, octal, full-width digits) in their usual one by now.
  const literal = addressOf(url.hostname.replace(/^\[|\]$/g, ''))
  // What a name leads to is known when it is called; it may well be an allowed address where there are any.
  if (literal ? isAllowed(literal) : areSomeAllowed) return null
  if (literal && !isPublic(literal))
    return 'The URL must lead to a public address. A private one has to be allowed by the operator of the gateway.'
  if (url.protocol === 'http:') return 'The URL must begin with https://.'
  return PUBLIC_PORTS.has(portOf(url)) ? null : 'The port of the URL must be 443 or 8443.'
}

/** For one question to one name server; the next one is asked then, and each a second time, for a packet may be lost. */
const NAME_TIMEOUT_MS = 1_000
const NAME_TRIES = 2
/** Names that this machine is asked for at once, the one under way included. */
const ASKED_OF_MACHINE_MAX = 64
/** The name servers know no such name, or there is none to ask: it may be one that only this machine knows. */
const DENIED: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME', 'ECONNREFUSED', 'EREFUSED'])

/**
 * Looks up names that callers chose. The machine's own look-up holds one of the four threads of the process for as long as a
 * name server keeps silent, and the names of rails and databases wait for the same threads; so the name servers are asked
 * past it, and the machine (its hosts file, its search domains) only for names of its own and for what they do not know, one
 * name of each at a time.
 * A name whose servers do not answer fails with EAI_AGAIN, wherever else it may be known.
 */
export function openNameLookup(servers: readonly string[] | null = null): AddressLookup {
  // Two, for what is denied may be silent the next time: the machine's own names do not stand behind it.
  const [askOwn, askDenied] = [oneByOne(askMachine), oneByOne(askMachine)]
  return async (hostname) => {
    if (isOfMachine(hostname)) return askOwn(hostname)
    // A new one each time, for it reads the machine's list of servers when it is opened.
    const resolver = new Resolver({ timeout: NAME_TIMEOUT_MS, tries: NAME_TRIES })
    if (servers) resolver.setServers(servers)
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length > 0) return addresses
    const isDenied = answers.every((answer) => answer.status === 'rejected' && isDenial(answer.reason))
    if (!isDenied) throw notNow(hostname)
    return askDenied(hostname)
  }
}

async function askMachine(hostname: string): Promise<string[]> {
  const answers = await lookup(hostname, { all: true })
  return answers.map(({ address }) => address)
}

/** Names that no name server of the world has: without a dot, and this machine's own (RFC 6761, 6.3). */
function isOfMachine(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '').toLowerCase()
  return !name.includes('.') || name.endsWith('.localhost')
}

/** One after another; a name that is asked for already is not asked for twice. */
function oneByOne(ask: AddressLookup): AddressLookup {
  const waiting = new Map<string, Promise<readonly string[]>>()
  let last: Promise<unknown> = Promise.resolve()
  return (hostname) => {
    const asked = waiting.get(hostname)
    if (asked) return asked
    if (waiting.size >= ASKED_OF_MACHINE_MAX) return Promise.reject(notNow(hostname))
    const answer = last.then(() => ask(hostname)).finally(() => waiting.delete(hostname))
    waiting.set(hostname, answer)
    last = answer.catch(() => {})
    return answer
  }
}

function notNow(hostname: string): Error {
  return Object.assign(new Error(`the name servers of ${hostname} do not answer`), { code: 'EAI_AGAIN' })
}

function isDenial(fault: unknown): boolean {
  return fault instanceof Error && 'code' in fault && DENIED.has(fault.code)
}

/** Reads an address in its usual spelling, an IPv4-mapped IPv6 address (::ffff:0:0/96) as IPv4. */
function addressOf(text: string): Address | null {
  const version = isIP(text)
  if (version === 0) return null
  if (version === 4) return ipaddr.process(text)
  // Through URL, for ipaddr.js takes ::1.2.3.4 for ::ffff:1.2.3.4. One with a zone is none here.
  const url = urlOf(`http://[${text}]/`)
  return url && ipaddr.process(url.hostname.slice(1, -1))
}

function rangeOf(text: string): Range {
  const [, base = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? []
  const address = addressOf(base)
  const width = base.includes(':') ? 128 : 32
  const isMapped = width === 128 && address?.kind() === 'ipv4'
  const prefixBits = Number(bits ?? width) - (isMapped ? 96 : 0)
  if (!address || Number(bits ?? width) > width || prefixBits < 0)
    throw new Error(`"${text}" is neither an address nor a range like 10.0.0.0/8`)
  return [address, prefixBits]
}

/**
 * Whether a range allows so much that it is no list of one's own addresses any more: more than a network of RFC 1918, or of
 * the public addresses of IPv6 more than a provider is given. Throws for what is no range.
 */
export function isWideRange(text: string): boolean {
  const [base, bits] = rangeOf(text)
  if (base.kind() === 'ipv4') return bits < IPV4_BITS_MIN
  if (isWithin(base, NAT64)) return bits < NAT64[1] + IPV4_BITS_MIN
  return bits < (isWithin(base, GLOBAL_UNICAST) ? PUBLIC_IPV6_BITS_MIN : LOCAL_IPV6_BITS_MIN)
}

function isWithin(address: Address, [base, bits]: Range): boolean {
  return address.kind() === base.kind() && address.match(base, bits)
}

function isPublic(address: Address): boolean {
  if (address.kind() === 'ipv4') return address.range() === 'unicast' && !isWithin(address, HOST_BENEATH)
  if (isWithin(address, NAT64)) return isPublic(new ipaddr.IPv4(address.toByteArray().slice(12)))
  return isWithin(address, GLOBAL_UNICAST) && !isWithin(address, TAKEN_BACK) && address.range() === 'unicast'
}
