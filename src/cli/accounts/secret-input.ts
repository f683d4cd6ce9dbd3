// A secret from whoever runs a command: typed at a terminal, where it is not shown, or the first line of standard input.
import { text } from 'node:stream/consumers'
import { CommandFailed } from '../failures.ts'

const CTRL_C = '\u0003'
const CTRL_D = '\u0004'
const BACKSPACES = ['\u0008', '\u007f']
const INTERRUPTED = 130

export async function readSecret(question: string): Promise<string> {
  const secret = process.stdin.isTTY ? await typedSecret(question) : ((await text(process.stdin)).split('\n')[0] ?? '')
  if (secret.trim() !== '') return secret.trim()
  throw new CommandFailed('No key was given. Type it when asked, or give it on standard input.')
}

/** At a terminal alone. In raw mode the terminal shows nothing of what is typed. */
export function typedSecret(question: string): Promise<string> {
  const { stdin, stderr } = process
  stderr.write(question)
  return new Promise((resolve) => {
    let secret = ''
    const end = () => {
      stdin.off('data', take)
      stdin.setRawMode(false)
      stdin.pause()
      stderr.write('\n')
    }
    const take = (bytes: Buffer) => {
      for (const each of bytes.toString()) {
        if (each === CTRL_C) {
          end()
          process.exit(INTERRUPTED)
        }
        if (each === '\r' || each === '\n' || each === CTRL_D) {
          end()
          return resolve(secret)
        }
        secret = BACKSPACES.includes(each) ? secret.slice(0, -1) : secret + each
      }
    }
    stdin.setRawMode(true)
    stdin.resume()
    stdin.on('data', take)
  })
}
