// A new profile.
import { useNavigate } from 'react-router'
import type { ProfileRequest } from '../../../sdk/src/index.ts'
import { gateway, useWrite } from '../gateway.ts'
import { Page, Section } from '../ui/Page.tsx'
import { useWords } from '../words/language.ts'
import { ProfileForm } from './ProfileForm.tsx'
import { TITLE } from './title.ts'
import { PROFILES } from './words.ts'

export function NewProfile() {
  const { title } = useWords(TITLE)
  const w = useWords(PROFILES)
  const navigate = useNavigate()
  const create = useWrite(
    async (wanted: ProfileRequest) => {
      const { profile, duplicates } = await gateway.profiles.create(wanted)
      await navigate(`/profiles/${profile.id}`, { state: { duplicates } })
    },
    ['profiles'],
  )
  return (
    <Page title={w.create} parent={[title, '/profiles']}>
      <Section>
        <ProfileForm
          action={w.createAction}
          error={create.error}
          isBusy={create.isPending}
          onSubmit={create.mutate}
          onCancel={() => void navigate('/profiles')}
        />
      </Section>
    </Page>
  )
}
