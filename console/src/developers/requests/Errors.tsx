// What went wrong lately, by its code: how often, and what helps.
import { Anchor, Button, Stack, Text } from '@mantine/core'
import type { ApiRequest } from '../../../../sdk/src/index.ts'
import { gateway, useRead } from '../../gateway.ts'
import { Badge, Time } from '../../ui/atoms.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { Section } from '../../ui/Page.tsx'
import { useFilter } from '../../ui/paging.ts'
import { useWords } from '../../words/language.ts'
import { merged } from '../log.ts'
import { toneOf } from './tone.ts'
import { REQUESTS } from './words.ts'

/** As many as the gateway keeps. */
const KEPT_MAX = 500
const SHOWN_MAX = 6

type Group = { readonly code: string; readonly status: number; readonly count: number; readonly latest: string }

export function Errors({ fresh }: { readonly fresh: readonly ApiRequest[] }) {
  const w = useWords(REQUESTS)
  const [, setCode] = useFilter('code')
  const mends = useMends()
  const read = useRead(['log', 'requests', 'errors'], async (signal) => {
    const [refused, failed] = await Promise.all(
      ['4xx', '5xx'].map((status) => gateway.requests.list({ status, limit: 100 }, { signal }).all(KEPT_MAX)),
    )
    return [...(refused ?? []), ...(failed ?? [])]
  })
  const groups = grouped(merged(fresh, read.data ?? [], ({ id }) => id)).slice(0, SHOWN_MAX)
  // An empty table would be the loudest thing on a quiet screen.
  if (groups.length === 0) return null
  return (
    <Section title={w.errors} isFlush>
      <ListTable<Group>
        label={w.errors}
        rows={groups}
        keyOf={({ code }) => code}
        columns={[
          {
            key: 'code',
            title: w.code,
            render: ({ code }) => (
              <Button size="compact-sm" variant="subtle" px={4} onClick={() => setCode(code)}>
                <span className="id">{code}</span>
              </Button>
            ),
          },
          { key: 'status', title: w.status, render: ({ status }) => <Badge tone={toneOf(status)}>{status}</Badge> },
          { key: 'count', title: w.count, align: 'right', render: ({ count }) => count },
          { key: 'mend', title: w.mend, render: ({ code }) => <Mend code={code} words={mends.get(familyOf(code))} /> },
          { key: 'latest', title: w.latest, render: ({ latest }) => <Time at={latest} /> },
        ]}
      />
    </Section>
  )
}

export function Mend({ code, words }: { readonly code: string; readonly words: string | undefined }) {
  const w = useWords(REQUESTS)
  return (
    <Stack gap={2} maw={520}>
      <Text size="sm" lang="en" c="inherit">
        {words}
      </Text>
      <Anchor href={docOf(code)} target="_blank" rel="noreferrer" size="sm" c="inherit" underline="always">
        {w.explained}
      </Anchor>
    </Stack>
  )
}

/** Codes that name a parameter stand under one name in the catalogue. */
const familyOf = (code: string) =>
  code.replace(/^(missing|invalid)_(?!api_key|token|signature|session).*/, '$1_<param>')
const docOf = (code: string) => `/docs/errors#${familyOf(code).replace('<param>', 'param')}`

/** What helps against each code, in the gateway's own words. */
function useMends(): ReadonlyMap<string, string> {
  const read = useRead(['resources', 'errors'], (signal) => gateway.resources.get('errors', { signal }), {
    staleTime: Number.POSITIVE_INFINITY,
  })
  const items = read.data && 'items' in read.data ? read.data.items : []
  return new Map(
    items.map(({ code, when, mend }) => [String(code), `${String(when)} ${String(mend)}`.replaceAll('`', '')]),
  )
}

export const useMend = (code: string | null) => useMends().get(familyOf(code ?? ''))

/** The most frequent first. */
function grouped(requests: readonly ApiRequest[]): Group[] {
  const groups = new Map<string, Group>()
  for (const { code, status, at } of requests) {
    if (code === null) continue
    const before = groups.get(code)
    const latest = before && before.latest > at ? before.latest : at
    groups.set(code, { code, status, count: (before?.count ?? 0) + 1, latest })
  }
  return [...groups.values()].toSorted((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1))
}
