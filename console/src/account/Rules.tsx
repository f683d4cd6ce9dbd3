// What becomes of transfers that fail, of money that fits no contract, and of contracts that nobody pays.
import { MultiSelect, NumberInput, Select, SimpleGrid, Switch } from '@mantine/core'
import type { Account } from '../../../sdk/src/index.ts'
import { useChannels } from '../profiles/channels.ts'
import { changedOf, useEdits } from '../edits.ts'
import { Form } from '../ui/Form.tsx'
import { useWords } from '../words/language.ts'
import { Saved, useAccountUpdate } from './AccountPage.tsx'
import { useSpans } from './expiries.ts'
import { ACCOUNT } from './words.ts'

const RETRIES_MAX = 5
const FIELDS = [
  'refunds_at_once',
  'retries',
  'fallback_channels',
  'returns_at_once',
  'transfer_expires_in',
  'payment_expires_in',
].map((name) => `settings.${name}`)

export function Rules({ account }: { readonly account: Account }) {
  const w = useWords(ACCOUNT)
  const update = useAccountUpdate()
  const { paying } = useChannels()
  const { form: settings, edits, edit: set, forget } = useEdits(account.settings)
  const save = () => update.mutate({ settings: changedOf(account.settings, edits) }, { onSuccess: () => forget(edits) })
  const names = new Map(paying.map(({ id, name }) => [id, name]))
  const channels = [...new Set([...names.keys(), ...settings.fallback_channels])]
  return (
    <Form
      fields={FIELDS}
      error={update.error}
      action={w.save}
      isBusy={update.isPending}
      beside={<Saved isShown={update.isSuccess} />}
      onSubmit={save}
    >
      {(problem) => (
        <>
          <Switches settings={settings} onChange={set} />
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <NumberInput
              label={w.retries}
              description={w.retriesHint}
              min={0}
              max={RETRIES_MAX}
              allowDecimal={false}
              value={settings.retries}
              error={problem('settings.retries')}
              onChange={(value) => set({ retries: Number(value) })}
            />
            <MultiSelect
              label={w.fallback}
              description={w.fallbackHint}
              placeholder={settings.fallback_channels.length === 0 ? w.none : ''}
              data={channels.map((id) => ({ value: id, label: names.get(id) ?? id }))}
              value={[...settings.fallback_channels]}
              error={problem('settings.fallback_channels')}
              onChange={(ids) => set({ fallback_channels: ids })}
            />
            <Expiry
              label={w.transferExpiry}
              otherwise={w.transferDefault}
              seconds={settings.transfer_expires_in}
              error={problem('settings.transfer_expires_in')}
              onChange={(seconds) => set({ transfer_expires_in: seconds })}
            />
            <Expiry
              label={w.paymentExpiry}
              otherwise={w.paymentDefault}
              seconds={settings.payment_expires_in}
              error={problem('settings.payment_expires_in')}
              onChange={(seconds) => set({ payment_expires_in: seconds })}
            />
          </SimpleGrid>
        </>
      )}
    </Form>
  )
}

type SwitchesProps = {
  readonly settings: Account['settings']
  readonly onChange: (part: Partial<Account['settings']>) => void
}

function Switches({ settings, onChange }: SwitchesProps) {
  const w = useWords(ACCOUNT)
  return (
    <>
      <Switch
        label={w.refundsAtOnce}
        description={w.refundsHint}
        checked={settings.refunds_at_once}
        onChange={(event) => onChange({ refunds_at_once: event.currentTarget.checked })}
      />
      <Switch
        label={w.returnsAtOnce}
        description={w.returnsHint}
        checked={settings.returns_at_once}
        onChange={(event) => onChange({ returns_at_once: event.currentTarget.checked })}
      />
    </>
  )
}

type ExpiryProps = {
  readonly label: string
  /** What holds where nothing is said. */
  readonly otherwise: string
  readonly seconds: number | null
  readonly error: string | undefined
  readonly onChange: (seconds: number | null) => void
}

const OTHERWISE = 'default'

function Expiry({ label, otherwise, seconds, error, onChange }: ExpiryProps) {
  const spans = useSpans(seconds)
  return (
    <Select
      label={label}
      allowDeselect={false}
      data={[
        { value: OTHERWISE, label: otherwise },
        ...spans.map((each) => ({ value: String(each.seconds), label: each.label })),
      ]}
      value={seconds === null ? OTHERWISE : String(seconds)}
      error={error}
      onChange={(value) => onChange(value === OTHERWISE || value === null ? null : Number(value))}
    />
  )
}
