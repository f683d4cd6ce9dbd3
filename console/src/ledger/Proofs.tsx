// Proofs of the books: the last one, running one now, and all that were run.
import { Button, Progress, Stack, Text } from '@mantine/core'
import type { Proof } from '../../../sdk/src/index.ts'
import { gateway, useRead, useWrite } from '../gateway.ts'
import { useCan } from '../session/session.ts'
import { countText } from '../ui/amounts.ts'
import { Badge, Facts, Id, Time } from '../ui/atoms.tsx'
import { Empty, ErrorNote, Loaded, Note } from '../ui/feedback.tsx'
import { ListTable } from '../ui/ListTable.tsx'
import { Section } from '../ui/Page.tsx'
import { useLanguage, useWords } from '../words/language.ts'
import { LedgerPage } from './LedgerPage.tsx'
import { LEDGER } from './words.ts'

const WHILE_IT_RUNS_MS = 1000

export function Proofs() {
  const w = useWords(LEDGER)
  const can = useCan()
  const read = useRead(['proofs', 'list'], (signal) => gateway.proofs.list({ limit: 25 }, { signal }).page(), {
    refetchInterval: (query) => (query.state.data?.items[0]?.verdict === null ? WHILE_IT_RUNS_MS : 30_000),
  })
  const start = useWrite(() => gateway.proofs.create(), ['proofs'])
  const isRunning = read.data?.items[0]?.verdict === null
  const verify = can('operations:write') && (
    <Button loading={start.isPending} disabled={isRunning} onClick={() => start.mutate(null)}>
      {isRunning ? w.verifying : w.verify}
    </Button>
  )
  return (
    <LedgerPage actions={verify}>
      {start.error && <ErrorNote error={start.error} />}
      <Loaded of={read}>
        {({ items }) => {
          const [last] = items
          if (last === undefined)
            return (
              <Section>
                <Empty icon="shield" title={w.lastNone}>
                  {w.lastNoneMore}
                </Empty>
              </Section>
            )
          return (
            <>
              <Last proof={last} />
              <All proofs={items} />
            </>
          )
        }}
      </Loaded>
    </LedgerPage>
  )
}

function Verdict({ of }: { readonly of: Proof['verdict'] }) {
  const w = useWords(LEDGER)
  if (of === null) return <Badge tone="info">{w.running}</Badge>
  const tones = { holds: 'good', broken: 'bad', interrupted: 'warn' } as const
  return <Badge tone={tones[of]}>{w[of]}</Badge>
}

/** How long it took, in seconds of one digit. */
function useTook({ started_at, finished_at }: Proof): string {
  const w = useWords(LEDGER)
  if (finished_at === null) return '—'
  return w.seconds(((Date.parse(finished_at) - Date.parse(started_at)) / 1000).toFixed(1))
}

function Last({ proof }: { readonly proof: Proof }) {
  const w = useWords(LEDGER)
  const language = useLanguage()
  const took = useTook(proof)
  const { verdict, progress, counts, findings, started_by, started_at } = proof
  const count = (of: number) => countText(of, language)
  return (
    <>
      <Section title={w.last} actions={<Verdict of={verdict} />}>
        <Stack gap="md">
          {verdict === null && <Progress value={progress * 100} aria-label={w.progress} />}
          <Facts
            of={[
              [w.startedAt, <Time key="at" at={started_at} />],
              [w.startedBy, started_by],
              [w.took, took],
              counts && [w.read, w.counted(count(counts.entries), count(counts.contracts), count(counts.wallets))],
            ]}
          />
        </Stack>
      </Section>
      {findings.length > 0 && (
        <Section title={w.findings} isFlush>
          <div style={{ padding: '0 16px 12px' }}>
            <Note tone="bad">{w.brokenWhat}</Note>
          </div>
          <ListTable
            label={w.findings}
            rows={findings}
            keyOf={({ proof: name, row }) => `${name} ${row}`}
            columns={[
              { key: 'proof', title: w.proof, render: ({ proof: name }) => name },
              { key: 'whose', title: w.whose, render: ({ account_id }) => account_id && <Id id={account_id} /> },
              {
                key: 'row',
                title: w.row,
                render: ({ row }) => (
                  <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                    {row}
                  </Text>
                ),
              },
              {
                key: 'problem',
                title: w.problem,
                render: ({ problem }) => (
                  <Text size="sm" maw={420} style={{ overflowWrap: 'anywhere' }}>
                    {problem}
                  </Text>
                ),
              },
            ]}
          />
        </Section>
      )}
    </>
  )
}

function All({ proofs }: { readonly proofs: readonly Proof[] }) {
  const w = useWords(LEDGER)
  return (
    <Section title={w.earlier} isFlush>
      <ListTable
        label={w.earlier}
        rows={proofs}
        keyOf={({ id }) => id}
        columns={[
          { key: 'at', title: w.startedAt, render: ({ started_at }) => <Time at={started_at} /> },
          { key: 'verdict', title: w.verdict, render: ({ verdict }) => <Verdict of={verdict} /> },
          { key: 'by', title: w.startedBy, render: ({ started_by }) => started_by },
          { key: 'took', title: w.took, align: 'right', render: (proof) => <Took proof={proof} /> },
        ]}
      />
    </Section>
  )
}

function Took({ proof }: { readonly proof: Proof }) {
  return <span className="money">{useTook(proof)}</span>
}
