// A profile is changed, at the version that was read: who changed it meanwhile is not written over.
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import type { Profile, ProfileRequest } from '../../../sdk/src/index.ts'
import { gateway, useRead, useWrite } from '../gateway.ts'
import { Loaded } from '../ui/feedback.tsx'
import { Page, Section } from '../ui/Page.tsx'
import { useWords } from '../words/language.ts'
import { ProfileForm } from './ProfileForm.tsx'
import { calledOf } from './Profiles.tsx'
import { PROFILES } from './words.ts'

export function EditProfile() {
  const { id = '' } = useParams()
  const w = useWords(PROFILES)
  const read = useRead(['profiles', 'get', id], (signal) => gateway.profiles.get(id, undefined, { signal }))
  return (
    <Page title={w.edit} parent={[read.data ? calledOf(read.data) : '…', `/profiles/${id}`]}>
      <Section>
        <Loaded of={read}>{(profile) => <Editing profile={profile} />}</Loaded>
      </Section>
    </Page>
  )
}

function Editing({ profile: current }: { readonly profile: Profile }) {
  const w = useWords(PROFILES)
  const navigate = useNavigate()
  // What was read when the form was opened: news of it must not slip below what is typed.
  const [profile] = useState(current)
  const update = useWrite(
    async (wanted: ProfileRequest) => {
      const { duplicates } = await gateway.profiles.update(profile.id, wanted, { ifMatch: profile.version })
      await navigate(`/profiles/${profile.id}`, { state: { duplicates } })
    },
    ['profiles'],
  )
  return (
    <ProfileForm
      profile={profile}
      action={w.save}
      error={update.error}
      isBusy={update.isPending}
      onSubmit={update.mutate}
      onCancel={() => void navigate(`/profiles/${profile.id}`)}
    />
  )
}
