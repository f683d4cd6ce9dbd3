// What the account is called, where its days begin, and in which currency people look first.
import { Select, SimpleGrid, TextInput } from '@mantine/core'
import type { Account } from '../../../sdk/src/index.ts'
import { gateway, useRead } from '../gateway.ts'
import { changedOf, useEdits } from '../edits.ts'
import { Form } from '../ui/Form.tsx'
import { type Language, localeOf, useLanguage, useWords } from '../words/language.ts'
import { Saved, useAccountUpdate } from './AccountPage.tsx'
import { ACCOUNT } from './words.ts'

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')]

const namingOf = ({ name, time_zone, default_currency }: Account) => ({ name, time_zone, default_currency })

export function Naming({ account }: { readonly account: Account }) {
  const w = useWords(ACCOUNT)
  const update = useAccountUpdate()
  const currencies = useCurrencies()
  const standing = namingOf(account)
  const { form, edits, edit, forget } = useEdits(standing)
  const { name, time_zone: zone, default_currency: currency } = form
  const zones = ZONES.includes(zone) ? ZONES : [zone, ...ZONES]
  return (
    <Form
      fields={['name', 'time_zone', 'default_currency']}
      error={update.error}
      action={w.save}
      isBusy={update.isPending}
      beside={<Saved isShown={update.isSuccess} />}
      onSubmit={() =>
        update.mutate(changedOf(standing, { ...form, name: name.trim() }), { onSuccess: () => forget(edits) })
      }
    >
      {(problem) => (
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <TextInput
            label={w.name}
            description={w.nameHint}
            value={name}
            maxLength={100}
            error={problem('name')}
            onChange={(event) => edit({ name: event.currentTarget.value })}
          />
          <Select
            label={w.timeZone}
            description={w.timeZoneHint}
            searchable
            allowDeselect={false}
            limit={60}
            data={zones}
            value={zone}
            error={problem('time_zone')}
            onChange={(value) => edit({ time_zone: value ?? zone })}
          />
          <Select
            label={w.currency}
            description={w.currencyHint}
            placeholder={w.none}
            searchable
            clearable
            clearButtonProps={{ 'aria-label': w.noCurrency }}
            data={currencies}
            value={currency}
            error={problem('default_currency')}
            onChange={(value) => edit({ default_currency: value })}
          />
        </SimpleGrid>
      )}
    </Form>
  )
}

/** The currencies that this gateway takes. */
function useCurrencies() {
  const language = useLanguage()
  const read = useRead(
    ['resources', 'currencies'],
    async (signal) => {
      const found = await gateway.resources.get('currencies', { signal })
      const items = 'items' in found ? (found.items as readonly unknown[]) : []
      return (items as readonly { readonly code: string; readonly enabled: boolean }[]).filter(({ enabled }) => enabled)
    },
    { staleTime: Number.POSITIVE_INFINITY },
  )
  return (read.data ?? []).map(({ code }) => ({ value: code, label: `${code} · ${currencyName(code, language)}` }))
}

const currencyName = (code: string, language: Language) =>
  new Intl.DisplayNames([localeOf(language), 'en'], { type: 'currency' }).of(code) ?? code
