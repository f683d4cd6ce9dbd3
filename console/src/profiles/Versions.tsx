// How a profile came to be as it is: each version, and what it changed.
import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Destination, Profile } from '../../../sdk/src/index.ts'
import { gateway, useRead } from '../gateway.ts'
import { Time } from '../ui/atoms.tsx'
import { Changes } from '../ui/Changes.tsx'
import { Loaded } from '../ui/feedback.tsx'
import { Section, Timeline } from '../ui/Page.tsx'
import { useWords } from '../words/language.ts'
import { PROFILES } from './words.ts'

const FIRST = 5
const MOST = 100

export function Versions({ profile: { id } }: { readonly profile: Profile }) {
  const w = useWords(PROFILES)
  const [isWhole, setWhole] = useState(false)
  // One more than is shown, to say what the last one changed.
  const limit = isWhole ? MOST : FIRST + 1
  const read = useRead(['profiles', 'versions', id, limit], (signal) =>
    gateway.profiles.versions(id, { limit }, { signal }).page(),
  )
  const nameOf = (member: string) => (w as Readonly<Record<string, unknown>>)[member] as string | undefined
  return (
    <Section title={w.history}>
      <Loaded of={read} rows={3}>
        {({ items, next }) => (
          <>
            <Timeline
              items={items.slice(0, isWhole ? MOST : FIRST).map((each, place) => {
                const before = items[place + 1]
                return {
                  key: String(each.version),
                  title: w.version(each.version),
                  at: <Time at={each.updated_at} />,
                  children: before ? (
                    <Changes before={seen(before, w)} after={seen(each, w)} nameOf={(name) => nameOf(name) ?? name} />
                  ) : each.version === 1 ? (
                    w.madeHere
                  ) : undefined,
                }
              })}
            />
            {!isWhole && (items.length > FIRST || next !== null) && (
              <Button mt="md" size="compact-sm" variant="default" onClick={() => setWhole(true)}>
                {w.olderVersions}
              </Button>
            )}
          </>
        )}
      </Loaded>
    </Section>
  )
}

type Words = { readonly default: string; readonly archived: string }

/** What of a version is compared. */
function seen(version: Profile, words: Words) {
  const { type, status, name, mobile, email, country, address, reference, metadata, destinations } = version
  const ways = Object.fromEntries(destinations.map((each) => [wayOf(each), said(each, words)]))
  return { kind: type, status, name, mobile, email, country, address, reference, ...metadata, ...ways }
}

const wayOf = ({ label, channel }: Destination) => label ?? channel

function said({ channel, recipient, status, default: isDefault }: Destination, words: Words): string {
  const places = Object.values(recipient).filter((each) => each !== null)
  const state = status === 'archived' ? words.archived : isDefault ? words.default : null
  return [channel, ...places, ...(state === null ? [] : [state])].join(' · ')
}
