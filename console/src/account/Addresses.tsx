// Whose pages may call with a token of the account, and where payers may be sent back to: an address a line.
import { SimpleGrid, Textarea } from '@mantine/core'
import type { Account } from '../../../sdk/src/index.ts'
import { changedOf, useEdits } from '../edits.ts'
import { Form } from '../ui/Form.tsx'
import { useWords } from '../words/language.ts'
import { Saved, useAccountUpdate } from './AccountPage.tsx'
import { ACCOUNT } from './words.ts'

type Typed = { readonly origins: string; readonly sites: string }

const typedOf = ({ cors_origins: origins, sites }: Account): Typed => ({
  origins: origins.join('\n'),
  sites: sites.join('\n'),
})

const linesOf = (text: string) => text.split(/\s+/).filter((line) => line !== '')
const bodyOf = ({ origins, sites }: Typed) => ({ cors_origins: linesOf(origins), sites: linesOf(sites) })

export function Addresses({ account }: { readonly account: Account }) {
  const w = useWords(ACCOUNT)
  const update = useAccountUpdate()
  const standing = typedOf(account)
  const { form, edits, edit, forget } = useEdits(standing)
  return (
    <Form
      fields={['cors_origins', 'sites']}
      error={update.error}
      action={w.save}
      isBusy={update.isPending}
      beside={<Saved isShown={update.isSuccess} />}
      onSubmit={() => update.mutate(changedOf(bodyOf(standing), bodyOf(form)), { onSuccess: () => forget(edits) })}
    >
      {(problem) => (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Textarea
            label={w.origins}
            description={w.originsHint}
            placeholder="https://shop.example"
            autosize
            minRows={2}
            value={form.origins}
            error={problem('cors_origins')}
            onChange={(event) => edit({ origins: event.currentTarget.value })}
          />
          <Textarea
            label={w.sites}
            description={w.sitesHint}
            placeholder="https://shop.example"
            autosize
            minRows={2}
            value={form.sites}
            error={problem('sites')}
            onChange={(event) => edit({ sites: event.currentTarget.value })}
          />
        </SimpleGrid>
      )}
    </Form>
  )
}
