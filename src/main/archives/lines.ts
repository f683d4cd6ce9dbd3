// A stretch as lines of JSON, and back: one for its seal, then its steps, then its ledger rows. Every value stands as it was hashed, so
// that whoever has the file needs nothing else to check it.
import type { SealedEntry, Step } from '../../domain/seal/seal.ts'
import { ENTRY_VALUES } from '../../store/seals/seals.ts'
import type { ArchivedSeal, Stretch } from '../../app/archives/stretch.ts'

export function linesOf({ seal, steps, entries }: Stretch): string {
  const { number, text, signature, salt, walletsText: wallets } = seal
  const shown = { number, text, signature: signature.toString('base64'), salt: salt.toString('base64'), wallets }
  return [{ seal: shown }, ...steps.map(stepLine), ...entries.map(entryLine)]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')
}

function stepLine(step: Step) {
  const { position, isContract, object, version, sequence, event, subject, at, document } = step
  const kind = isContract ? 'contract' : 'account'
  return { step: { position, kind, object, version, sequence, event, subject, at, document } }
}

function entryLine({ walletId, sequence, position, values }: SealedEntry) {
  const named = Object.fromEntries(ENTRY_VALUES.map((name, i) => [name, values[i] ?? null]))
  return { entry: { wallet_id: walletId, sequence, position, ...named } }
}

type Line = {
  readonly seal?: Readonly<Record<'text' | 'signature' | 'salt' | 'wallets', string>> & { readonly number: number }
  readonly step?: Omit<Step, 'isContract'> & { readonly kind: string }
  readonly entry?: {
    readonly wallet_id: string
    readonly sequence: number
    readonly position: number | null
  } & Readonly<Record<string, string | number | null>>
}

/** Puts the lines of a file together to stretches again. Throws where a line is none of an archive. */
export async function* stretchesIn(lines: AsyncIterable<string>): AsyncGenerator<Stretch> {
  let seal: ArchivedSeal | null = null
  let [steps, entries]: [Step[], SealedEntry[]] = [[], []]
  for await (const line of lines) {
    const read = JSON.parse(line) as Line
    if (read.seal) {
      if (seal !== null) yield { seal, steps, entries }
      seal = sealOf(read.seal)
      ;[steps, entries] = [[], []]
    } else if (read.step) {
      const { kind, ...step } = read.step
      steps.push({ ...step, isContract: kind === 'contract' })
    } else if (read.entry) {
      const { wallet_id: walletId, sequence, position, ...values } = read.entry
      entries.push({ walletId, sequence, position, values: ENTRY_VALUES.map((name) => textOf(values[name])) })
    } else throw new SyntaxError('it is no line of an archive')
  }
  if (seal !== null) yield { seal, steps, entries }
}

function sealOf({ number, text, signature, salt, wallets }: NonNullable<Line['seal']>): ArchivedSeal {
  const bytes = { signature: Buffer.from(signature, 'base64'), salt: Buffer.from(salt, 'base64') }
  return { number, text, ...bytes, walletsText: wallets }
}

const textOf = (value: string | number | null | undefined): string | null =>
  value === null || value === undefined ? null : String(value)
