// How a policy came to be as it is: each version, by whom, and what it changed in words.
import { Button, Group, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import type { AuditEntry, Policy } from '../../../sdk/src/index.ts'
import { useActors } from '../audit/actors.ts'
import { gateway, useRead } from '../gateway.ts'
import { useCan } from '../session/session.ts'
import { Time } from '../ui/atoms.tsx'
import { Changes } from '../ui/Changes.tsx'
import { Loaded } from '../ui/feedback.tsx'
import { Section, Timeline } from '../ui/Page.tsx'
import { useWords } from '../words/language.ts'
import { POLICIES } from './words.ts'
import './policies.css'

const FIRST = 5
const MOST = 100

export function Versions({ policy: { id, version } }: { readonly policy: Policy }) {
  const w = useWords(POLICIES)
  const [isWhole, setWhole] = useState(false)
  // One more than is shown, to say what the last one changed.
  const limit = isWhole ? MOST : FIRST + 1
  const read = useRead(['policies', 'versions', id, limit], (signal) =>
    gateway.policies.versions(id, { limit }, { signal }).page(),
  )
  const whoOf = useWhos(id, version)
  return (
    <Section title={w.history}>
      <Loaded of={read} rows={3}>
        {({ items, next }) => (
          <>
            <Timeline
              items={items.slice(0, isWhole ? MOST : FIRST).map((each, place) => ({
                key: String(each.version),
                title: w.versionOf(each.version),
                at: <Time at={each.updated_at} />,
                children: <Version of={each} before={items[place + 1]} who={whoOf(each)} />,
              }))}
            />
            {!isWhole && (next !== null || items.length > FIRST) && (
              <Group>
                <Button variant="subtle" size="compact-sm" onClick={() => setWhole(true)}>
                  {w.showAll}
                </Button>
              </Group>
            )}
          </>
        )}
      </Loaded>
    </Section>
  )
}

/** Who made a version, where the reader may see the audit list: it has one entry for each, in the same moment. */
function useWhos(id: string, newest: number): (policy: Policy) => string | null {
  const can = useCan()
  const { nameOf } = useActors()
  const read = useRead(
    ['audit', 'of policy', id, newest],
    (signal) => gateway.audit.list({ object: id, limit: MOST }, { signal }).page(),
    {
      enabled: can('audit:read'),
    },
  )
  const entries: readonly AuditEntry[] = read.data?.items ?? []
  return ({ version }) => {
    const actor = entries[newest - version]?.actor
    return actor ? (nameOf(actor.id) ?? actor.id) : null
  }
}

type VersionProps = { readonly of: Policy; readonly before: Policy | undefined; readonly who: string | null }

function Version({ of, before, who }: VersionProps) {
  const w = useWords(POLICIES)
  const nameOf = (member: string) => (w as Readonly<Record<string, unknown>>)[member] as string
  return (
    <>
      {(who !== null || !before) && (
        <div style={{ color: 'var(--mantine-color-dimmed)' }}>
          {[before ? null : w.made, who === null ? null : w.by(who)].filter(Boolean).join(' ')}
        </div>
      )}
      {before ? (
        <Changes before={seen(before)} after={seen(of)} nameOf={nameOf} />
      ) : (
        <p className="said">{of.sentence}</p>
      )}
      {before && before.sentence !== of.sentence && (
        <dl className="changes">
          <div>
            <dt>{w.sentence}</dt>
            <dd>
              <VisuallyHidden>{w.wasSaid}</VisuallyHidden>
              <del>{before.sentence}</del>
              <span aria-hidden="true"> → </span>
              <VisuallyHidden>{w.isSaid}</VisuallyHidden>
              <ins>{of.sentence}</ins>
            </dd>
          </div>
        </dl>
      )}
    </>
  )
}

/** What people see of a version beside its sentence. */
const seen = ({ name, description, priority, status }: Policy) => ({ name, description, priority, status })
