// What to say where no gateway answers: one sentence for each way in which an address can be wrong, with what to do.
import { CommandFailed } from './failures.ts'

type Fault = { readonly name?: string; readonly code?: string; readonly message?: string; readonly cause?: unknown }
type Words = (place: { readonly baseUrl: string; readonly url: URL; readonly code: string }) => string

const refusedThere: Words = ({ baseUrl }) =>
  `No gateway answers at ${baseUrl} (ECONNREFUSED): nothing listens there. Start one (gateway start), or mend the address.`
const unknownHost: Words = ({ url, code }) => `No machine is called ${url.hostname} (${code}). Mend the address.`
const noWay: Words = ({ baseUrl, code }) =>
  `${baseUrl} cannot be reached from here (${code}). Mend the address or the network.`
const late: Words = ({ baseUrl }) =>
  `${baseUrl} does not answer in time. Look whether the gateway is well: ${baseUrl}/readyz`
const untrusted: Words = ({ baseUrl, code }) =>
  `The certificate of ${baseUrl} is not trusted (${code}). Mend it, or name its authority: NODE_EXTRA_CA_CERTS=ca.pem`
const noTls: Words = ({ baseUrl, url, code }) =>
  url.protocol === 'https:'
    ? `${baseUrl} does not speak TLS (${code}). If it is on this machine, give it with http://`
    : `${baseUrl} answers something that is no HTTP (${code}). If it speaks TLS, give it with https://`
const broken: Words = ({ baseUrl, url, code }) =>
  url.protocol === 'https:'
    ? noTls({ baseUrl, url, code })
    : `${baseUrl} closed the connection without an answer (${code}). Is it a gateway, and http:// right? Look at ${baseUrl}/readyz`

const noPort: Words = ({ url }) =>
  `No client calls port ${url.port}: it is kept for another protocol. Mend the address.`

const WORDS: Readonly<Record<string, Words>> = {
  ECONNREFUSED: refusedThere,
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  EHOSTUNREACH: noWay,
  ENETUNREACH: noWay,
  EADDRNOTAVAIL: noWay,
  ETIMEDOUT: late,
  UND_ERR_CONNECT_TIMEOUT: late,
  UND_ERR_HEADERS_TIMEOUT: late,
  TimeoutError: late,
  timeout: late,
  CERT_HAS_EXPIRED: untrusted,
  CERT_NOT_YET_VALID: untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: untrusted,
  EPROTO: noTls,
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
  'bad port': noPort,
  UND_ERR_SOCKET: broken,
  ECONNRESET: broken,
}

/** What to say where no connection comes about, or it breaks. */
export function noAnswer(baseUrl: string, fault: unknown): CommandFailed {
  const code = codeOf(fault)
  const words = WORDS[code] ?? (code.startsWith('HPE_') ? noTls : null)
  const place = { baseUrl, url: new URL(baseUrl), code }
  return new CommandFailed(
    words?.(place) ?? `No gateway answers at ${baseUrl} (${code}). Mend the address, or start one.`,
  )
}

/** The innermost code that is known, through what a client wraps around it. */
function codeOf(fault: unknown): string {
  const { name, code, message, cause } = fault as Fault
  const inner = cause instanceof AggregateError ? (cause.errors[0] as unknown) : cause
  if (inner !== undefined && inner !== null) return codeOf(inner)
  if (name === 'TimeoutError') return name
  return code ?? message ?? 'no answer'
}

const PAGE_CHARS = 120

/** An answer that no gateway gives: by a proxy, by another server, or at another path. */
export function notOurs(what: string, baseUrl: string, status: number, text: string): CommandFailed {
  const mend = `Give the address of a gateway, such as http://127.0.0.1:3000, where ${baseUrl}/readyz answers.`
  if (status >= 300 && status < 400)
    return new CommandFailed(
      `${baseUrl} answers ${what} with a redirect (HTTP ${status}). Give the address that it leads to.`,
    )
  if (/^\s*</.test(text))
    return new CommandFailed(`${baseUrl} is not a gateway: it answered ${what} with a page (HTTP ${status}). ${mend}`)
  const shown = text.replace(/\s+/g, ' ').trim().slice(0, PAGE_CHARS)
  return new CommandFailed(
    `${what} was answered with HTTP ${status}, and not by this gateway${shown === '' ? '' : `: ${shown}`}. ${mend}`,
  )
}
