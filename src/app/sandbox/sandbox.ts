// The sandbox provider beside the gateway, as an account's developer sees it. One provider serves every test account of the
// gateway, so what is changed here is changed for all of them.
import type { SandboxControl } from '../../connectors/sandbox/control.ts'
import { outageAmong, type PlayedRail, type SandboxStanding } from '../../domain/channel/sandbox.ts'

export type Sandbox = { readonly control: SandboxControl; readonly rails: readonly PlayedRail[] }

/** What it plays now. Throws where the provider does not answer. */
export async function standingOf({ control, rails }: Sandbox): Promise<SandboxStanding> {
  const [clock, scenarios] = await Promise.all([control.clock(), control.scenarios()])
  const outageOf = (rail: string) => outageAmong(scenarios.scripts, rail, clock.nowMs)
  const standing = rails.map((each) => ({ ...each, outage: outageOf(each.rail) }))
  return { ...scenarios, url: control.url, clock, rails: standing }
}

/** Ends every scenario that somebody scripted; how many there were. */
export async function endScripts({ control }: Sandbox): Promise<number> {
  const { scripts } = await control.scenarios()
  const ended = await Promise.all(scripts.map(({ id }) => control.endScript(id)))
  return ended.filter(Boolean).length
}
