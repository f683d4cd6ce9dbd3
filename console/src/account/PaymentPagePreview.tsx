// How payers see the account: the payment page in small, light and dark, with what is typed before it is saved.
import type { CSSProperties } from 'react'
import { useSignedIn } from '../session/session.ts'
import { moneyText } from '../ui/amounts.ts'
import { Icon } from '../ui/Icon.tsx'
import { useLanguage, useWords } from '../words/language.ts'
import { type Accent, accentOf, type Theme, THEMES } from './payment-page.ts'
import { PREVIEW } from './words.ts'

export type Shown = {
  readonly name: string
  /** #rrggbb; null for the page's own. */
  readonly colour: string | null
  /** A data URI. */
  readonly logo: string | null
  readonly contacts: readonly string[]
}

const AMOUNT = 1250

export function PaymentPagePreview(shown: Shown) {
  const w = useWords(PREVIEW)
  return (
    <div className="payment-pages">
      <PaymentPage {...shown} theme="light" title={w.light} />
      <PaymentPage {...shown} theme="dark" title={w.dark} />
    </div>
  )
}

function PaymentPage({ name, colour, logo, contacts, theme, title }: Shown & { theme: Theme; title: string }) {
  const w = useWords(PREVIEW)
  const language = useLanguage()
  const { isLive, account } = useSignedIn()
  return (
    <figure style={{ margin: 0 }}>
      <figcaption style={{ fontSize: 13, color: 'var(--mantine-color-dimmed)', marginBottom: 6 }}>{title}</figcaption>
      <div className="payment-page" style={variablesOf(theme, colour === null ? null : accentOf(colour))}>
        {!isLive && <span className="test">{w.test}</span>}
        {logo !== null && (
          <div>
            <div className="logo">
              <img src={logo} alt="" />
            </div>
          </div>
        )}
        <div className="to">{w.pay(name)}</div>
        <div className="amount">{moneyText(AMOUNT, account?.default_currency ?? 'PHP', language)}</div>
        <div>{w.what}</div>
        <div className="panel">
          <div className="panel-title">{w.choose}</div>
          <div className="way">
            <Icon name="wallet" size={22} />
            <span>
              <strong>{w.wallet}</strong>
              <small>{w.walletHint}</small>
            </span>
            <Icon name="next" size={16} />
          </div>
          <div className="button">{w.go}</div>
        </div>
        <div className="help">
          <div>{w.help(name)}</div>
          {contacts.map((each) => (
            <span key={each} className="link">
              {each}
            </span>
          ))}
        </div>
      </div>
    </figure>
  )
}

function variablesOf(theme: Theme, accent: Accent | null): CSSProperties {
  const own = accent && {
    accent: accent.links[theme],
    button: accent.button.background,
    'ink-button': accent.button.text,
  }
  const colours = Object.entries({ ...THEMES[theme], ...own })
  return Object.fromEntries(colours.map(([name, value]) => [`--page-${name}`, value]))
}
