// What two profiles of one person have alike, in the form in which it is compared. Pure.
import { bankOf } from '../text/bics.ts'
import { lettersOf } from '../text/texts.ts'
import { type Destination, inUse, type Profile } from './profile.ts'

export const MARK_KINDS = ['mobile', 'email', 'account', 'reference'] as const
export type MarkKind = (typeof MARK_KINDS)[number]

/** Something by which a profile is found. */
export type Mark = { readonly kind: MarkKind; readonly value: string }

/** What makes it likely that two profiles are one person. A reference is the account's own, and may be of several. */
const TELLING: ReadonlySet<MarkKind> = new Set<MarkKind>(['mobile', 'email', 'account'])

export const isTelling = ({ kind }: Mark): boolean => TELLING.has(kind)

/** All that a profile is found by, each once. */
export function marksOf(profile: Profile): Mark[] {
  const { mobile, email, reference } = profile
  const marks: Mark[] = [
    ...(mobile === null ? [] : [{ kind: 'mobile', value: mobile } as const]),
    ...(email === null ? [] : [{ kind: 'email', value: emailMark(email) } as const]),
    ...(reference === null ? [] : [{ kind: 'reference', value: reference } as const]),
    ...inUse(profile).flatMap((each) => accountMarks(each).map((value) => ({ kind: 'account', value }) as const)),
  ]
  return [...new Map(marks.map((mark) => [keyOf(mark), mark])).values()]
}

/** Of the marks those that others do not have. */
export function marksBeyond(marks: readonly Mark[], others: readonly Mark[]): Mark[] {
  const known = new Set(others.map(keyOf))
  return marks.filter((mark) => !known.has(keyOf(mark)))
}

const keyOf = ({ kind, value }: Mark) => `${kind} ${value}`

/** An address is one, however it is written. */
export const emailMark = (email: string): string => email.toLowerCase()

/**
 * The account behind a way to pay: letters and digits alone, or the mobile number where the channel pays numbers. At its bank, and at the
 * branch where the code names one: by that alone older releases found it.
 */
function accountMarks({ channelId, recipient: { wallet, tag, mobile } }: Destination): string[] {
  const account = wallet === null ? (mobile ?? '') : lettersOf(wallet)
  const banks = new Set([bankOf(tag ?? ''), lettersOf(tag ?? '')])
  return [...banks].map((bank) => JSON.stringify([channelId, account, bank]))
}

/** Another profile that is likely the same person, and what both have alike. */
export type Duplicate = {
  readonly id: string
  readonly name: string | null
  readonly same: readonly MarkKind[]
}
