// What moves or makes money, ends access or deletes is asked about before it is done: at a terminal a person says yes; elsewhere
// --yes has said it before.
import { createInterface } from 'node:readline/promises'
import { CommandFailed, Misused } from './failures.ts'
import { note, paint } from './output.ts'

/** A question, and what is asked about it. */
export type Question = { readonly about: string; readonly isLive?: boolean }

/** Refuses where nobody could answer: for what takes its time before it asks. */
export function refuseUnanswerable(yes: true | undefined): void {
  if (!yes && (!process.stdin.isTTY || !process.stderr.isTTY))
    throw new Misused('this asks before it is done, and nobody is here to answer. Give --yes to have it done at once.')
}

/** Returns where the answer is yes. The question is made only where somebody is asked. */
export async function agreed(question: () => Question | Promise<Question>, yes: true | undefined): Promise<void> {
  refuseUnanswerable(yes)
  if (yes) return
  const { about, isLive } = await question()
  const mode = isLive ? `${paint(['bgRed', 'white', 'bold'], ' LIVE ')} real money. ` : ''
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
    const answer = await Promise.race([lines.question(`${mode}${about} [y/N] `), closed])
    if (/^y(es)?$/i.test(answer.trim())) return
  } finally {
    lines.close()
  }
  throw new CommandFailed('Nothing was done.')
}

/** Said of what is done without a question. */
export function noteLive(isLive: boolean): void {
  if (isLive) note('LIVE: real money.')
}
