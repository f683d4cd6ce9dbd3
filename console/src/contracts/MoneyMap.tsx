// The way of a contract's money, drawn from its ledger rows: a box for each account, an arrow for each amount that went from one to
// another. The same stands as a list beside it, which is all that a phone shows.
import type { ContractEntry } from '../../../sdk/src/index.ts'
import { moneyText } from '../ui/amounts.ts'
import { useLanguage, useWords } from '../words/language.ts'
import { useAccountName } from './accounts.ts'
import { type Arrow, type Box, layOut } from './map-layout.ts'
import { PAGE } from './page-words.ts'

type Props = {
  readonly kind: 'transfers' | 'payments'
  readonly entries: readonly ContractEntry[]
  /** The accounts in which some of it is now. */
  readonly now: readonly string[]
}

export function MoneyMap({ kind, entries, now }: Props) {
  const w = useWords(PAGE)
  const language = useLanguage()
  const nameOf = useAccountName()
  const steps = entries.map(({ amount, currency, debit, credit }) =>
    w.step(moneyText(amount, currency, language), nameOf(debit), nameOf(credit)),
  )
  const { width, height, boxes, arrows } = layOut(kind, entries)
  return (
    <svg
      className="money-map"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={w.mapOf(steps.join('; '))}
      style={{ width: '100%', maxWidth: width, height: 'auto', display: 'block', margin: '0 auto' }}
    >
      <defs>
        <marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
          <path d="M0 0l8 4-8 4z" fill="var(--mantine-color-dimmed)" />
        </marker>
      </defs>
      {arrows.map(({ key, path }) => (
        <path
          key={key}
          d={path}
          fill="none"
          stroke="var(--mantine-color-dimmed)"
          strokeWidth={1.6}
          markerEnd="url(#tip)"
        />
      ))}
      {boxes.map((box) => (
        <AccountBox key={box.account} box={box} name={nameOf(box.account)} isNow={now.includes(box.account)} />
      ))}
      {arrows.map((arrow) => (
        <Amounts key={arrow.key} arrow={arrow} />
      ))}
    </svg>
  )
}

/** An account; set off where some of the money is there now. */
function AccountBox({ box, name, isNow }: { readonly box: Box; readonly name: string; readonly isNow: boolean }) {
  const { x, y, width, height } = box
  return (
    <g>
      <rect
        x={x}
        y={y}
        width={width}
        height={height}
        rx={10}
        fill={isNow ? 'var(--info)' : 'var(--mantine-color-body)'}
        stroke={isNow ? 'var(--mantine-primary-color-filled)' : 'var(--line)'}
        strokeWidth={isNow ? 2 : 1.5}
      />
      <text
        x={x + width / 2}
        y={y + height / 2 + 5}
        textAnchor="middle"
        fontSize={14}
        fontWeight={isNow ? 650 : 500}
        fill={isNow ? 'var(--ink-info)' : 'var(--mantine-color-text)'}
      >
        {name}
      </text>
    </g>
  )
}

/** What went along an arrow: the amount, how often it did, or each of them. */
function Amounts({ arrow: { label, moves } }: { readonly arrow: Arrow }) {
  const language = useLanguage()
  const texts = moves.map(({ amount, currency }) => moneyText(amount, currency, language))
  const [first = ''] = texts
  const isOne = texts.every((text) => text === first)
  return (
    <text
      x={label.x}
      y={label.y}
      textAnchor="middle"
      fontSize={13}
      className="money"
      fill="var(--mantine-color-text)"
      stroke="var(--mantine-color-body)"
      strokeWidth={5}
      paintOrder="stroke"
    >
      {isOne ? (texts.length > 1 ? `${texts.length} × ${first}` : first) : texts.join(', ')}
    </text>
  )
}
