// The files of tests that do not run with all lanes on a second server (npm run test:servers), each with the reason. Those of lanes on
// both servers are in test/main: several-servers, older-server, database/lane-server-moves.
const EPOCHS = 'writes epochs and where accounts stood in them in one statement'
const MARKS = 'takes marks off where the lanes are, and looks at those of home'

export const NOT_ON_SERVERS: Readonly<Record<string, string>> = {
  'test/app/recovery/lost-at-work.test.ts': MARKS,
  'test/app/recovery/stopped-elsewhere.test.ts': MARKS,
  'test/app/restored.test.ts': EPOCHS,
  'test/http/webhooks/epochs.test.ts': EPOCHS,
}
