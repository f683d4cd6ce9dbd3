// Who is paid, as options: a field of the API each. Where a profile is named, its values are taken.
import { idOption, option, type Values } from '../command.ts'
import { uuid } from '../arguments.ts'

export const RECIPIENT = {
  toName: option('<name>', 'who receives it: a person or firm'),
  toWallet: option('<account>', 'account number, e-wallet number, address, or wallet of this gateway'),
  toTag: option('<text>', 'the second locator: bank code such as BOPIPHMM, memo or destination tag'),
  toMobile: option('<number>', 'mobile number, such as 09171234567'),
  toEmail: option('<address>', 'e-mail address'),
  toAddress: option('<text>', 'postal address'),
  toCountry: option('<code>', 'country of two letters, such as PH'),
}

export const PROFILE = {
  profile: idOption('<id>', 'in place of these: a profile of yours, paid as it says', 'profile'),
  destination: option('<id>', 'with --profile: which of its destinations (default: the default one)', uuid),
}

type Said = Values<typeof RECIPIENT> & Partial<Values<typeof PROFILE>>

/** As the API takes it; members that are not said are undefined. */
export function recipientOf(said: Said) {
  const { toName, toWallet, toTag, toMobile, toEmail, toAddress, toCountry, profile, destination } = said
  return {
    name: toName,
    wallet: toWallet,
    tag: toTag,
    mobile: toMobile,
    email: toEmail,
    address: toAddress,
    country: toCountry,
    profile,
    destination,
  }
}

/** The same; undefined where nothing is said. */
export function anyRecipientOf(said: Said) {
  const recipient = recipientOf(said)
  return Object.values(recipient).some((value) => value !== undefined) ? recipient : undefined
}
