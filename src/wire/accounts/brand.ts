// How an account shows itself to its payers, on the wire: what is sent and what is answered.
import Type from 'typebox'
import { accentOf } from '../../domain/account/accent.ts'
import { type Brand, BRAND_NAME_MAX } from '../../domain/account/brand.ts'
import { closed, ignored, nullable, nullableText, text, type Wire } from '../shapes.ts'

/** A data URI of the largest logo, and room for one that is too large to be refused with its reason. */
const LOGO_CHARACTERS_MAX = 60_000

export const BrandBody = closed(
  {
    name: text(200, `What payers see in place of the account's name: ${BRAND_NAME_MAX} characters at most.`),
    logo: text(
      LOGO_CHARACTERS_MAX,
      'A data URI of a PNG, JPEG or WebP in base64: at most 32 KiB, 16 to 1024 pixels wide and high. Metadata is taken out.',
    ),
    colour: text(20, 'The accent of the payment page, #rrggbb.'),
    ...ignored(['shown']),
  },
  { $id: 'BrandRequest' },
)

export const SupportBody = closed(
  {
    email: text(254, 'Where payers write.'),
    phone: text(40, 'What payers call, in international form.'),
    url: text(2048, 'A page of help, over https.'),
  },
  { $id: 'SupportRequest' },
)

export const BrandShape = Type.Object(
  {
    name: nullableText,
    logo: nullableText,
    colour: nullableText,
    shown: Type.Object(
      {
        name: Type.String({ description: 'What payers see.' }),
        button: nullable(Type.Object({ background: Type.String(), text: Type.String() })),
        links: nullable(Type.Object({ light: Type.String(), dark: Type.String() })),
      },
      {
        description:
          'What the payment page makes of it: the button has the colour itself with black or white on it, links have it darkened or lightened until they can be read. Null where there is no colour.',
      },
    ),
  },
  { $id: 'Brand' },
)

export const SupportShape = Type.Object(
  { email: nullableText, phone: nullableText, url: nullableText },
  { $id: 'Support' },
)

export function presentBrand({ name, logo, colour }: Brand, accountName: string): Wire<typeof BrandShape> {
  const accent = colour === null ? null : accentOf(colour)
  const shown = { name: name ?? accountName, button: accent?.button ?? null, links: accent?.links ?? null }
  return { name, logo, colour, shown }
}

export const presentSupport = ({ support: { email, phone, url } }: Brand): Wire<typeof SupportShape> => ({
  email,
  phone,
  url,
})
