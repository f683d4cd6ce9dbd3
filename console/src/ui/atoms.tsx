// The smallest things that a screen shows: money, a moment, an id, a status, a text to copy.
import { ActionIcon, Tooltip } from '@mantine/core'
import { useEffect, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { shared } from '../shared.ts'
import { useLanguage, useWords } from '../words/language.ts'
import { agoText, moneyText, timeText } from './amounts.ts'
import { Icon } from './Icon.tsx'
import { COMMON, STATUS_WORDS } from './words.ts'

type MoneyProps = { readonly amount: number | string | null | undefined; readonly currency: string }

export function Money({ amount, currency }: MoneyProps) {
  const language = useLanguage()
  return (
    <span className="money">
      {amount === null || amount === undefined ? '—' : moneyText(amount, currency, language)}
    </span>
  )
}

// One clock for all moments on a screen.
const now = shared(Date.now())
setInterval(() => now.set(Date.now()), 20_000)

/** A moment: how long ago, or its date; the whole of it when it is pointed at. */
export function Time({ at, style }: { readonly at: string | null | undefined; readonly style?: 'short' | 'day' }) {
  const language = useLanguage()
  now.use()
  if (!at) return <span>—</span>
  const ago = style === undefined ? agoText(at, Date.now(), language) : null
  return (
    <time dateTime={at} title={timeText(at, language, 'long')} style={{ whiteSpace: 'nowrap' }}>
      {ago ?? timeText(at, language, style ?? 'short')}
    </time>
  )
}

export type Tone = 'good' | 'info' | 'warn' | 'bad' | 'plain'

const TONES: Readonly<Record<string, Tone>> = {
  completed: 'good',
  delivered: 'good',
  active: 'good',
  succeeded: 'good',
  done: 'good',
  approved: 'good',
  issued: 'info',
  paid: 'info',
  queued: 'info',
  submitting: 'info',
  accepted: 'info',
  running: 'info',
  pending: 'info',
  invited: 'info',
  waiting: 'warn',
  unknown: 'warn',
  paused: 'warn',
  frozen: 'warn',
  returned: 'warn',
  failed: 'bad',
  dead: 'bad',
  disabled: 'bad',
  rejected: 'bad',
}

/** A word on its ground. Without a tone that of the status. */
export function Badge({ children, tone = 'plain' }: { readonly children: ReactNode; readonly tone?: Tone }) {
  return <span className={`badge tone-${tone}`}>{children}</span>
}

export function Status({ of, tone }: { readonly of: string; readonly tone?: Tone }) {
  const words: Readonly<Record<string, string>> = useWords(STATUS_WORDS)
  return <Badge tone={tone ?? TONES[of] ?? 'plain'}>{words[of] ?? of.replaceAll('_', ' ')}</Badge>
}

export function CopyButton({ text, label }: { readonly text: string; readonly label?: string }) {
  const w = useWords(COMMON)
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [isCopied])
  const said = isCopied ? w.copied : (label ?? w.copy)
  return (
    <Tooltip label={said}>
      <ActionIcon
        variant="subtle"
        color="gray.7"
        size="sm"
        c="dimmed"
        aria-label={said}
        onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
      >
        <Icon name={isCopied ? 'check' : 'copy'} size={15} />
      </ActionIcon>
    </Tooltip>
  )
}

/** An id, short enough to be read, whole when it is copied. `to` leads to what it is of. */
export function Id({
  id,
  to,
  isWhole = false,
}: {
  readonly id: string
  readonly to?: string
  readonly isWhole?: boolean
}) {
  const shown = isWhole || id.length <= 14 ? id : `${id.slice(0, 4)}…${id.slice(-6)}`
  return (
    <span style={{ display: 'inline-flex', alignItems: 'center', gap: 2 }}>
      {to ? (
        <Link to={to} className="id" title={id}>
          {shown}
        </Link>
      ) : (
        <span className="id" title={id}>
          {shown}
        </span>
      )}
      <CopyButton text={id} />
    </span>
  )
}

/** Names and values, one below the other. */
export function Facts({ of }: { readonly of: readonly (readonly [name: string, value: ReactNode] | null)[] }) {
  return (
    <dl className="facts">
      {of.map((fact) =>
        fact === null ? null : (
          <div key={fact[0]} style={{ display: 'contents' }}>
            <dt>{fact[0]}</dt>
            <dd>{fact[1] ?? '—'}</dd>
          </div>
        ),
      )}
    </dl>
  )
}

/** JSON to read and to copy. */
export function Json({ value, label }: { readonly value: unknown; readonly label?: string }) {
  const text = JSON.stringify(value, null, 2)
  return (
    <div style={{ position: 'relative' }}>
      <div style={{ position: 'absolute', right: 8, top: 8 }}>
        <CopyButton text={text} label={label} />
      </div>
      <pre className="json" tabIndex={0} aria-label={label ?? 'JSON'}>
        {text}
      </pre>
    </div>
  )
}
