// gateway verifiers load: a published list of sanctioned parties, or one of the operator's, for all accounts of this gateway.
import type { LoadedList } from '../../app/verifiers/loading.ts'
import { LIST_FORMATS } from '../../formats/verifiers/formats.ts'
import { argument, choice, command, flag, option, required } from '../command.ts'
import { CommandFailed } from '../failures.ts'
import { asOperator } from '../operator/as-operator.ts'
import { print, snakeCased } from '../output.ts'

export const load = command('load', 'load a published list, for all accounts of this gateway', {
  examples: [
    'gateway verifiers load sdn.csv --format ofac-sdn-csv --aliases alt.csv --addresses add.csv --published 2026-01-31',
    'gateway verifiers load consolidated.xml --format un-xml',
    'gateway verifiers load blocked.csv --format own-csv --source "Our own"',
  ],
  arguments: [argument('<file>', 'the file as it was published')],
  options: {
    format: required(choice('<format>', 'which form it has', LIST_FORMATS)),
    aliases: option('<file>', 'ALT.CSV, for ofac-sdn-csv: other names'),
    addresses: option('<file>', 'ADD.CSV, for ofac-sdn-csv: the countries of addresses'),
    source: option('<name>', 'whose list it is (default: by the form; needed for own-csv)'),
    published: option('<day>', 'when it was published, where the file does not say it: YYYY-MM-DD'),
    force: flag('load it although more than a tenth of the list would be gone'),
  },
  notes:
    'The list in force screens until the new one is whole, and nothing changes where anything is wrong. What was screened\n' +
    'against the older one is screened anew. The same file again is no new list: it notes that it is the newest still.',
  run: async ({ format, aliases, addresses, source, published, force }, file) => {
    const loaded = await asOperator((operator) =>
      operator.loadList({
        file,
        format,
        aliases: aliases ?? null,
        addresses: addresses ?? null,
        source: source ?? null,
        publishedOn: published ?? null,
        force: force === true,
      }),
    )
    if ('why' in loaded) throw new CommandFailed(loaded.why)
    return loaded
  },
  json: (loaded) => snakeCased(loaded),
  print: ({ source, version, entries, names, before, outcome }: LoadedList) => {
    const all = counted(entries, 'entry', 'entries')
    if (outcome === 'unchanged') print(`${source}: this very file is in force already (version ${version}, ${all}).`)
    else
      print(
        `${source}: version ${version} is in force, with ${all} and ${counted(names, 'name', 'names')}; before: ${before ?? 'none'}.`,
      )
  },
})

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`
