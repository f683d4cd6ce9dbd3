// How often the model test does what: the commands with their chances, and what each run begins with.
import fc from 'fast-check'
import { expect } from 'vitest'
import * as rules from './model.ts'
import type { Source, Terms } from './model.ts'
import {
  cancel,
  create,
  creation,
  type Drafted,
  issue,
  lapse,
  PATH,
  pay,
  type Preview,
  repeat,
  trespass,
  update,
} from './model-callers.ts'
import { can, type Command, goesOut, isOnItsWay, keyOf, named } from './model-forms.ts'
import type { RailMemory, RailWord } from './model-rail.ts'
import { ask, expectSame, verdictOf } from './model-real.ts'
import { die, expire, hearing, pass, say, type Speaker, take, taking, work } from './model-workers.ts'

type Stage = 'draft' | 'issued' | 'paid' | 'sent' | 'in doubt'

/** A contract that is brought to a stage straight away; one that stays inside is not sent by hand. */
const begin = (drafted: Drafted, upTo: Stage): Command =>
  named(
    { begin: drafted, upTo },
    () => true,
    async (model, real) => {
      const { id } = await creation(model, real, drafted, {})
      const contract = model.contracts.at(-1)!
      const index = model.contracts.length - 1
      const put = (verb: string) =>
        ask(real, model, drafted.owner, 'PUT', `${PATH}/${id}/${verb}`, {}, keyOf(real, drafted.hasKey))
      if (upTo !== 'draft') expect(verdictOf(await put('issue'))).toBe(rules.issue(model, contract, true))
      if (upTo !== 'draft' && upTo !== 'issued')
        expect(verdictOf(await put('pay'))).toBe(rules.pay(model, contract, true, 'any'))
      if (goesOut(contract) && (upTo === 'sent' || upTo === 'in doubt')) await taking(real, contract, index, 'submit')
      if (goesOut(contract) && upTo === 'in doubt')
        await hearing(model, real, contract, index, 'unknown', 'the holder', { absenceIsFinal: false, remembers: true })
      await expectSame(model, real, index)
    },
  )

const pick = fc.nat({ max: 3 })
const often = fc.constantFrom(true, false)
const owner = fc.constantFrom(0, 0, 1)
const amount = fc.constantFrom(1n, 99n, 100n, 333n, 1005n, 4999n, 5000n, 12_345n, 49_999n, 50_001n)
const channel = fc.constantFrom('sandbox', 'sandbox', 'thrift', 'wallet', 'wallet', null)
const wallet = fc.constantFrom('account 1', 'other PHP', 'other PHP', 'other JPY', 'own PHP', 'nobody', null)
const drafted = fc.record({
  owner,
  hasKey: often,
  amountMinor: amount,
  currency: fc.constantFrom('PHP', 'PHP', 'JPY'),
  channel,
  name: fc.constantFrom('Ana', 'Ana', 'Ana', null),
  wallet,
})
/** Drafts that can be issued and paid: from chance alone few would get far. */
const sound = fc.record({
  owner,
  hasKey: often,
  amountMinor: fc.constantFrom(333n, 1005n, 4999n, 12_345n),
  currency: fc.constantFrom('PHP', 'PHP', 'JPY'),
  channel: fc.constantFrom('sandbox', 'wallet'),
  name: fc.constant('Ana'),
  wallet: fc.constantFrom('other PHP', 'other JPY'),
})
const changes: fc.Arbitrary<Partial<Terms>> = fc.oneof(
  fc.record({ amountMinor: amount }),
  fc.record({ channel }),
  fc.record({ name: fc.constant('Ben'), wallet: fc.constantFrom('account 2', 'other PHP') }),
)
const preview = fc.constantFrom<Preview>('none', 'none', 'right', 'wrong')
const source = fc.constantFrom<Source>('any', 'any', 'any', 'the right one', 'of another currency', 'of a stranger')
const word = fc.constantFrom<RailWord>(
  'not_sent',
  'accepted',
  'accepted',
  'delivered',
  'failed',
  'returned',
  'unknown',
  'unknown',
  'not_found',
  'not_found',
)
const speaker = fc.constantFrom<Speaker>(
  'the holder',
  'the holder',
  'the holder',
  'the rail itself',
  'who held it before',
  'another attempt',
)
const memory: fc.Arbitrary<RailMemory> = fc.record({
  absenceIsFinal: fc.constantFrom(true, true, false),
  remembers: fc.constantFrom(true, true, false),
})

/** What a run begins with, so that there is something to work on. */
export const BEGINNING: fc.Arbitrary<Command> = fc
  .tuple(sound, fc.constantFrom<Stage>('draft', 'issued', 'paid', 'paid', 'sent', 'in doubt'))
  .map((args) => begin(...args))

/** Each kind as often as it is listed. Those that suit any contract show what is refused and what changes nothing. */
export const COMMANDS: fc.Arbitrary<Command>[] = [
  drafted.map(create),
  BEGINNING,
  fc.tuple(sound, fc.constantFrom('nothing' as const, 'issue' as const, 'pay' as const)).map((args) => lapse(...args)),
  fc.tuple(pick, changes, often).map((args) => update(...args)),
  fc.tuple(pick, preview, often).map((args) => issue(...args)),
  fc.tuple(pick, preview, often).map((args) => issue(...args, can('draft'))),
  fc.tuple(pick, preview, source, often).map((args) => pay(...args)),
  fc.tuple(pick, preview, source, often).map((args) => pay(...args, can('issued'))),
  ...['first', 'second', 'third'].map(() =>
    fc.tuple(pick, often).map(([each, hasKey]) => pay(each, 'none', 'any', hasKey, can('issued'))),
  ),
  fc.tuple(pick, often).map((args) => cancel(...args)),
  fc.tuple(pick, often).map((args) => cancel(...args, isOnItsWay)),
  fc.tuple(pick, fc.constantFrom('GET' as const, 'PATCH' as const, 'DELETE' as const)).map((args) => trespass(...args)),
  fc.tuple(fc.nat({ max: 30 }), fc.boolean()).map((args) => repeat(...args)),
  pick.map(expire),
  fc.tuple(pick, fc.constantFrom('submit' as const, 'inquire' as const)).map((args) => take(...args, goesOut)),
  ...(['submit', 'submit', 'inquire', 'inquire'] as const).map((verb) => pick.map((each) => take(each, verb))),
  ...['first', 'second'].map(() => pick.map(pass)),
  fc.tuple(pick, word, speaker, memory).map((args) => say(...args, goesOut)),
  fc.tuple(pick, word, speaker, memory).map((args) => say(...args)),
  ...['first', 'second', 'third', 'fourth'].map(() =>
    fc.tuple(pick, word, memory).map(([each, said, remembered]) => say(each, said, 'the holder', remembered)),
  ),
  fc.tuple(pick, fc.constantFrom<0 | 1 | 2>(0, 1, 2)).map((args) => die(...args)),
  ...['first', 'second'].map(() => pick.map(work)),
]
