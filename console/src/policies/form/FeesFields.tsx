// What transfers by a channel cost, as a table of tiers. The gateway judges the numbers, and says the price of an example.
import { ActionIcon, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useCurrencies } from '../../contracts/FilterBar.tsx'
import type { Problem } from '../../ui/Form.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { useWords } from '../../words/language.ts'
import { useChoices } from '../names.ts'
import { FEES } from './fee-words.ts'
import { blankTier, type Outcome, type Tier, TIER_MEMBERS } from './form.ts'

type FeesProps = {
  readonly then: Outcome
  readonly problem: Problem
  readonly onChange: (then: Outcome) => void
}

export function FeesFields({ then, problem, onChange }: FeesProps) {
  const w = useWords(FEES)
  const named = then.channel ?? null
  const channels = useChoices('channel', named === null ? [] : [named])
  const currencies = useCurrencies()
  const currency = then.currency ? String(then.currency) : null
  return (
    <>
      <Select
        label={w.channel}
        allowDeselect={false}
        data={channels}
        value={named}
        error={problem('then.channel')}
        onChange={(channel) => onChange({ ...then, channel })}
      />
      <Select
        label={w.currency}
        searchable
        allowDeselect={false}
        data={currency === null || currencies.includes(currency) ? currencies : [currency, ...currencies]}
        value={currency}
        error={problem('then.currency')}
        onChange={(code) => onChange({ ...then, currency: code as Outcome['currency'] })}
      />
      <Select
        label={w.by}
        allowDeselect={false}
        data={[
          { value: 'amount', label: w.byAmount },
          { value: 'volume', label: w.byVolume },
        ]}
        value={then.by ?? 'amount'}
        error={problem('then.by')}
        onChange={(by) => onChange({ ...then, by: by as Outcome['by'] })}
      />
    </>
  )
}

const MOST = 20

/** The last tier has no end; each new one stands before it. */
export function Tiers({ then, problem, onChange }: FeesProps) {
  const w = useWords(FEES)
  const tiers = then.tiers ?? []
  const set = (wanted: readonly Tier[]) => onChange({ ...then, tiers: wanted })
  return (
    <Stack gap="sm" mt="md">
      <Text size="sm" c="dimmed">
        {w.tiersHint}
      </Text>
      <div className="scrolls">
        <table className="list tiers" aria-label={w.tiers}>
          <thead>
            <tr>
              {TIER_MEMBERS.map((member) => (
                <th key={member} scope="col">
                  {w[member]}
                </th>
              ))}
              <td />
            </tr>
          </thead>
          <tbody>
            {tiers.map((tier, place) => (
              <TierRow
                // A tier is known by its place alone.
                key={place}
                tier={tier}
                place={place}
                isLast={place === tiers.length - 1}
                problem={problem}
                onChange={(part) => set(tiers.with(place, { ...tier, ...part }))}
                onRemove={tiers.length > 1 ? () => set(withoutTier(tiers, place)) : null}
              />
            ))}
          </tbody>
        </table>
      </div>
      {tiers.length < MOST && (
        <Group>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<Icon name="plus" size={14} />}
            onClick={() => set(tiers.toSpliced(tiers.length - 1, 0, blankTier()))}
          >
            {w.add_tier}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

/** Whichever is the last then has no end. */
function withoutTier(tiers: readonly Tier[], place: number): readonly Tier[] {
  const left = tiers.toSpliced(place, 1)
  const last = left.at(-1)
  return last ? left.with(-1, { ...last, up_to: null }) : left
}

type TierRowProps = {
  readonly tier: Tier
  readonly place: number
  readonly isLast: boolean
  readonly problem: Problem
  readonly onChange: (part: Partial<Tier>) => void
  readonly onRemove: (() => void) | null
}

function TierRow({ tier, place, isLast, problem, onChange, onRemove }: TierRowProps) {
  const w = useWords(FEES)
  return (
    <tr>
      {TIER_MEMBERS.map((member) => (
        <td key={member}>
          {member === 'up_to' && isLast ? (
            w.above
          ) : (
            <TextInput
              aria-label={w.of(w[member], place + 1)}
              inputMode="decimal"
              value={String(tier[member] ?? '')}
              error={problem(`then.tiers.${place}.${member}`)}
              onChange={(event) => onChange({ [member]: event.currentTarget.value.trim() })}
            />
          )}
        </td>
      ))}
      <td>
        {onRemove && (
          <ActionIcon variant="default" size={36} aria-label={w.remove(place + 1)} onClick={onRemove}>
            <Icon name="close" size={16} />
          </ActionIcon>
        )}
      </td>
    </tr>
  )
}
