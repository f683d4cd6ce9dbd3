// What a policy does with the transfers to which it applies, and the inputs of that.
import { Select, SimpleGrid, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useSignedIn } from '../../session/session.ts'
import type { Problem } from '../../ui/Form.tsx'
import { useWords } from '../../words/language.ts'
import { CONDITIONS } from './condition-words.ts'
import { Whole } from './ConditionFields.tsx'
import { FeesFields, Tiers } from './FeesFields.tsx'
import { blankOutcome, type Kind, KINDS, type Outcome } from './form.ts'
import { useVerifiers } from '../names.ts'

type OutcomeProps = {
  readonly then: Outcome
  readonly problem: Problem
  readonly onChange: (then: Outcome) => void
}

export function OutcomeFields(props: OutcomeProps) {
  const w = useWords(CONDITIONS)
  const { account } = useSignedIn()
  const currency = String(account?.default_currency ?? 'PHP')
  const { then, problem, onChange } = props
  const what = {
    deny: w.deny,
    approvals: w.approvals,
    verification: w.verification,
    delay: w.delay,
    allow: w.allow,
    fees: w.fees,
  }
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label={w.kind}
          allowDeselect={false}
          data={KINDS.map((value) => ({ value, label: what[value] }))}
          value={then.kind}
          error={problem('then.kind')}
          onChange={(kind) => kind !== null && kind !== then.kind && onChange(blankOutcome(kind as Kind, currency))}
        />
        {then.kind === 'deny' && (
          <Textarea
            label={w.words}
            description={w.wordsHint}
            autosize
            maxLength={500}
            value={then.words ?? ''}
            error={problem('then.words')}
            onChange={(event) => onChange({ ...then, words: event.currentTarget.value })}
          />
        )}
        {then.kind === 'approvals' && <Approvals {...props} />}
        {then.kind === 'verification' && <Verification {...props} />}
        {then.kind === 'delay' && <Delay {...props} />}
        {then.kind === 'fees' && <FeesFields {...props} />}
      </SimpleGrid>
      {then.kind === 'fees' && <Tiers {...props} />}
    </>
  )
}

const ANY = 'any'

function Approvals({ then, problem, onChange }: OutcomeProps) {
  const w = useWords(CONDITIONS)
  return (
    <>
      <Whole
        label={w.approvers}
        value={then.count}
        error={problem('then.count')}
        onChange={(count) => onChange({ ...then, count })}
      />
      <Select
        label={w.role}
        allowDeselect={false}
        data={[
          { value: ANY, label: w.anyRole },
          { value: 'approver', label: w.approver },
          { value: 'admin', label: w.admin },
          { value: 'owner', label: w.owner },
        ]}
        value={then.role ?? ANY}
        error={problem('then.role')}
        onChange={(role) => onChange({ ...then, role: role === ANY ? null : (role as Outcome['role']) })}
      />
    </>
  )
}

function Verification({ then, problem, onChange }: OutcomeProps) {
  const w = useWords(CONDITIONS)
  const own = useVerifiers(then.verification)
  const kinds = {
    name: w.checkName,
    mobile: w.checkMobile,
    chain_address: w.checkAddress,
    list: w.checkList,
    otp: w.checkOtp,
    http: w.checkHttp,
  }
  const named =
    then.verifier && !own.some(({ value }) => value === then.verifier)
      ? [{ value: then.verifier, label: then.verifier }]
      : []
  return (
    <>
      <Select
        label={w.what}
        allowDeselect={false}
        data={Object.entries(kinds).map(([value, label]) => ({ value, label }))}
        value={then.verification ?? null}
        error={problem('then.verification')}
        onChange={(kind) => onChange({ ...then, verification: kind as Outcome['verification'], verifier: null })}
      />
      <Select
        label={w.verifier}
        allowDeselect={false}
        data={[{ value: ANY, label: w.builtIn }, ...own, ...named]}
        value={then.verifier ?? ANY}
        error={problem('then.verifier')}
        onChange={(verifier) => onChange({ ...then, verifier: verifier === ANY ? null : verifier })}
      />
      <Select
        label={w.unavailable}
        allowDeselect={false}
        data={[
          { value: 'wait', label: w.wait },
          { value: 'allow', label: w.go },
        ]}
        value={then.on_unavailable ?? 'wait'}
        error={problem('then.on_unavailable')}
        onChange={(wanted) => onChange({ ...then, on_unavailable: wanted as Outcome['on_unavailable'] })}
      />
    </>
  )
}

const UNITS = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 } as const
type Unit = keyof typeof UNITS

/** The longest unit that it is a whole number of. */
const unitOf = (seconds: number): Unit =>
  (['days', 'hours', 'minutes'] as const).find((unit) => seconds % UNITS[unit] === 0) ?? 'seconds'

function Delay({ then, problem, onChange }: OutcomeProps) {
  const w = useWords(CONDITIONS)
  const [unit, setUnit] = useState<Unit>(() => unitOf(then.seconds ?? UNITS.hours))
  const units = { seconds: w.seconds, minutes: w.minutes, hours: w.hours, days: w.days }
  const count = then.seconds ? Math.round(then.seconds / UNITS[unit]) : null
  const set = (wanted: number | null, of: Unit) =>
    onChange({ ...then, seconds: wanted === null ? null : wanted * UNITS[of] })
  return (
    <>
      <Whole label={w.later} value={count} error={problem('then.seconds')} onChange={(wanted) => set(wanted, unit)} />
      <Select
        label={w.unit}
        allowDeselect={false}
        data={Object.entries(units).map(([value, label]) => ({ value, label }))}
        value={unit}
        onChange={(wanted) => {
          setUnit(wanted as Unit)
          set(count, wanted as Unit)
        }}
      />
    </>
  )
}
