// Whose pages may call with a token of the account, and where payers may be sent back to: an address a line.
import { SimpleGrid, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { Account } from '../../../sdk/src/index.ts'
import { Form } from '../ui/Form.tsx'
import { useWords } from '../words/language.ts'
import { Saved, useAccountUpdate } from './AccountPage.tsx'
import { ACCOUNT } from './words.ts'

const linesOf = (text: string) => text.split(/\s+/).filter((line) => line !== '')

export function Addresses({ account }: { readonly account: Account }) {
  const w = useWords(ACCOUNT)
  const update = useAccountUpdate()
  const [origins, setOrigins] = useState(account.cors_origins.join('\n'))
  const [sites, setSites] = useState(account.sites.join('\n'))
  return (
    <Form
      fields={['cors_origins', 'sites']}
      error={update.error}
      action={w.save}
      isBusy={update.isPending}
      beside={<Saved isShown={update.isSuccess} />}
      onSubmit={() => update.mutate({ cors_origins: linesOf(origins), sites: linesOf(sites) })}
    >
      {(problem) => (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Textarea
            label={w.origins}
            description={w.originsHint}
            placeholder="https://shop.example"
            autosize
            minRows={2}
            value={origins}
            error={problem('cors_origins')}
            onChange={(event) => setOrigins(event.currentTarget.value)}
          />
          <Textarea
            label={w.sites}
            description={w.sitesHint}
            placeholder="https://shop.example"
            autosize
            minRows={2}
            value={sites}
            error={problem('sites')}
            onChange={(event) => setSites(event.currentTarget.value)}
          />
        </SimpleGrid>
      )}
    </Form>
  )
}
