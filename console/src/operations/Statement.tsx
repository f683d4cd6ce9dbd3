// One day of a channel against the books, line by line.
import { useParams } from 'react-router'
import type { ReconciliationFinding } from '../../../sdk/src/index.ts'
import { gateway, useRead } from '../gateway.ts'
import { Badge, Facts, Id, Money, Time, type Tone } from '../ui/atoms.tsx'
import { Empty, Loaded } from '../ui/feedback.tsx'
import { ListTable } from '../ui/ListTable.tsx'
import { Page, Section } from '../ui/Page.tsx'
import { useWords } from '../words/language.ts'
import { Result } from './Statements.tsx'
import { WORK } from './words.ts'

export function Statement() {
  const w = useWords(WORK)
  const { id = '' } = useParams()
  const read = useRead(['reconciliations', 'get', id], (signal) => gateway.reconciliations.get(id, { signal }))
  return (
    <Loaded of={read}>
      {(one) => (
        <Page
          title={`${one.channel}, ${one.day}`}
          beside={<Result of={one} />}
          parent={[w.statements, '/operations/statements']}
        >
          <Section>
            <Facts
              of={[
                [w.matched, one.matched],
                [w.compareAt, <Time key="at" at={one.at} />],
              ]}
            />
          </Section>
          <Section title={w.lines} isFlush>
            <Lines findings={one.findings} />
          </Section>
        </Page>
      )}
    </Loaded>
  )
}

const TONES: Readonly<Record<ReconciliationFinding['kind'], Tone>> = {
  missing: 'warn',
  differs: 'warn',
  extra: 'bad',
  mended: 'info',
}

function Lines({ findings }: { readonly findings: readonly ReconciliationFinding[] }) {
  const w = useWords(WORK)
  return (
    <ListTable
      label={w.lines}
      rows={findings.map((each, place) => ({ ...each, place }))}
      keyOf={({ place }) => String(place)}
      empty={<Empty icon="check" title={w.linesNone} />}
      columns={[
        {
          key: 'kind',
          title: w.kind,
          render: ({ kind, acknowledged }) => (
            <span>
              <Badge tone={TONES[kind]}>{w[kind]}</Badge> {acknowledged && <Badge>{w.acknowledged}</Badge>}
            </span>
          ),
        },
        { key: 'reference', title: w.reference, render: ({ reference }) => <Id id={reference} /> },
        {
          key: 'amount',
          title: w.amount,
          align: 'right',
          render: ({ amount, currency }) =>
            currency === null ? (amount ?? '—') : <Money amount={amount} currency={currency} />,
        },
        {
          key: 'contract',
          title: w.contract,
          render: ({ contract_id }) => (contract_id === null ? '—' : <Id id={contract_id} />),
        },
        { key: 'why', title: w.reason, render: ({ why }) => why ?? '—' },
      ]}
    />
  )
}
