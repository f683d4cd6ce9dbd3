// Following a contract of either kind: every line of its history as it comes, until it ends.
import { setTimeout as sleep } from 'node:timers/promises'
import { activityLine, type ContractBody, statusText } from './contract-view.ts'
import { print, printJson } from '../output.ts'

const POLL_MS = 500

/** Reads the contract again and again, and tells what is new in it, until its status is one of the ends. */
export async function watchContract(
  { json }: { readonly json?: true },
  read: () => Promise<Pick<ContractBody, 'activities'> & { readonly status: string }>,
  ends: ReadonlySet<string>,
): Promise<void> {
  let shown = 0
  for (;;) {
    const contract = await read()
    for (const activity of contract.activities.slice(shown)) {
      if (json) printJson(activity)
      else print(activityLine(activity))
    }
    shown = contract.activities.length
    if (ends.has(contract.status))
      return json ? printJson({ contract }) : print(`The contract is ${statusText(contract.status)}.`)
    await sleep(POLL_MS)
  }
}
