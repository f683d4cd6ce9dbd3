// Published lists as an operator loads them from a file on this machine.
import { createHash, hash as hashOf, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type LoadedList, loadList, type NotLoaded } from '../../app/verifiers/loading.ts'
import { type ListFormat, partiesIn, SOURCE_OF } from '../../formats/verifiers/formats.ts'
import type { Session } from '../../platform/db.ts'

export type WantedList = {
  readonly file: string
  readonly format: ListFormat
  /** Of OFAC's CSV: ALT.CSV and ADD.CSV. */
  readonly aliases: string | null
  readonly addresses: string | null
  readonly source: string | null
  readonly publishedOn: string | null
  readonly force: boolean
}

export type OperatorLists = { readonly loadList: (wanted: WantedList) => Promise<LoadedList | NotLoaded> }

export const openOperatorLists = (session: Session): OperatorLists => ({
  loadList: async ({ file, format, aliases, addresses, source: named, publishedOn, force }) => {
    const source = named ?? SOURCE_OF[format]
    if (source === null) return { kind: 'not loaded', why: 'Say whose list it is: --source.' }
    if (publishedOn !== null && !/^\d{4}-\d\d-\d\d$/.test(publishedOn))
      return { kind: 'not loaded', why: 'Give --published as a day such as 2026-01-31.' }
    if (format !== 'ofac-sdn-csv' && (aliases ?? addresses) !== null)
      return { kind: 'not loaded', why: '--aliases and --addresses are for ofac-sdn-csv: other forms hold them.' }
    try {
      const hash = await hashTogether(file, aliases, addresses)
      const textOrNull = (path: string | null) => (path === null ? null : textOf(path))
      const read = () =>
        partiesIn(format, textOf(file), { aliases: textOrNull(aliases), addresses: textOrNull(addresses) })
      return await loadList(session, randomUUID(), { source, hash, publishedOn, force, read })
    } catch (fault) {
      if (fault instanceof Error && 'code' in fault && (fault.code === 'ENOENT' || fault.code === 'EACCES'))
        return { kind: 'not loaded', why: `The file cannot be read: ${fault.message}` }
      throw fault
    }
  },
})

const textOf = (path: string): AsyncIterable<string> => createReadStream(path, { encoding: 'utf8' })

/** Of one file its own; of several one that any of them changes. */
async function hashTogether(file: string, aliases: string | null, addresses: string | null): Promise<string> {
  const hashes = [await fileHash(file)]
  if (aliases !== null) hashes.push(await fileHash(aliases))
  if (addresses !== null) hashes.push(`addresses ${await fileHash(addresses)}`)
  const [first = ''] = hashes
  return hashes.length === 1 ? first : hashOf('sha256', hashes.join(' '), 'hex')
}

async function fileHash(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
