// Who uses an embedded server: joining registers this process beside the others, leaving takes it off the list and,
// when it was the last, stops the server. Both are done by the watchdog, so that a kill -9 counts as leaving.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PostgresUnavailable } from './errors.ts'
import { isAlive } from './process.ts'
import { WATCHDOG_SCRIPT } from './watchdog.ts'

/** This process's place on the list of those who use a server. */
export type Membership = {
  /** Gives the watchdog the server to stop, before that has written its own process id. */
  started(pid: number): void
  /** Resolves when the server has stopped, or at once when others still use it. May be called twice. */
  leave(): Promise<void>
}

const CLOSING = 'closing.'
const LEAVER_WAIT_MS = 130_000

/** Registers this process, then waits until no other one is in the middle of stopping the server. */
export async function joinUsers(users: string, data: string): Promise<Membership> {
  const watchdog = await startWatchdog(users, data)
  const membership = membershipOf(watchdog, users, data)
  try {
    await leaversGone(users)
    return membership
  } catch (fault) {
    await membership.leave()
    throw fault
  }
}

function membershipOf(watchdog: ChildProcess, users: string, data: string): Membership {
  let left: Promise<void> | undefined
  const leave = async (): Promise<void> => {
    await dismiss(watchdog)
    // One that was killed has not done its work; a successor does it.
    if (watchdog.signalCode !== null) await dismiss(await startWatchdog(users, data, watchdog.pid))
  }
  return {
    started: (pid) => void watchdog.stdin?.write(`${pid}\n`),
    leave: () => {
      left ??= leave()
      return left
    },
  }
}

async function dismiss(watchdog: ChildProcess): Promise<void> {
  if (hasEnded(watchdog)) return
  const ended = once(watchdog, 'exit')
  watchdog.ref()
  watchdog.stdin?.end()
  await ended
}

async function startWatchdog(users: string, data: string, replaces?: number): Promise<ChildProcess> {
  const script = [
    '-c',
    WATCHDOG_SCRIPT,
    'gateway-postgres-watchdog',
    users,
    data,
    `${process.pid}`,
    `${replaces ?? ''}`,
  ]
  const watchdog = spawn('/bin/sh', script, {
    // A session of its own: Ctrl-C in the terminal is for the gateway, which drains before it lets the server go.
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
    cwd: '/',
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' },
  })
  // Writing to one that was killed is no fault of ours; leave() notices it.
  watchdog.stdin.on('error', () => undefined)
  await Promise.race([once(watchdog.stdout, 'data'), once(watchdog, 'exit')])
  if (hasEnded(watchdog)) throw new Error('the PostgreSQL watchdog ended at once')
  watchdog.stdout.destroy()
  watchdog.unref()
  if (watchdog.stdin instanceof Socket) watchdog.stdin.unref()
  return watchdog
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

async function leaversGone(users: string): Promise<void> {
  const deadline = performance.now() + LEAVER_WAIT_MS
  while (readdirSync(users).some((name) => name.startsWith(CLOSING) && isLeaving(users, name))) {
    if (performance.now() > deadline) {
      const message = `The server of ${users} has been stopping for too long. See its log, end it, and start again.`
      throw new PostgresUnavailable('start_timeout', message)
    }
    await sleep(25)
  }
}

function isLeaving(users: string, name: string): boolean {
  if (isAlive(Number(name.slice(CLOSING.length)))) return true
  rmSync(join(users, name), { force: true })
  return false
}
