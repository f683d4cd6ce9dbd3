// Published lists as an operator loads them from a file on this machine.
import { createHash, hash as hashOf, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type LoadedList, loadList, type NotLoaded } from '../../app/verifiers/loading.ts'
import { type ListFormat, partiesIn, SOURCE_OF } from '../../formats/verifiers/formats.ts'
import type { Session } from '../../platform/db.ts'

export type WantedList = {
  readonly file: string
  readonly format: ListFormat
  readonly aliases: string | null
  readonly source: string | null
  readonly publishedOn: string | null
  readonly force: boolean
}

export type OperatorLists = { readonly loadList: (wanted: WantedList) => Promise<LoadedList | NotLoaded> }

export const openOperatorLists = (session: Session): OperatorLists => ({
  loadList: async ({ file, format, aliases, source: named, publishedOn, force }) => {
    const source = named ?? SOURCE_OF[format]
    if (source === null) return { kind: 'not loaded', why: 'Say whose list it is: --source.' }
    if (publishedOn !== null && !/^\d{4}-\d\d-\d\d$/.test(publishedOn))
      return { kind: 'not loaded', why: 'Give --published as a day such as 2026-01-31.' }
    try {
      const hashes = await Promise.all([file, ...(aliases === null ? [] : [aliases])].map(fileHash))
      const hash = hashes.length === 1 ? (hashes[0] ?? '') : hashOf('sha256', hashes.join(' '), 'hex')
      const read = () => partiesIn(format, textOf(file), aliases === null ? null : textOf(aliases))
      return await loadList(session, randomUUID(), { source, hash, publishedOn, force, read })
    } catch (fault) {
      if (fault instanceof Error && 'code' in fault && (fault.code === 'ENOENT' || fault.code === 'EACCES'))
        return { kind: 'not loaded', why: `The file cannot be read: ${fault.message}` }
      throw fault
    }
  },
})

const textOf = (path: string): AsyncIterable<string> => createReadStream(path, { encoding: 'utf8' })

async function fileHash(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
