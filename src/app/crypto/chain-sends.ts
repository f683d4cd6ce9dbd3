// The crypto channel's book over the database: each of its answers is committed when it resolves. What is about to be broadcast is
// written in a transaction, whose COMMIT is among what this gateway was told was there: a server that takes over without it is found out.
import type { ChainSends } from '../../connectors/crypto/book.ts'
import type { ReachCrashPoint } from '../../engine/crash-points.ts'
import type { Row, Session, Statement } from '../../platform/db.ts'
import {
  addChainReplacement,
  chainSendHolding,
  chainStanding,
  chainStandingFrom,
  claimChainSend,
  findChainSend,
  foundChainSendFrom,
  recordChainProgress,
  unfinishedSends,
  unfinishedSendsFrom,
} from '../../store/crypto/chain-sends.ts'

/** The book behind a session; a database that does not answer throws, and nothing is known to the connector's caller. */
export function openChainSends(session: Session, crashPoint: ReachCrashPoint): ChainSends {
  const row = async (statement: Statement): Promise<Row> => {
    const [result] = await session.send([statement])
    const [first] = result?.rows ?? []
    if (!first) throw new Error(`${statement.name} gave no row`)
    return first
  }
  const isWritten = (reference: string, statement: Statement): Promise<boolean> =>
    session.transaction<boolean>([statement], ([written]) => {
      const isThere = (written?.rows.length ?? 0) > 0
      // A transaction in which nothing is left to say is rolled back.
      return { statements: isThere ? [findChainSend(reference)] : [], value: isThere }
    })
  return {
    find: async (reference) => foundChainSendFrom(await row(findChainSend(reference))),
    holding: async (network, sender, nonce) => foundChainSendFrom(await row(chainSendHolding(network, sender, nonce))),
    standing: async ({ network, sender, fromNonce, token }) =>
      chainStandingFrom(await row(chainStanding(network, sender, fromNonce, token))),
    unfinished: async (network, sender) => unfinishedSendsFrom(await row(unfinishedSends(network, sender))),
    claim: async (send, notAfter) => {
      crashPoint('before a send on a chain is claimed', send.reference)
      const isClaimed = await isWritten(send.reference, claimChainSend(send, notAfter))
      crashPoint('after a send on a chain is claimed', send.reference)
      return isClaimed
    },
    addReplacement: (reference, replaced, { raw, hash, gasMax }) =>
      isWritten(reference, addChainReplacement(reference, replaced, raw, hash, gasMax)),
    record: async (reference, progress) => {
      await session.send([recordChainProgress(reference, progress)])
      crashPoint('after the progress of a send is recorded', reference)
    },
  }
}
