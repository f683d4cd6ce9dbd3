// What an account says of itself and wants done: its name, its time zone, what becomes of failed transfers, where its pages are.
// Pure, but for the time zones that the runtime knows.
import { payingOut, type ChannelBook } from '../channel/channel.ts'
import { isForMode, mendOf, modeWord } from '../channel/modes.ts'
import { invalid, type Problem, type Refusal, refuse, refuseAll } from '../contract/refusals.ts'
import { EXPIRES_IN_SECONDS } from '../transfer/draft.ts'
import { type Brand, type BrandPatch, patchedBrand } from './brand.ts'
import { faultOfOrigin } from './origins.ts'

export const RETRIES_MAX = 5

/** What becomes of an account's transfers that fail for good, of money that is unallocated, and of contracts that nobody pays. */
export type AccountSettings = {
  readonly refundsAtOnce: boolean
  readonly retries: number
  readonly fallbackChannels: readonly string[]
  /** Money in suspense goes back by itself. */
  readonly returnsAtOnce: boolean
  /** How long contracts can be paid that do not say it themselves; null for the gateway's own defaults. */
  readonly transferExpirySeconds: number | null
  readonly paymentExpirySeconds: number | null
  /** The origins whose pages may call with a token of the account. */
  readonly corsOrigins: readonly string[]
  /** Where payers may be sent to; none for anywhere. */
  readonly sites: readonly string[]
}

export type OwnAccount = AccountSettings & {
  readonly id: string
  readonly profileId: string
  readonly livemode: boolean
  /** Whether its members may operate the gateway. Set by whoever runs it, on the database. */
  readonly operates: boolean
  readonly name: string
  /** A name of the IANA time zone database. */
  readonly timeZone: string
  readonly defaultCurrency: string | null
  /** What payers see of it. */
  readonly brand: Brand
  readonly createdAt: number
}

export type AccountPatch = Partial<Omit<OwnAccount, 'id' | 'profileId' | 'livemode' | 'createdAt' | 'brand'>> & {
  readonly brand?: BrandPatch
}

/** Who changes it, and what there is to choose from. */
export type PatchRules = {
  /** A key may be in the wrong hands: what leads payers of live money elsewhere needs a person. */
  readonly by: 'key' | 'person'
  /** Null where it was looked at already. */
  readonly currencies: ReadonlySet<string> | null
  readonly channels: Pick<ChannelBook, 'all'> | null
}

/** The account with what is named changed, or all that is wrong with it. */
export function patchedAccount(before: OwnAccount, patch: AccountPatch, rules: PatchRules): OwnAccount | Refusal {
  const after = { ...before, ...patch, brand: patchedBrand(before.brand, patch.brand ?? {}) }
  const [first, ...others] = [
    ...zoneFaults(patch),
    ...currencyFaults(patch, rules),
    ...fallbackFaults(before, patch, rules),
    ...expiryFaults('settings.transfer_expires_in', patch.transferExpirySeconds, before.livemode),
    ...expiryFaults('settings.payment_expires_in', patch.paymentExpirySeconds, before.livemode),
    ...originFaults('cors_origins', patch.corsOrigins, before.livemode),
    ...originFaults('sites', patch.sites, before.livemode),
  ]
  if (first) return refuseAll([first, ...others])
  const [beyond] = rules.by === 'key' && before.livemode ? forPeople(before, after) : []
  return beyond === undefined ? after : refusePerson(beyond)
}

function zoneFaults({ timeZone }: AccountPatch): Problem[] {
  if (timeZone === undefined || isTimeZone(timeZone)) return []
  return [
    invalid('time_zone', `time_zone ${timeZone} is not known. Give a name of the IANA database, such as Asia/Manila.`),
  ]
}

/** Names alone: an offset knows no summer. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

function currencyFaults({ defaultCurrency: code }: AccountPatch, { currencies }: PatchRules): Problem[] {
  if (code === undefined || code === null || currencies === null || currencies.has(code)) return []
  return [invalid('default_currency', `${code} is not taken here. Choose one of: ${[...currencies].join(', ')}.`)]
}

/** A transfer that failed goes on by no channel of the other mode: better refused here than at the first failure. */
function fallbackFaults(
  { livemode }: OwnAccount,
  { fallbackChannels }: AccountPatch,
  { channels }: PatchRules,
): Problem[] {
  if (fallbackChannels === undefined || channels === null) return []
  const offered = payingOut(channels)
  const param = 'settings.fallback_channels'
  const unknown = fallbackChannels.filter((id) => !offered.some((channel) => channel.id === id))
  const crossing = offered.filter((channel) => fallbackChannels.includes(channel.id) && !isForMode(channel, livemode))
  return [
    ...unknown.map((id) => invalid(param, `No channel that pays out has the id ${id}. ${mendOf(livemode, offered)}`)),
    ...crossing.map(({ id }) =>
      invalid(
        param,
        `This is a ${modeWord(livemode)} account, and ${id} moves ${modeWord(!livemode)} money. ${mendOf(livemode, offered)}`,
      ),
    ),
  ]
}

function expiryFaults(param: string, seconds: number | null | undefined, livemode: boolean): Problem[] {
  const { min: minLive, minInTest, max } = EXPIRES_IN_SECONDS
  const min = livemode ? minLive : minInTest
  if (seconds === undefined || seconds === null || (seconds >= min && seconds <= max)) return []
  return [invalid(param, `${param} must be ${min} to ${max} seconds, or null.`)]
}

function originFaults(param: string, origins: readonly string[] | undefined, livemode: boolean): Problem[] {
  const fault = origins?.map((origin) => faultOfOrigin(origin, livemode)).find((each) => each !== null)
  return fault ? [invalid(param, fault)] : []
}

/** What a live account's key may not change: where its payers are led to, by whose name, and whose pages may read. */
function forPeople(before: OwnAccount, after: OwnAccount): string[] {
  const added = (one: readonly string[], other: readonly string[]) => other.some((each) => !one.includes(each))
  // An empty list of sites is every site.
  const opensSites = before.sites.length > 0 && (after.sites.length === 0 || added(before.sites, after.sites))
  return [
    ...(before.name === after.name ? [] : ['name']),
    ...(added(before.corsOrigins, after.corsOrigins) ? ['cors_origins'] : []),
    ...(opensSites ? ['sites'] : []),
    ...brandedAnew(before.brand, after.brand),
  ]
}

/** Whom payers believe to pay, and whom they ask, is as good as where they are led. */
function brandedAnew(before: Brand, after: Brand): string[] {
  const shown = ({ name, logo, support: { email, phone, url } }: Brand) => [
    ['brand.name', name] as const,
    ['brand.logo', logo] as const,
    ['support.email', email] as const,
    ['support.phone', phone] as const,
    ['support.url', url] as const,
  ]
  const were = new Map(shown(before))
  return shown(after).flatMap(([param, value]) => (value === null || value === were.get(param) ? [] : [param]))
}

/** Members that payers see as they are; of lists a part is added. */
const SEEN = /^(?:name|brand\..*|support\..*)$/

function refusePerson(param: string): Refusal {
  const words = SEEN.test(param)
    ? `${param} of a live account, which its payers see, is changed`
    : `What is added to ${param} of a live account is added`
  const mend = `by a person: a member who is signed in, or the operator by gateway accounts ${/^\w+\./.test(param) ? 'brand --account' : 'settings'}. A key may take away.`
  return refuse('person_required', param, `${words} ${mend}`)
}
