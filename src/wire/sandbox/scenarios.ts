// A scenario that somebody scripts for the sandbox provider, as it is posted. What its members mean together is judged by the
// provider; here is their shape alone.
import Type, { type Static } from 'typebox'
import { closed, envelope } from '../shapes.ts'

const YEAR_SECONDS = 366 * 86_400
const COUNT_MAX = 1_000_000

const optional = Type.Optional
const word = (description: string) => optional(Type.String({ minLength: 1, maxLength: 200, description }))
const count = (maximum: number, description: string, minimum = 1) =>
  optional(Type.Integer({ minimum, maximum, description }))
const seconds = (description: string) => Type.Integer({ minimum: 0, maximum: YEAR_SECONDS, description })
const words = <W extends string>(all: readonly W[], description: string) => Type.Enum([...all], { description })

const Later = closed({
  after_seconds: seconds('After the order came.'),
  status: words(['completed', 'accepted', 'refused', 'returned'], 'What becomes of it.'),
  code: word('Why; in the words of the books, or of the rail.'),
  message: word('The same in a sentence.'),
})

const Callbacks = closed({
  duplicates: count(100, 'Each is sent so many times more.', 0),
  forged: count(100, 'So many come before it that say the contrary, under a wrong signature.', 0),
  lies: count(100, 'So many come before it that say that it was refused, under the true one.', 0),
  delay_seconds: optional(seconds('How late they are sent.')),
  shuffle: optional(Type.Boolean({ description: 'Not in order.' })),
  drop: optional(Type.Boolean({ description: 'Not at all.' })),
})

const Match = closed({
  reference: word('Of this order alone.'),
  account: word('Of this account of a recipient.'),
  amount: word('Of this amount, as decimal text.'),
  every: count(COUNT_MAX, 'Every second, every third, and so on.'),
})

export const ScenarioBody = closed(
  {
    rail: optional(Type.String({ maxLength: 20, description: 'One rail of GET /sandbox; without it every one.' })),
    match: optional(Match),
    times: count(COUNT_MAX, 'How often it plays; without it until it is ended.'),
    verdict: optional(words(['completed', 'accepted', 'refused'], 'How an order ends when it comes.')),
    code: word('Why it is refused; in the words of the books, or of the rail.'),
    message: word('The same in a sentence.'),
    later: optional(Type.Array(Later, { maxItems: 10, description: 'What happens by itself afterwards.' })),
    wire: optional(
      Type.Union(
        [
          words(
            ['answer', 'hang_before', 'hang_after', 'error_before', 'error_after', 'reset_after', 'garbage'],
            'A fault on the wire; before faults do nothing.',
          ),
          closed({ slow_ms: Type.Integer({ minimum: 1, maximum: 600_000 }) }),
        ],
        { description: 'What the gateway gets instead of the answer.' },
      ),
    ),
    inquiry: optional(
      Type.Union(
        [
          words(['truth', 'not_found', 'error', 'hang', 'lies_failed'], 'The answer.'),
          closed({ not_found_for_seconds: seconds('From when the order came.') }),
        ],
        { description: 'What inquiries are answered with.' },
      ),
    ),
    callbacks: optional(Callbacks),
    outage: optional(words(['refuse_connections', 'hang', '503'], 'The rail is out.')),
    seconds: optional(seconds('How long an outage lasts; without it until it is ended.')),
    forget_references_after_seconds: optional(
      seconds('Older references are not known any more: sent again, they are executed again.'),
    ),
    settle_after_seconds: optional(seconds('When a rail that settles in batches does so.')),
    statement: optional(
      Type.Union(
        [
          closed({ omit: Type.String({ maxLength: 35 }) }),
          closed({
            extra: closed({ reference: Type.String({ maxLength: 35 }), amount: Type.String({ maxLength: 20 }) }),
          }),
        ],
        { description: 'A line that the statement of the day leaves out, or has too many.' },
      ),
    ),
  },
  { $id: 'SandboxScenario', minProperties: 1 },
)

export type ScenarioBody = Static<typeof ScenarioBody>

export const ScriptReply = envelope('number', Type.Object({ script: Type.Object({ id: Type.String() }) }))

export const ResetReply = envelope(
  'string',
  Type.Object({ ended: Type.Integer({ description: 'How many scenarios there were.' }) }),
)
