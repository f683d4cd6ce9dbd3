// gateway commands export: contracts, ledger entries or events as a file, written by the gateway, fetched when it is whole, and held
// against its hash.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Command } from '../../../sdk/src/index.ts'
import { EXPORT_FORMATS, EXPORTED } from '../../domain/command/command.ts'
import { jsonObject } from '../arguments.ts'
import { choice, command, option, PLACE, required, withDefault } from '../command.ts'
import { call, failureOf, gatewayAt, get, post } from '../client.ts'
import { CommandFailed } from '../failures.ts'
import { openOutput, writeOutput } from '../output-file.ts'
import { print } from '../output.ts'
import { placeOf } from '../place.ts'
import { openSteps, progressWords } from './view.ts'

export const exportFile = command('export', 'write contracts, ledger entries or events to a file', {
  examples: [
    'gateway commands export --what contracts --output contracts.csv',
    'gateway commands export --what events --format ndjson --output events.ndjson',
    `gateway commands export --what contracts --filter '{"status":["paid","completed"]}' --output paid.csv`,
  ],
  options: {
    what: required(choice('<what>', 'what is written', EXPORTED)),
    format: withDefault(choice('<format>', 'its form', EXPORT_FORMATS), 'csv'),
    filter: option('<json>', 'which of them, as POST /commands takes it', jsonObject),
    output: required(option('<file>', 'where it goes')),
    ...PLACE,
  },
  run: async ({ what, format, filter, output, ...at }) => {
    const place = placeOf(at)
    const out = await openOutput(output)
    const wanted = { type: 'export', what, format, ...(filter && { filter }) }
    const { command: made } = await call<{ command: Command }>(place, post('/commands', wanted))
    const steps = openSteps()
    const ended = await gatewayAt(place)
      .commands.wait(made, {
        onProgress: ({ progress }) =>
          steps.show(progress.done, Math.max(progress.total, progress.done), progressWords(progress)),
      })
      .catch((fault: unknown) => {
        throw failureOf('GET /commands/{id}', place, fault)
      })
      .finally(steps.end)
    const { file, id } = ended.command
    if (!file?.sha256) throw new CommandFailed(`The export ${id} is ${ended.command.status}, and made no file.`)
    await writeOutput(place, get(`/commands/${id}/file`), out, `The gateway keeps it: GET /commands/${id}/file.`)
    if ((await sha256Of(output)) !== file.sha256)
      throw new CommandFailed(`${output} is not what was written: its hash differs. Ask again.`)
    return { command: ended.command, output }
  },
  json: ({ command: ended }) => ({ command: ended }),
  print: ({ command: { file }, output }) =>
    print(`${output}: ${file?.bytes ?? 0} bytes, SHA-256 ${file?.sha256 ?? ''}`),
})

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array)
  return hash.digest('hex')
}
