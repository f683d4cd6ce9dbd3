// Which of several servers a fault is of. Without it whoever reads the words would mend DATABASE_URL, which is right.
import { HOME } from '../../store/operator/lane-servers.ts'

/** A fault of a server beside home; `cause` is what it is. */
export class ServerFault extends Error {
  override readonly name = 'ServerFault'
  readonly server: string
  constructor(server: string, cause: unknown) {
    super(`The server ${server} of GATEWAY_LANES_FILE: ${inFields(wordsOf(cause))}`, { cause })
    this.server = server
  }
}

const wordsOf = (fault: unknown) => (fault instanceof Error ? fault.message : String(fault))

/** What the variables say of home, fields of the file say of a server beside it. */
const inFields = (words: string) =>
  words
    .replaceAll('GATEWAY_OWNER_DATABASE_URL', 'owner_database_url')
    .replaceAll('GATEWAY_OPERATOR_DATABASE_URL', 'operator_database_url')
    .replaceAll('DATABASE_URL', 'database_url')

/** Does work with the server of this name. What fails is thrown as a {@link ServerFault} where it is not home. */
export async function withServer<T>(name: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (fault) {
    throw name === HOME || fault instanceof ServerFault ? fault : new ServerFault(name, fault)
  }
}

/** What a fault is, whichever server it is of. */
export const faultItself = (fault: unknown): unknown => (fault instanceof ServerFault ? fault.cause : fault)
