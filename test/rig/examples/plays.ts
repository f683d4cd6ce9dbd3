// All that is played for the examples, in its order. A new operation's example is one line in one of these: what is asked, and
// how it is refused.
import { account, money } from './plays/account.ts'
import { commands, commandsAtWork } from './plays/commands.ts'
import { approvals } from './plays/approvals.ts'
import { facts } from './plays/facts.ts'
import { hooks } from './plays/hooks.ts'
import { operations, restoredAtWork } from './plays/operations.ts'
import { payments } from './plays/payments.ts'
import { people } from './plays/people.ts'
import { policies } from './plays/policies.ts'
import { schedules } from './plays/schedules.ts'
import { signIn } from './plays/sign-in.ts'
import { streams } from './plays/streams.ts'
import { transfers } from './plays/transfers.ts'
import { hooksAtWork, lowWallet, paymentsAtWork, reports, sandboxAtWork, transfersAtWork } from './plays/working.ts'
import { verifiers } from './plays/verifiers.ts'
import type { Stage } from './stage.ts'

const RESTING = [
  transfers,
  payments,
  people,
  policies,
  commands,
  money,
  schedules,
  account,
  hooks,
  reports,
  signIn,
  facts,
  streams,
  operations,
  approvals,
]
const WORKING = [
  commandsAtWork,
  transfersAtWork,
  paymentsAtWork,
  lowWallet,
  hooksAtWork,
  sandboxAtWork,
  verifiers,
  restoredAtWork,
]

/** While the workers rest nothing moves by itself, so that a reply is the same at each run; then they are started. */
export async function playAll(stage: Stage): Promise<void> {
  for (const play of RESTING) await play(stage)
  stage.world.gateway.startWorkers()
  for (const play of WORKING) await play(stage)
}
