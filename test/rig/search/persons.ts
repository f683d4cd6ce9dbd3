// Who is paid in a search measurement, and what is asked for: the same for every size, so that a common name is as common.

const FIRST =
  'Ana Ben Carla Dino Elena Felix Gina Hugo Ines Juan Karla Leo Maria Nilo Olga Pablo Rosa Samuel Tess Vic'.split(' ')
const LAST = 'Reyes Cruz Santos Garcia Mendoza Torres Flores Ramos Aquino Castro Navarro Salazar Uy Lim Tan'.split(' ')

/** The n-th contract's own facts. Names, amounts and orders come back often; references and accounts do not. */
export function drawn(n: number) {
  const first = FIRST[n % FIRST.length] ?? ''
  const last = LAST[(n * 7) % LAST.length] ?? ''
  return {
    recipient: {
      name: `${first} dela ${last}`,
      mobile: `+639${String(100_000_000 + ((n * 7919) % 900_000_000))}`,
      email: `${first}.${n}@example.ph`.toLowerCase(),
      wallet: String(1_000_000_000 + ((n * 104_729) % 9_000_000_000)),
    },
    reference: `INV-${n}`,
    amountMinor: 100 * (1 + (n % 500)),
    order: String(n % 100),
  }
}

/** One question of each kind, about the n-th contract of those there are. */
export const QUESTIONS: readonly (readonly [kind: string, ask: (n: number) => string])[] = [
  ['reference', (n) => `INV-${n}`],
  ['whole name', (n) => drawn(n).recipient.name],
  ['word of a name', (n) => LAST[(n * 7) % LAST.length] ?? ''],
  ['two words', (n) => `${LAST[(n * 7) % LAST.length]} ${FIRST[n % FIRST.length]}`],
  ['mobile', (n) => drawn(n).recipient.mobile],
  ['e-mail', (n) => drawn(n).recipient.email],
  ['account', (n) => drawn(n).recipient.wallet],
  ['end of an account', (n) => drawn(n).recipient.wallet.slice(-4)],
  ['amount', (n) => `PHP ${drawn(n).amountMinor / 100}`],
  ['metadata', (n) => `order:${n % 100}`],
  ['nothing there', (n) => `nobody ${n}`],
]
