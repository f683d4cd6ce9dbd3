// What operators do over HTTP, in the gateway's own process: by the operators' database login, which is opened when the first of
// them needs it. Where that is not wanted, the process never has it (docs/adr/0047).
import type { Desk, Operations } from '../../app/operator/desk.ts'
import type { Deps } from '../../app/deps.ts'
import { openSerialSession } from '../../engine/serial-session.ts'
import type { Session } from '../../platform/db.ts'
import { type Config, Misconfigured } from '../config/config.ts'
import { asOperatorOf, openAuditSession, openKeyedSession, openPlannedSession } from '../database/database.ts'
import type { Database } from '../database/opened.ts'
import { seePlacement } from '../database/servers.ts'
import { connectorsOf, reconcileBeside } from './operator-actions.ts'

type Given = Pick<Deps, 'channels' | 'nowMs' | 'randomHex'> & {
  readonly sandboxUrl: string | null
  readonly sealKeys: Desk['sealKeys']
}

/** Null where the gateway is not operated over HTTP. Throws {@link Misconfigured} where it is to be, and lacks the login. */
export function openOperations(config: Config, database: Database, given: Given): Operations | null {
  const { said, limits } = config.operations
  const word = said ?? (config.mode === 'development' ? 'on' : 'off')
  if (word === 'off') return null
  if (database.operator === null) {
    if (said === null) return null
    throw new Misconfigured(
      'GATEWAY_OPERATIONS is on, and the operators’ database login is not known. Set GATEWAY_OPERATOR_DATABASE_URL, or turn it off.',
    )
  }
  let desk: Promise<Desk> | null = null
  const closing: Session[] = []
  const auditors = new Set<Session>()
  let proving: Promise<void> = Promise.resolve()
  const opened = async (): Promise<Desk> => {
    const login = await asOperatorOf(database)
    const reader = readerOf(openPlannedSession(login), inTurn(openPlannedSession(login), config.queueMax))
    const writer = inTurn(openKeyedSession(login), config.queueMax)
    closing.push(reader, writer)
    const { channels, nowMs, randomHex, sandboxUrl, sealKeys } = given
    return {
      reader,
      writer,
      channels,
      sealKeys,
      seePlaces: () => seePlacement(login),
      ids: { nowMs, randomHex },
      openAuditor: () => {
        const auditor = openAuditSession(login)
        auditors.add(auditor)
        return auditor
      },
      follow: (work) => {
        proving = work
      },
      reconcile: (channelId, day) =>
        reconcileBeside(config, reader, writer, channels, channelId, day, sandboxUrl ?? undefined),
      withConnector: connectorsOf(config, reader, writer, channels, sandboxUrl ?? undefined),
    }
  }
  return {
    limits,
    desk: () => {
      desk ??= opened().catch((fault: unknown) => {
        desk = null
        throw fault
      })
      return desk
    },
    close: async () => {
      await desk?.catch(() => null)
      // A proof that runs is interrupted, and says so while it still can.
      await Promise.all([...auditors].map((each) => each.close()))
      await proving
      await Promise.all(closing.map((each) => each.close()))
    },
  }
}

/** Transactions of many requests on one connection: each has it to itself. */
function inTurn(session: Session, queueMax: number): Session {
  const { run, close } = openSerialSession(session, queueMax)
  return { ...session, transaction: (load, decide) => run((own) => own.transaction(load, decide)), close }
}

/** Reads have a connection of their own, so that none falls between the halves of a transaction. */
function readerOf(reads: Session, transactions: Session): Session {
  const close = async () => {
    await Promise.all([reads.close(), transactions.close()])
  }
  return { send: reads.send, transaction: transactions.transaction, close }
}
