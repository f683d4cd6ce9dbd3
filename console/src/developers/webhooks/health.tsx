// How an endpoint is doing, in a word and in figures.
import type { WebhookEndpoint } from '../../../../sdk/src/index.ts'
import { Badge, Status, type Tone } from '../../ui/atoms.tsx'
import { useWords } from '../../words/language.ts'
import { WEBHOOKS } from './words.ts'

export function EndpointStatus({ of }: { readonly of: WebhookEndpoint }) {
  const w = useWords(WEBHOOKS)
  return of.status === 'enabled' ? <Badge tone="good">{w.enabled}</Badge> : <Status of={of.status} />
}

/** Why nothing reaches it, if nothing does. */
export function useDisabledWords(): Readonly<Record<NonNullable<WebhookEndpoint['disabled_because']>, string>> {
  const w = useWords(WEBHOOKS)
  return { gone: w.disabledGone, failing: w.disabledFailing, caller: w.disabledCaller }
}

export function Health({ of }: { readonly of: WebhookEndpoint }) {
  const w = useWords(WEBHOOKS)
  const { breaker, failures, last_success_at: success, dead } = of.delivery
  const [tone, word]: [Tone, string] =
    breaker === 'open'
      ? ['bad', w.resting]
      : failures > 0
        ? ['warn', w.failing(failures)]
        : success === null
          ? ['plain', w.quiet]
          : ['good', w.healthy]
  return (
    <span style={{ display: 'inline-flex', gap: 4, flexWrap: 'wrap' }}>
      <Badge tone={tone}>{word}</Badge>
      {dead > 0 && <Badge tone="bad">{`${w.dead}: ${dead}`}</Badge>}
    </span>
  )
}
