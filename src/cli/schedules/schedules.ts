// gateway schedules: transfers that are paid again and again, over HTTP; "next" computes here and asks nobody.
import { localText } from '../../domain/schedule/days.ts'
import { nextRuns } from '../../domain/schedule/next-run.ts'
import { readRule } from '../../domain/schedule/rule.ts'
import { SCHEDULE_STATUSES } from '../../domain/schedule/schedule.ts'
import { wordsOf as ruleWords } from '../../domain/schedule/words.ts'
import type { presentSchedule } from '../../wire/schedules/schedule.ts'
import { idOption, apiCommand, choice, command, groupOf, idArgument, option } from '../command.ts'
import { get, post, put, remove } from '../client.ts'
import { DRAFT, draftOf, IDEMPOTENCY } from '../contracts/contract-commands.ts'
import { PROFILE, RECIPIENT, recipientOf } from '../contracts/recipient.ts'
import { Misused } from '../failures.ts'
import { listCommand } from '../list.ts'
import { print } from '../output.ts'
import { moneyText, printMany, printOne, type Shows, stateText } from '../view.ts'
import { wholeNumber } from '../arguments.ts'
import { RULE, ruleOf } from './rule-options.ts'

type Schedule = ReturnType<typeof presentSchedule>
type Run = Schedule['last_runs'][number]

const PATH = '/schedules'
const ID = idArgument('<id>', 'the schedule', 'schedule')
const GUARD = { ifMatch: option('<version>', 'only if the schedule still stands at this version', wholeNumber) }

const pays = ({ pays: { amount, currency } }: Schedule) => moneyText(amount, currency)

const SCHEDULE: Shows<Schedule> = [
  ['schedule', 'id'],
  ['mode', 'livemode'],
  ['name', 'name'],
  ['status', ({ status, paused_reason }) => stateText(status, paused_reason ? `${status} (${paused_reason})` : status)],
  ['pays', pays],
  ['to', ({ pays: { recipient } }) => recipient],
  ['channel', ({ pays: { channel } }) => channel],
  ['runs', 'words'],
  ['holidays known', 'holidays_known_until'],
  ['has run', ({ runs }) => runs],
  ['acts as', ({ created_by }) => `${created_by.type} ${created_by.id}`],
]

const SCHEDULES: Shows<Schedule> = [
  ['schedule', 'id'],
  ['name', 'name'],
  ['pays', pays],
  ['to', ({ pays: { recipient } }) => recipient],
  ['next run', ({ next_runs }) => next_runs[0]?.local ?? null],
  ['status', ({ status }) => stateText(status)],
]

const RUNS: Shows<Run> = [
  ['run', 'number'],
  ['due', 'due_at'],
  ['status', ({ status }) => stateText(status)],
  ['contract', 'contract_id'],
  ['command', 'command_id'],
  ['why', ({ error }) => error?.message ?? null],
]

function printSchedule({ schedule }: { readonly schedule: Schedule }): void {
  printOne(schedule, SCHEDULE)
  for (const { local } of schedule.next_runs) print(`  next: ${local}`)
  if (schedule.last_runs.length === 0) return
  print()
  printMany(schedule.last_runs, RUNS)
}

const create = apiCommand('create', 'pay by a rule; the draft must be ready to be issued', {
  examples: [
    'gateway schedules create --name rent --amount 25000 --currency PHP --profile 0198… --every month --day 31 --at 09:00 --zone Asia/Manila --banking previous --country PH',
    'gateway schedules create --amount 500 --currency PHP --channel sandbox --to-name "Ana Cruz" --to-wallet 0012345678 --every week --weekdays friday --at 17:00 --zone Asia/Manila --count 10',
  ],
  options: {
    name: option('<name>', 'your own name for it'),
    source: idOption('<id>', 'the wallet to pay from (default: that of the currency)', 'wallet'),
    ...RULE,
    ...DRAFT,
    ...RECIPIENT,
    ...PROFILE,
    ...IDEMPOTENCY,
  },
  call: ({ idempotencyKey, name, source, ...options }) => {
    const template = draftOf(options, { recipient: recipientOf(options) })
    return post(PATH, { name, source, template, rule: ruleOf(options) }, { idempotencyKey })
  },
  print: printSchedule,
})

const FILTER = { status: choice('<status>', 'only those that are', SCHEDULE_STATUSES) }
const list = listCommand<Schedule, [], typeof FILTER>('list', 'list schedules, newest first', {
  examples: ['gateway schedules list --status active'],
  options: FILTER,
  member: 'schedules',
  columns: SCHEDULES,
  csv: ['id', 'name', 'status', 'words', 'runs', 'created_at'],
  call: ({ status }) => get(PATH, { status }),
})

const show = apiCommand('get', 'show a schedule with its next and latest runs', {
  examples: ['gateway schedules get 0198…'],
  arguments: [ID],
  call: (_, id) => get(`${PATH}/${id}`),
  print: printSchedule,
})

const runs = listCommand<Run, [typeof ID]>('runs', 'list the runs of a schedule, newest first', {
  examples: ['gateway schedules runs 0198… --all --csv'],
  arguments: [ID],
  member: 'runs',
  columns: RUNS,
  csv: ['number', 'due_at', 'started_at', 'status', 'contract_id', 'command_id'],
  call: (_, id) => get(`${PATH}/${id}/runs`),
})

const pause = apiCommand('pause', 'pay nothing until the schedule is resumed', {
  examples: ['gateway schedules pause 0198…'],
  arguments: [ID],
  options: GUARD,
  call: ({ ifMatch }, id) => put(`${PATH}/${id}/pause`, undefined, { ifMatch }),
  print: printSchedule,
})

const resume = apiCommand('resume', 'go on; runs that were left out are not made up for', {
  examples: ['gateway schedules resume 0198…'],
  arguments: [ID],
  options: GUARD,
  call: ({ ifMatch }, id) => put(`${PATH}/${id}/resume`, undefined, { ifMatch }),
  print: printSchedule,
})

const end = apiCommand('end', 'end a schedule for good; contracts that it made stay as they are', {
  examples: ['gateway schedules end 0198…'],
  arguments: [ID],
  options: GUARD,
  call: ({ ifMatch }, id) => remove(`${PATH}/${id}`, undefined, { ifMatch }),
  print: printSchedule,
})

const SHOWN = 5
const next = command('next', 'show when a rule would run; nothing is made, and no gateway is asked', {
  examples: [
    'gateway schedules next --every month --nth last --weekdays friday --at 09:00 --zone Asia/Manila --banking previous --country PH',
  ],
  options: RULE,
  json: ({
    words,
    at,
  }: {
    readonly words: string
    readonly at: readonly { readonly at: string; readonly local: string }[]
  }) => ({
    words,
    next_runs: at,
  }),
  run: async (options) => {
    const [config, nowMs] = [ruleOf(options), Date.now()]
    const rule = readRule(config, nowMs)
    if (Array.isArray(rule)) throw new Misused(rule.map(({ message }) => message).join(' '))
    const at = nextRuns(rule, nowMs, 0, SHOWN).map((atMs) => ({
      at: new Date(atMs).toISOString(),
      local: localText(rule.zone, atMs),
    }))
    return { words: ruleWords(config), at }
  },
  print: ({ words, at }) => {
    print(words)
    for (const { local } of at) print(`  ${local}`)
    if (at.length === 0) print('  never')
  },
})

export const schedules = groupOf('schedules', 'pay again and again, on days that a rule names', [
  create,
  list,
  show,
  runs,
  pause,
  resume,
  end,
  next,
])
