// One verification: what was given and what was answered, side by side; what lists it hit; and the word of a member where no
// verifier could decide.
import { Button, SimpleGrid, Text } from '@mantine/core'
import { useState } from 'react'
import { useParams } from 'react-router'
import type { Verification } from '../../../sdk/src/index.ts'
import { useActors } from '../audit/actors.ts'
import { gateway, useRead, useWrite } from '../gateway.ts'
import { useCan } from '../session/session.ts'
import { Facts, Id, Json, Time } from '../ui/atoms.tsx'
import { ErrorNote, Loaded, Note } from '../ui/feedback.tsx'
import { ListTable } from '../ui/ListTable.tsx'
import { Page, Section } from '../ui/Page.tsx'
import { useWords } from '../words/language.ts'
import { Decide, GROUPS, type Verdict } from './Decide.tsx'
import { Result } from './Result.tsx'
import { TITLE } from './title.ts'
import { KINDS, VERIFICATIONS } from './words.ts'

export function OneVerification() {
  const { title } = useWords(TITLE)
  const { id = '' } = useParams()
  const kinds: Readonly<Record<string, string>> = useWords(KINDS)
  const read = useRead(['verifications', 'get', id], (signal) => gateway.verifications.get(id, { signal }))
  return (
    <Page
      title={read.data ? (read.data.recipient.name ?? kinds[read.data.kind] ?? title) : title}
      parent={[title, '/verifications']}
      beside={read.data && <Result of={read.data} />}
      actions={read.data && <Actions of={read.data} />}
    >
      <Loaded of={read}>{(data) => <Shown of={data} />}</Loaded>
    </Page>
  )
}

function Actions({ of }: { readonly of: Verification }) {
  const w = useWords(VERIFICATIONS)
  const can = useCan()
  const [asking, setAsking] = useState<Verdict | null>(null)
  const retry = useWrite(() => gateway.verifications.retry(of.id), GROUPS)
  const isOpen = of.status === 'review' || of.status === 'unavailable'
  return (
    <>
      {retry.error && <ErrorNote error={retry.error} />}
      {of.status === 'unavailable' && (
        <Button variant="default" loading={retry.isPending} onClick={() => retry.mutate(undefined)}>
          {w.retry}
        </Button>
      )}
      {can('approvals:write') && isOpen && (
        <>
          <Button onClick={() => setAsking('pass')}>{w.doPass}</Button>
          <Button color="red" variant="outline" onClick={() => setAsking('fail')}>
            {w.doFail}
          </Button>
        </>
      )}
      {asking && <Decide of={of} verdict={asking} onClose={() => setAsking(null)} />}
    </>
  )
}

function Shown({ of }: { readonly of: Verification }) {
  const w = useWords(VERIFICATIONS)
  const kinds: Readonly<Record<string, string>> = useWords(KINDS)
  const { nameOf } = useActors()
  const { contract_id: contract, requested_by: by, decided_by: decider } = of
  const who = (id: string | null) => (id === null ? w.gateway : (nameOf(id) ?? id))
  return (
    <>
      {of.reason !== null && (
        <Note tone={of.status === 'review' || of.status === 'unavailable' ? 'warn' : 'info'} title={of.reason}>
          {of.status === 'review' && <Text size="sm">{w.reviewHow}</Text>}
        </Note>
      )}
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        <Compared of={of} />
        <Section title={w.question}>
          <Facts
            of={[
              ['ID', <Id key="id" id={of.id} isWhole />],
              [w.kind, kinds[of.kind] ?? of.kind],
              [w.verifier, of.verifier.id === null ? w.builtIn : of.verifier.name],
              [w.channel, of.channel],
              contract === null
                ? null
                : [w.contract, <Id key="contract" id={contract} to={`/transfers/${contract}`} />],
              [w.askedBy, who(by)],
              [w.askedAt, <Time key="asked" at={of.created_at} />],
              [w.tries, String(of.tries)],
              of.next_try_at ? [w.nextTry, <Time key="next" at={of.next_try_at} />] : null,
              of.ended_at ? [w.ended, <Time key="ended" at={of.ended_at} />] : null,
              decider === null ? null : [w.decidedBy, who(decider)],
              of.expires_at ? [w.counts, <Time key="counts" at={of.expires_at} />] : null,
            ]}
          />
        </Section>
      </SimpleGrid>
      <Hits of={of} />
      <Section title={w.evidence}>
        <Json value={of.evidence} label={w.evidence} />
      </Section>
    </>
  )
}

/** What was given, and what was answered, one above the other. */
function Compared({ of: { recipient, evidence } }: { readonly of: Verification }) {
  const w = useWords(VERIFICATIONS)
  const registered = evidence['registered']
  return (
    <Section title={w.compared}>
      <Facts
        of={[
          [w.given, <strong key="given">{recipient.name ?? '—'}</strong>],
          typeof registered === 'string' ? [w.registered, <strong key="registered">{registered}</strong>] : null,
          recipient.wallet ? [w.account, [recipient.wallet, recipient.tag].filter(Boolean).join(' · ')] : null,
          recipient.mobile ? [w.mobile, recipient.mobile] : null,
          recipient.email ? [w.email, recipient.email] : null,
          recipient.address ? [w.address, recipient.address] : null,
          recipient.country ? [w.country, recipient.country] : null,
        ]}
      />
    </Section>
  )
}

type Hit = {
  readonly list: string
  readonly version: string
  readonly entry: string
  readonly name: string
  readonly score: number
}

const isHit = (each: unknown): each is Hit =>
  typeof each === 'object' && each !== null && 'list' in each && 'score' in each

/** Entries of lists that the recipient is like, the likest first. */
function Hits({ of: { evidence, recipient } }: { readonly of: Verification }) {
  const w = useWords(VERIFICATIONS)
  const found = evidence['hits']
  const hits = Array.isArray(found) ? found.filter(isHit) : []
  if (hits.length === 0) return null
  return (
    <Section title={w.hits(hits.length)} isFlush>
      <ListTable
        label={w.hits(hits.length)}
        rows={hits}
        keyOf={({ list, entry, name }) => `${list} ${entry} ${name}`}
        columns={[
          { key: 'given', title: w.given, render: () => recipient.name ?? '—' },
          { key: 'listed', title: w.listed, render: ({ name }) => <strong>{name}</strong> },
          { key: 'score', title: w.alike, align: 'right', render: ({ score }) => w.score(score) },
          { key: 'list', title: w.list, render: ({ list, version }) => `${list} (${version})` },
          { key: 'entry', title: w.entry, render: ({ entry }) => <Id id={entry} /> },
        ]}
      />
    </Section>
  )
}
