// Nobody outside of a connector's folder, the catalogue and configuration knows the name of a provider: code asks what a
// channel declares. The names are those of the connectors' folders, so a new connector is bound by this from its first day.
import { readdirSync } from 'node:fs'
import type { Check } from './source.ts'

/** Where every provider may be named. */
const KNOWING = new Set([
  // The shipped channels, and the examples of help texts.
  'src/connectors/catalogue.ts',
  // The payment methods of the public API, whose names the specification gives.
  'src/domain/payment/kinds.ts',
  // Configuration: the settings of each rail, and what opens its connector.
  'src/main/config/rails.ts',
  'src/main/config/settings.ts',
  'src/main/channels/rail-connectors.ts',
])

/** Connectors of no provider: their names are words of the trade, and of this gateway. */
const WORDS = new Set(['card', 'crypto', 'sandbox', 'wallet'])

const PROVIDERS = readdirSync('src/connectors', { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !WORDS.has(entry.name))
  .map(({ name }) => name)

/** A name as it is written, "QR Ph" or "qr_ph" as well; "maya-maya" is Filipino for "in a while". */
const formOf = (name: string) => (name === 'qrph' ? /qr[ _-]?ph/i : new RegExp(`(?<!maya-)${name}(?!-maya)`, 'i'))

export const providerNames: Check = (files) =>
  files
    .filter(({ path }) => !KNOWING.has(path))
    .flatMap(({ path, text }) =>
      PROVIDERS.filter((name) => !path.startsWith(`src/connectors/${name}/`)).flatMap((name) =>
        text
          .split('\n')
          .flatMap((line, place) => (formOf(name).test(line) ? [`${path}:${place + 1}: names ${name}`] : [])),
      ),
    )
