// Origins of web pages (RFC 6454) that an account lets its tokens be used from. Pure.

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * What is wrong with an origin for an account of this mode, in a sentence that says how to fix it; null where it may be
 * listed.
 */
export function faultOfOrigin(text: string, livemode: boolean): string | null {
  if (!URL.canParse(text)) return `${text} is no origin. Give it as https://shop.example.`
  const { origin, protocol, hostname } = new URL(text)
  if (origin !== text)
    return `${text} is no origin: give the scheme, the host and a port where it is not the usual one, such as https://shop.example.`
  if (protocol === 'https:') return null
  if (protocol !== 'http:' || !LOOPBACK.has(hostname)) return `${text} must begin with https://.`
  return livemode ? `${text} is on this machine, and may only call for a test account.` : null
}
