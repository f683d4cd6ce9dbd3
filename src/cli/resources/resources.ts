// gateway resources: the reference data, and what an id names.
import type { Static } from 'typebox'
import type { DataSetsReply, ResourceReply } from '../../wire/resources/data-sets.ts'
import { get } from '../client.ts'
import { apiCommand, argument, flag } from '../command.ts'
import { printCsv } from '../csv.ts'
import { modeWords, note, paint, printPairs } from '../output.ts'
import { printTable } from '../table.ts'

type Listed = Static<typeof DataSetsReply>['data']['resources']
type Resource = Static<typeof ResourceReply>['data']['resource']
type DataSet = Extract<Resource, { items: unknown }>
type ResourcesData = { readonly resources: Listed } | { readonly resource: Resource }

export const resources = apiCommand('resources', 'show the reference data, or what an id names', {
  examples: [
    'gateway resources',
    'gateway resources errors',
    'gateway resources banks --csv > banks.csv',
    'gateway resources 0198a3f2-…',
    'gateway resources evt_…',
  ],
  arguments: [argument('[name]', 'the name of a data set, or any id of the account')],
  options: { csv: flag('print CSV instead of a table') },
  call: (_, name) => get(name === undefined ? '/resources' : `/resources/${encodeURIComponent(name)}`),
  print: (data: ResourcesData, { csv = false }) => {
    if ('resources' in data) return printList(data.resources, csv)
    const { resource } = data
    return 'items' in resource ? printItems(resource, csv) : printResource(resource)
  },
})

function printList(all: Listed, csv: boolean): void {
  const rows = all.map(({ name, version, description }) => [name, version ?? '', description])
  if (csv) printCsv(['name', 'version', 'description'], rows)
  else printTable(['NAME', 'VERSION', 'WHAT'], rows)
}

/** What stands in a cell; samples are too long for a table, and are there with --json. */
function printItems({ name, items, version }: DataSet, csv: boolean): void {
  const members = Object.keys(items[0] ?? {}).filter((member) => !items.some((item) => isObject(item[member])))
  const rows = items.map((item) => members.map((member) => cellOf(item[member])))
  if (csv) return printCsv(members, rows)
  printTable(
    members.map((member) => member.toUpperCase().replaceAll('_', ' ')),
    rows,
  )
  note(`${name}, version ${version}; with --json all of it.`)
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

function cellOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.join(' · ')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function printResource({ type, id, href, summary, livemode }: Exclude<Resource, DataSet>): void {
  printPairs([
    ['id', paint('bold', id)],
    ['type', type],
    ['mode', modeWords(livemode)],
    ['what', summary],
    ['path', href],
  ])
}
