// Where a payer may be sent to: over https, within the sites that the account lists. A payer's token may have been
// passed on, so a payer's URL must be one of those or where the contract itself leads. Pure.
import { invalid, type Problem } from '../contract/refusals.ts'

export type SiteRules = {
  /** The origins that the account lists; where there are none its key may name any. */
  readonly sites: readonly string[]
  readonly livemode: boolean
  /** Who named the URL. */
  readonly by: 'account' | 'payer'
  /** Where the contract itself leads its payer back to. */
  readonly returnUrl: string | null
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** What is wrong with a URL that a payer is to be sent to, or null. It is a whole web URL already. */
export function faultOfSite(param: string, url: string, { sites, livemode, by, returnUrl }: SiteRules): Problem | null {
  const { protocol, hostname, origin } = new URL(url)
  if (protocol !== 'https:' && (livemode || protocol !== 'http:' || !LOOPBACK.has(hostname)))
    return invalid(
      param,
      livemode ? `${param} must begin with https://.` : `${param} must begin with https://, or lead to this machine.`,
    )
  if (sites.includes(origin)) return null
  if (by === 'payer')
    return returnUrl !== null && new URL(returnUrl).origin === origin
      ? null
      : invalid(param, `${param} leads elsewhere than the merchant's sites. Leave it out.`)
  if (sites.length === 0) return null
  return invalid(
    param,
    `${param} leads to ${origin}, which is none of the account's sites: ${sites.join(', ')}. Its operator lists one more by gateway accounts settings --sites.`,
  )
}
