// In whose name an account is: the inquiry that every rail answers alike. The last digit of an account says whose it is, and
// some endings, or names in the place of an account, play a fault.
import { faulty, json, playedOn, problem, type Reply } from '../replies.ts'
import type { Handler } from '../routing.ts'

type Play = 'slow' | 'down' | 'lies' | 'unknown' | 'silent'
type NameScenario = { readonly name: Play; readonly ending: string; readonly summary: string }

/** An account `sandbox-name-<name>`, or one that ends so, chooses it. */
export const NAME_SCENARIOS: readonly NameScenario[] = [
  { name: 'slow', ending: '91', summary: 'Answers 3 s late.' },
  { name: 'down', ending: '92', summary: 'Answers 503.' },
  { name: 'lies', ending: '93', summary: 'Answers about another account.' },
  { name: 'unknown', ending: '94', summary: 'There is no such account.' },
  { name: 'silent', ending: '95', summary: 'Never answers.' },
]

/** By the last digit of an account. */
export const HOLDERS = [
  'Juan dela Cruz',
  'Maria Clara Santos',
  'Ana Reyes',
  'José Protacio Rizal',
  'Reyes Trading Corporation',
  'Li Wei',
  'Fátima bint Ahmad',
  'Pedro Penduko',
  'Gabriela Silang',
  'Andrés Bonifacio',
] as const

const SLOW_MS = 3_000

/** The account is the open part of the path. */
export const showHolder: Handler = ({ id: account }) => {
  const play = NAME_SCENARIOS.find(({ name, ending }) => account === `sandbox-name-${name}` || account.endsWith(ending))
  return played(play?.name ?? null, account)
}

function played(play: Play | null, account: string): Reply {
  const told = json({ account, name: holderOf(account) })
  switch (play) {
    case null:
      return told
    case 'slow':
      return playedOn(told, { slowMs: SLOW_MS })
    case 'down':
      return problem(503, 'unavailable', 'The inquiry is out, as the account asks for.')
    case 'lies':
      return json({ account: `${account}0`, name: holderOf(account) })
    case 'unknown':
      return problem(404, 'no_such_account', 'There is no such account.')
    case 'silent':
      return faulty('hang_before')
  }
}

const holderOf = (account: string) => HOLDERS[Number(/\d$/.exec(account)?.[0] ?? 0)] ?? HOLDERS[0]
