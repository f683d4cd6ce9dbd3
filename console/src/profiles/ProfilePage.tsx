// One profile: who it is, how they are paid, what names them, and how it came to be so.
import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { Link, useLocation, useParams } from 'react-router'
import type { Duplicate, Profile } from '../../../sdk/src/index.ts'
import { gateway, useRead, useWrite } from '../gateway.ts'
import { useCan } from '../session/session.ts'
import { Facts, Id, Status, Time } from '../ui/atoms.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { Loaded, Note } from '../ui/feedback.tsx'
import { Page, Section } from '../ui/Page.tsx'
import { useLanguage, useWords } from '../words/language.ts'
import { countryName } from './countries.ts'
import { Destinations } from './Destinations.tsx'
import { ProfileContracts } from './ProfileContracts.tsx'
import { calledOf } from './Profiles.tsx'
import { Versions } from './Versions.tsx'
import { TITLE } from './title.ts'
import { PROFILES } from './words.ts'

export function ProfilePage() {
  const { id = '' } = useParams()
  const { title } = useWords(TITLE)
  const { state } = useLocation()
  const [found, setFound] = useState<readonly Duplicate[]>()
  const read = useRead(['profiles', 'get', id], (signal) => gateway.profiles.get(id, undefined, { signal }))
  const profile = read.data
  const duplicates = found ?? (state as { readonly duplicates?: readonly Duplicate[] } | null)?.duplicates ?? []
  return (
    <Page
      title={profile ? calledOf(profile) : title}
      parent={[title, '/profiles']}
      beside={profile && <Status of={profile.status} />}
      actions={profile && <Actions profile={profile} />}
    >
      <Loaded of={read}>
        {(shown) => (
          <>
            <Duplicates of={duplicates} />
            <Person profile={shown} />
            {shown.relation !== 'payer' && <Destinations profile={shown} onDuplicates={setFound} />}
            <ProfileContracts profile={shown} />
            {shown.relation !== 'payer' && <Versions profile={shown} />}
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** What can be done: nothing with a payer of another account, of whom the name alone is known. */
function Actions({ profile }: { readonly profile: Profile }) {
  const w = useWords(PROFILES)
  const can = useCan()
  const [isAsking, setAsking] = useState(false)
  const archive = useWrite(() => gateway.profiles.archive(profile.id), ['profiles'])
  const restore = useWrite(() => gateway.profiles.restore(profile.id), ['profiles'])
  const { id, relation, status } = profile
  const isContact = relation === 'contact'
  const isInUse = status === 'active'
  return (
    <>
      {isContact && isInUse && can('contracts:write') && (
        <Button component={Link} to={`/transfers/new?profile=${id}`}>
          {w.pay}
        </Button>
      )}
      {relation !== 'payer' && isInUse && can('profiles:write') && (
        <Button component={Link} to={`/profiles/${id}/edit`} variant="default">
          {w.edit}
        </Button>
      )}
      {isContact && can('profiles:write') && (
        <Button variant="default" onClick={() => setAsking(true)}>
          {isInUse ? w.archive : w.restore}
        </Button>
      )}
      {isAsking && (
        <Confirm
          title={isInUse ? w.archiveTitle : w.restoreTitle}
          action={isInUse ? w.archive : w.restore}
          isDangerous={isInUse}
          onConfirm={() => (isInUse ? archive : restore).mutateAsync(undefined)}
          onClose={() => setAsking(false)}
        >
          {isInUse ? w.archiveWhat : w.restoreWhat}
        </Confirm>
      )}
    </>
  )
}

function Person({ profile }: { readonly profile: Profile }) {
  const w = useWords(PROFILES)
  const language = useLanguage()
  const { relation, type, name, mobile, email, country, address, reference, metadata, id, created_at } = profile
  if (relation === 'payer')
    return (
      <Section>
        <Facts
          of={[
            [w.name, name],
            [w.id, <Id key="id" id={id} />],
          ]}
        />
        <Note tone="info">{w.payerWhat}</Note>
      </Section>
    )
  const facts: (readonly [name: string, value: ReactNode])[] = [
    [w.kind, type === 'business' ? w.business : w.person],
    [w.name, name],
    [w.mobile, mobile],
    [w.email, email],
    [w.country, country && countryName(country, language)],
    [w.address, address],
    [w.reference, reference],
    ...Object.entries(metadata),
    [w.id, <Id key="id" id={id} />],
    [w.since, <Time key="since" at={created_at} />],
  ]
  return (
    <Section title={w.who}>
      {relation === 'own' && <Note tone="info">{w.ownWhat}</Note>}
      <Facts of={facts.filter(([, value]) => value !== null)} />
    </Section>
  )
}

function Duplicates({ of }: { readonly of: readonly Duplicate[] }) {
  const w = useWords(PROFILES)
  if (of.length === 0) return null
  const said = { mobile: w.sameMobile, email: w.sameEmail, account: w.sameAccount, reference: w.sameReference }
  return (
    <div role="status">
      <Note tone="warn" title={w.duplicates}>
        <ul style={{ margin: '6px 0 0', paddingLeft: 18 }}>
          {of.map(({ id, name, same }) => (
            <li key={id}>
              <Link to={`/profiles/${id}`} style={{ color: 'inherit' }}>
                {name ?? id}
              </Link>
              : {same.map((each) => said[each]).join(', ')}
            </li>
          ))}
        </ul>
      </Note>
    </div>
  )
}
