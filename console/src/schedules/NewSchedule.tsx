// A schedule is made, or one that is there is changed.
import { useParams } from 'react-router'
import type { Schedule } from '../../../sdk/src/index.ts'
import { useAsOpened } from '../edits.ts'
import { gateway, useRead, useWrite } from '../gateway.ts'
import { bodyOf, emptyForm } from '../transfers/draft.ts'
import { Loaded } from '../ui/feedback.tsx'
import { useWords } from '../words/language.ts'
import { FORM } from './form-words.ts'
import { emptyRule, ruleFormOf, ruleOf } from './rule-form.ts'
import { type Plan, ScheduleForm } from './ScheduleForm.tsx'
import { useAccountZone } from './Schedules.tsx'
import { templateFormOf, templatePatch } from './template.ts'
import { SCHEDULES } from './words.ts'

const textOrNull = (text: string) => text.trim() || null

export function NewSchedule() {
  const w = useWords(SCHEDULES)
  const f = useWords(FORM)
  const zone = useAccountZone()
  const create = useWrite(
    ({ name, source, draft, rule }: Plan, idempotencyKey) =>
      gateway.schedules.create(
        {
          name: textOrNull(name),
          template: bodyOf(draft),
          source: textOrNull(source),
          rule: ruleOf(rule),
        },
        { idempotencyKey },
      ),
    ['schedules'],
  )
  const start = { name: '', source: '', draft: emptyForm('PHP'), rule: emptyRule(zone) }
  const asked = [f.makeTitle, f.make] as const
  return <ScheduleForm title={w.create} asked={asked} start={start} onSave={(plan) => create.mutateAsync(plan)} />
}

export function EditSchedule() {
  const { id = '' } = useParams()
  const read = useRead(['schedules', 'get', id], (signal) => gateway.schedules.get(id, { signal }))
  return <Loaded of={read}>{(schedule) => <Editing key={schedule.id} schedule={schedule} />}</Loaded>
}

function Editing({ schedule: current }: { readonly schedule: Schedule }) {
  const f = useWords(FORM)
  const schedule = useAsOpened(current)
  const update = useWrite(
    (plan: Plan) =>
      gateway.schedules.update(
        schedule.id,
        {
          name: textOrNull(plan.name),
          template: templatePatch(plan.draft),
          source: textOrNull(plan.source),
          rule: ruleOf(plan.rule),
        },
        { ifMatch: schedule.version },
      ),
    ['schedules'],
  )
  return (
    <ScheduleForm
      title={f.edit}
      asked={[f.changeTitle, f.change]}
      start={{
        name: schedule.name ?? '',
        source: schedule.source ?? '',
        draft: templateFormOf(schedule),
        rule: ruleFormOf(schedule.rule),
      }}
      onSave={(plan) => update.mutateAsync(plan)}
    />
  )
}
