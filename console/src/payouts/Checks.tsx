// What a check has found of a row beside its price: what policies would say, and whether it may be there twice.
import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { CommandRowChecks } from '../../../sdk/src/index.ts'
import { countText } from '../ui/amounts.ts'
import { Time } from '../ui/atoms.tsx'
import { useLanguage, useWords } from '../words/language.ts'
import { PAYOUT } from './words.ts'

export function Checks({ of }: { readonly of: CommandRowChecks }) {
  const w = useWords(PAYOUT)
  const language = useLanguage()
  const {
    denied,
    approvals,
    verifications,
    delay_seconds: delay,
    same_as_row: same,
    same_as_line: line,
    paid_before: before,
  } = of
  const isQuiet = !denied && approvals.length + verifications.length + delay === 0 && same === null && before === null
  if (isQuiet) return <>—</>
  return (
    <ul style={{ margin: 0, paddingLeft: 16, fontSize: 13.5 }}>
      {same !== null && (
        <li>{line === null ? w.twice(countText(same + 1, language)) : w.twiceInFile(countText(line, language))}</li>
      )}
      {before && (
        <li>
          {w.paidBefore} <Time at={before.at} />{' '}
          <Anchor component={Link} to={`/transfers/${before.contract_id}`} size="sm" td="underline">
            {w.open}
          </Anchor>
        </li>
      )}
      {denied && <li>{w.denied(denied.name, denied.words)}</li>}
      {approvals.map(({ policy, mandate, name, count }) => (
        <li key={policy ?? mandate}>{w.approvals(countText(count, language), name)}</li>
      ))}
      {verifications.map(({ policy, name, kind }) => (
        <li key={`${policy} ${kind}`}>{w.verification(kind, name)}</li>
      ))}
      {delay > 0 && (
        <li>
          <Text span size="sm">
            {w.delay(countText(delay, language))}
          </Text>
        </li>
      )}
    </ul>
  )
}
