// Every channel beside the others: what it takes, what arrives and by when, and what the draft still lacks on it.
import { Group, Stack, Text } from '@mantine/core'
import type { ChannelOffer } from '../../../sdk/src/index.ts'
import { countText } from '../ui/amounts.ts'
import { Badge, Money, Time } from '../ui/atoms.tsx'
import { useLanguage, useWords } from '../words/language.ts'
import type { DraftForm } from './draft.ts'
import { DRAFT } from './draft-words.ts'
import './offers.css'

type Props = {
  readonly form: DraftForm
  readonly offers: readonly ChannelOffer[] | undefined
  readonly onChange: (changes: Partial<DraftForm>) => void
}

export function Offers({ form, offers, onChange }: Props) {
  const w = useWords(DRAFT)
  if (offers === undefined) return <Text c="dimmed">{w.howFirst}</Text>
  const possible = offers.filter(({ missing }) => !missing.some(({ code }) => code === 'currency_not_supported'))
  if (possible.length === 0) return <Text c="dimmed">{w.noChannel}</Text>
  return (
    <fieldset className="offers">
      <legend className="offers-legend">{w.how}</legend>
      {possible.map((offer) => (
        <Offer
          key={offer.channel.id}
          offer={offer}
          currency={form.currency}
          isChosen={offer.channel.id === form.channel}
          onChoose={() => onChange({ channel: offer.channel.id })}
        />
      ))}
    </fieldset>
  )
}

type OfferProps = {
  readonly offer: ChannelOffer
  readonly currency: string
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function Offer({ offer, currency, isChosen, onChoose }: OfferProps) {
  const w = useWords(DRAFT)
  const language = useLanguage()
  const { channel, preview, missing, arrives_at: arrivesAt } = offer
  return (
    <label className={`offer ${isChosen ? 'chosen' : ''}`}>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Group gap="xs" wrap="nowrap">
          <input type="radio" name="channel" style={{ margin: 0 }} checked={isChosen} onChange={onChoose} />
          <strong>{channel.name}</strong>
        </Group>
        {missing.length === 0 ? (
          <Badge tone="good">{w.ready}</Badge>
        ) : (
          <Badge>{w.lacks(countText(missing.length, language))}</Badge>
        )}
      </Group>
      <Stack gap={2} mt={8}>
        <Line name={w.pays} value={<Money amount={preview.amount} currency={currency} />} />
        <Line name={w.fee} value={<Money amount={preview.fees?.total} currency={currency} />} />
        <Line name={w.gets} value={<Money amount={preview.receive_amount} currency={currency} />} />
        <Line name={w.arrives} value={<Arrival at={arrivesAt} />} />
      </Stack>
    </label>
  )
}

function Line({ name, value }: { readonly name: string; readonly value: React.ReactNode }) {
  return (
    <span className="offer-line">
      <span style={{ color: 'var(--mantine-color-dimmed)' }}>{name}</span>
      <span>{value}</span>
    </span>
  )
}

function Arrival({ at }: { readonly at: string | null }) {
  const w = useWords(DRAFT)
  if (at === null) return w.whenever
  return Date.parse(at) <= Date.now() ? w.atOnce : <Time at={at} />
}
