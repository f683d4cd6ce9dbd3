// What happened to a contract, and who did it.
import type { Activity } from '../../../sdk/src/index.ts'
import { useActors } from '../audit/actors.ts'
import { useSignedIn } from '../session/session.ts'
import { Time } from '../ui/atoms.tsx'
import { Section, Timeline } from '../ui/Page.tsx'
import { useWords } from '../words/language.ts'
import { PAGE } from './page-words.ts'

/** As the API names them: the gateway itself, and whoever pays with a contract's token. */
const GATEWAY = '00000000-0000-8000-8000-000000000001'
const PAYER = '00000000-0000-8000-8000-000000000002'
const SHORT = 8

export function History({ activities }: { readonly activities: readonly Activity[] }) {
  const w = useWords(PAGE)
  const { member } = useSignedIn()
  const { nameOf, isMandated } = useActors()
  const actorOf = ({ actor, proxy }: Activity) => {
    if (actor === GATEWAY) return w.byGateway
    if (actor === PAYER) return w.byPayer
    if (proxy === null) return w.byAccount
    if (isMandated(proxy)) return `${w.byAccount}, ${w.byMandate(nameOf(proxy) ?? proxy)}`
    return proxy === member.id ? w.byYou : `${w.byAccount}, ${w.byKey(nameOf(proxy) ?? proxy.slice(0, SHORT))}`
  }
  return (
    <Section title={w.history}>
      <Timeline
        items={activities.toReversed().map((activity) => ({
          key: activity.id,
          title: activity.summary,
          at: <Time at={activity.published_at} />,
          children: (
            <>
              <span>{actorOf(activity)}</span>
              {Object.keys(activity.resource.data).length > 0 && (
                <span style={{ color: 'var(--mantine-color-dimmed)', overflowWrap: 'anywhere' }}>
                  {' · '}
                  {dataText(activity.resource.data)}
                </span>
              )}
            </>
          ),
        }))}
      />
    </Section>
  )
}

const dataText = (data: Readonly<Record<string, unknown>>): string =>
  Object.entries(data)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
