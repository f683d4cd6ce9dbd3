// What a command on the wire has beside its own members: the file that it writes, and the run of a schedule that it is.
import Type from 'typebox'
import { nullable, time, uuid } from '../shapes.ts'

export const Count = (description: string) => Type.Integer({ minimum: 0, description })

export const CommandFile = Type.Object(
  {
    status: Type.Enum(['writing', 'ready', 'expired'], { description: 'ready: GET /commands/{id}/file.' }),
    name: Type.String(),
    content_type: Type.String(),
    bytes: Count('So far, or in all.'),
    rows: Count('So far, or in all, without the header.'),
    sha256: nullable(Type.String({ description: 'Of the whole file, in hexadecimal digits.' })),
    expires_at: nullable(time('It is kept till then.')),
  },
  { $id: 'CommandFile' },
)

export const CommandSchedule = Type.Object(
  { id: uuid('The schedule.'), run: Type.Integer({ description: 'The number of its run, from 1.' }) },
  {
    $id: 'CommandSchedule',
    description: 'The run that this is; null where somebody gave the command, absent in events of earlier releases.',
  },
)
