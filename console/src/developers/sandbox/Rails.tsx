// The rails that the provider plays: which work, and which somebody has taken out.
import { Button } from '@mantine/core'
import { useState } from 'react'
import type { SandboxRail } from '../../../../sdk/src/index.ts'
import { Badge, Time } from '../../ui/atoms.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { Section } from '../../ui/Page.tsx'
import { useWords } from '../../words/language.ts'
import { TakeOut } from './ScriptForms.tsx'
import { SANDBOX } from './words.ts'

export function Rails({ of }: { readonly of: readonly SandboxRail[] }) {
  const w = useWords(SANDBOX)
  const [taking, setTaking] = useState<string | null>(null)
  return (
    <Section title={w.rails} isFlush>
      <ListTable<SandboxRail>
        label={w.rails}
        rows={of}
        keyOf={({ rail }) => rail}
        columns={[
          { key: 'rail', title: w.rail, render: ({ rail }) => <strong>{rail}</strong> },
          { key: 'channels', title: w.channels, render: ({ channels }) => channels.join(', ') },
          { key: 'stands', title: w.stands, render: (rail) => <Stands of={rail} /> },
          {
            key: 'take',
            title: '',
            align: 'right',
            render: ({ rail, outage }) =>
              outage === null ? (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`${w.takeOut}: ${rail}`}
                  onClick={() => setTaking(rail)}
                >
                  {w.takeOut}
                </Button>
              ) : null,
          },
        ]}
      />
      {taking !== null && <TakeOut rail={taking} onClose={() => setTaking(null)} />}
    </Section>
  )
}

function Stands({ of: { outage } }: { readonly of: SandboxRail }) {
  const w = useWords(SANDBOX)
  if (outage === null) return <Badge tone="good">{w.works}</Badge>
  return (
    <span style={{ display: 'inline-flex', gap: 6, alignItems: 'center', flexWrap: 'wrap' }}>
      <Badge tone="bad">{`${w.out} (${outage.kind.replaceAll('_', ' ')})`}</Badge>
      {outage.until === null ? (
        w.untilEnded
      ) : (
        <span>
          {w.until} <Time at={outage.until} style="short" />
        </span>
      )}
    </span>
  )
}
