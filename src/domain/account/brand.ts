// How an account shows itself to those who pay it, and whom they may ask. Read from what is sent, with every fault named. Pure.
import { invalid, type Problem } from '../contract/refusals.ts'
import { cardInUrl, maskCards } from '../text/cards.ts'
import { seenText } from '../text/texts.ts'
import { isColour } from './accent.ts'

export const BRAND_NAME_MAX = 80

export type Support = {
  readonly email: string | null
  /** E.164. */
  readonly phone: string | null
  /** A page over https. */
  readonly url: string | null
}

export type Brand = {
  /** In place of the account's name. */
  readonly name: string | null
  /** A data URI, checked and without metadata. */
  readonly logo: string | null
  /** #rrggbb, in small letters. */
  readonly colour: string | null
  readonly support: Support
}

export const NO_BRAND: Brand = {
  name: null,
  logo: null,
  colour: null,
  support: { email: null, phone: null, url: null },
}

/** What changes of it; members that are left out stay. */
export type BrandPatch = Partial<Omit<Brand, 'support'>> & { readonly support?: Partial<Support> }

export const patchedBrand = (before: Brand, { support, ...members }: BrandPatch): Brand => ({
  ...before,
  ...members,
  support: { ...before.support, ...support },
})

/** What is sent of it: null clears, a member or all of them. */
export type SentBrand = {
  readonly brand?: { readonly [M in 'name' | 'logo' | 'colour']?: string | null | undefined } | null | undefined
  readonly support?: { readonly [M in keyof Support]?: string | null | undefined } | null | undefined
}

/** What a picture must be where it is none; else the text to keep. */
export type LogoReader = (uri: string) => { readonly uri: string } | { readonly fault: string }

/** What is sent, read; what is wrong with it goes to `problems`. */
export function readBrand({ brand, support }: SentBrand, readLogo: LogoReader, problems: Problem[]): BrandPatch {
  const sent = brand === null ? NO_BRAND : (brand ?? {})
  const asked = support === null ? NO_BRAND.support : (support ?? {})
  const say = (problem: Problem): null => {
    problems.push(problem)
    return null
  }
  return {
    ...(sent.name !== undefined && { name: nameOf(sent.name, say) }),
    ...(sent.logo !== undefined && { logo: logoOf(sent.logo, readLogo, say) }),
    ...(sent.colour !== undefined && { colour: colourOf(sent.colour, say) }),
    support: {
      ...(asked.email !== undefined && { email: emailOf(asked.email, say) }),
      ...(asked.phone !== undefined && { phone: phoneOf(asked.phone, say) }),
      ...(asked.url !== undefined && { url: urlOf(asked.url, say) }),
    },
  }
}

type Say = (problem: Problem) => null

/** On one line, for it stands in headings: marks that turn the direction of writing would turn what stands around it. */
function nameOf(sent: string | null, say: Say): string | null {
  const name = seenText(sent)
  if (name === null) return null
  if ((name.match(/./gsu) ?? []).length > BRAND_NAME_MAX)
    return say(invalid('brand.name', `brand.name has at most ${BRAND_NAME_MAX} characters.`))
  if (/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(name) || !/[\p{L}\p{N}]/u.test(name))
    return say(invalid('brand.name', 'brand.name must be a name on one line, with letters or digits.'))
  return maskCards(name)
}

function logoOf(sent: string | null, readLogo: LogoReader, say: Say): string | null {
  if (sent === null) return null
  const read = readLogo(sent)
  return 'uri' in read ? read.uri : say(invalid('brand.logo', `brand.logo must be ${read.fault}.`))
}

function colourOf(sent: string | null, say: Say): string | null {
  if (sent === null) return null
  const colour = sent.trim().toLowerCase()
  return isColour(colour) ? colour : say(invalid('brand.colour', 'brand.colour must be like #0b57c2.'))
}

function emailOf(sent: string | null, say: Say): string | null {
  const email = seenText(sent)
  if (email === null) return null
  const isEmail =
    email.length <= 254 && /^[^\s@"<>(),:;\\[\]?&#%/]{1,64}@[^\s@"<>(),:;\\[\]?&#%/]+\.[\p{L}\p{N}-]{2,}$/u.test(email)
  return isEmail
    ? email
    : say(invalid('support.email', 'support.email must be an e-mail address, such as help@shop.example.'))
}

/** E.164, with spaces, dashes and brackets left out; numbers of the Philippines may begin with 0. */
function phoneOf(sent: string | null, say: Say): string | null {
  const text = seenText(sent)
  if (text === null) return null
  const phone = text.replace(/[\s().-]/g, '').replace(/^0(?=[1-9]\d{7,9}$)/, '+63')
  return /^\+[1-9]\d{6,14}$/.test(phone)
    ? phone
    : say(invalid('support.phone', 'support.phone must be an international number, such as +63281234567.'))
}

const URL_CHARS_MAX = 2048

function urlOf(sent: string | null, say: Say): string | null {
  const text = seenText(sent)
  if (text === null) return null
  const url = text.length <= URL_CHARS_MAX && URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '')
    return say(invalid('support.url', 'support.url must be a whole https:// URL, without a user and password.'))
  const card = cardInUrl('support.url', url.href)
  return card ? say(card) : url.href
}
