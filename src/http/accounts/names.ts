// Names that people give to an account and to keys.
import { invalid, refuseAll } from '../../domain/contract/refusals.ts'
import { seenText } from '../../domain/text/texts.ts'
import { RefusedRequest } from '../errors.ts'
import { maskedOrNull } from '../../app/contracts/recipient.ts'

/** The name without what nobody sees around it, and without a card number that slipped into it. Throws for a blank one. */
export function nameFrom(sent: string): string {
  const name = maskedOrNull(seenText(sent))
  if (name === null) throw new RefusedRequest(refuseAll([invalid('name', 'name is blank. Say what it is for.')]))
  return name
}
