// All active policies, tried on a transfer and rehearsed on the last days.
import { Page } from '../../ui/Page.tsx'
import { useWords } from '../../words/language.ts'
import { Rehearse } from './Rehearse.tsx'
import { TryIt } from './TryIt.tsx'
import { TITLE } from '../title.ts'
import { POLICIES } from '../words.ts'

export function Trying() {
  const { title } = useWords(TITLE)
  const w = useWords(POLICIES)
  return (
    <Page title={w.tryAll} parent={[title, '/policies']}>
      <TryIt what="active" />
      <Rehearse what={{}} isReady />
    </Page>
  )
}
