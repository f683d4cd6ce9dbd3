// The house checks itself: what can be said about the code by reading it. Each check is also tried on a bad sample, so
// that none of them can pass by seeing nothing. Floors, dead code and formats have tools of their own (npm run check).
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { providerNames } from './house/providers.ts'
import { lockGaps } from './house/lock.ts'
import { laneBlindKeys, tenantTables, unmarkedMigrations } from './house/migrations.ts'
import {
  bareSuppressions,
  type Check,
  classesButErrors,
  crowdedFolders,
  environmentReads,
  filesUnder,
  impurities,
  longFiles,
  longFunctions,
  missingHeaders,
  networkReach,
  type SourceFile,
  strangeRooms,
  trailingPatterns,
  unfinishedMarks,
  vagueNames,
} from './house/source.ts'
import { laneBlindStatements, unmarkedTables, unspreadWrites } from './house/statements.ts'
import { retiredIn, retiredWords } from './house/words.ts'

const ours = [
  ...filesUnder(['src', 'bench', 'sandbox', 'scripts', 'sdk/src', 'console/src', 'pay/src'], '.ts'),
  ...filesUnder(['console/src'], '.tsx'),
]
const server = filesUnder(['src', 'bench'], '.ts')
const migrations = filesUnder(['db/migrations'], '.sql')
// The house's own files hold the marks and suppressions that they look for.
const tests = filesUnder(['test'], '.ts').filter((file) => !file.path.startsWith('test/house'))
const transactional = filesUnder(['src/engine', 'src/app', 'src/store', 'src/ledger'], '.ts')
const statements = filesUnder(['src/store', 'src/ledger'], '.ts')
const markTables: Check = (files) => unmarkedTables(files, [...tenantTables(migrations), 'planted_contracts'])
const sayLanes: Check = (files) => laneBlindStatements(files, [...tenantTables(migrations), 'planted_contracts'])

const spreadWrites: Check = (files) => unspreadWrites(files, [...tenantTables(migrations), 'planted_contracts'])

/** name, the check, what it binds, and samples that it must find fault with. */
const RULES: [string, Check, readonly SourceFile[], SourceFile[]][] = [
  [
    'the lock file lacks no package of any platform',
    lockGaps,
    [{ path: 'package-lock.json', text: readFileSync('package-lock.json', 'utf8') }],
    [
      {
        path: 'package-lock.json',
        text: '{"packages": {"node_modules/rollup": {"optionalDependencies": {"@rollup/rollup-darwin-arm64": "4.67.4"}}}}',
      },
    ],
  ],
  ['no file over 400 lines', longFiles, [...ours, ...tests], [sample('x\n'.repeat(401))]],
  ['no function over 60 lines', longFunctions, ours, [sample(`const f = () => {\n${'f()\n'.repeat(60)}}`)]],
  [
    'names say what is inside',
    vagueNames,
    [...ours, ...tests],
    ['utils.ts', 'money-helper.ts', 'transfer.service.ts'].map((name) => ({ path: `src/${name}`, text: '' })),
  ],
  [
    'no folder over 20 files',
    crowdedFolders,
    [...ours, ...tests],
    Array.from({ length: 21 }, (_, place) => ({ path: `src/crowd/file-${place}.ts`, text: '' })),
  ],
  [
    'a room is a noun, the same on every floor',
    strangeRooms,
    server,
    ['src/domain/payments/fees.ts', 'src/app/payment/fees.ts', 'src/store/things/row.ts'].map((path) => ({
      path,
      text: '',
    })),
  ],
  ['every file opens with what it holds', missingHeaders, [...ours, ...tests], [sample('export const x = 1')]],
  [
    'no pattern trims the end of a text',
    trailingPatterns,
    server,
    [
      "text.replace(/0+$/, '')",
      "text.replace(/\\/+$/, '')",
      "text.replace(/\\.?0+$/, '')",
      "text.replace(/[ ,]*$/u, '')",
    ].map(sample),
  ],
  [
    'nothing unfinished lands',
    unfinishedMarks,
    [...ours, ...tests, ...migrations],
    [sample('// TODO later'), sample('/* FIXME */'), sample('-- XXX: wrong')],
  ],
  [
    'a suppression says why',
    bareSuppressions,
    [...ours, ...tests, ...migrations],
    [
      sample('// oxlint-disable-next-line eqeqeq'),
      sample('// @ts-ignore: the types are wrong'),
      sample('// @ts-expect-error'),
      sample('-- squawk-ignore ban-drop-column'),
    ],
  ],
  [
    'the domain is pure',
    impurities,
    filesUnder(['src/domain'], '.ts'),
    [
      sample('await x'),
      sample('Date.now()'),
      sample('new Date()'),
      sample('new Date'),
      sample('Math.random()'),
      sample("import { hash } from 'node:crypto'"),
      sample("const fs = import('node:fs')"),
    ],
  ],
  [
    'no network inside a transaction',
    networkReach,
    transactional,
    [
      sample("import { request } from 'undici'"),
      sample("import type { Server } from 'node:http'"),
      sample('fetch(url)'),
    ],
  ],
  [
    'the environment is read once',
    environmentReads,
    server,
    [sample('process.env.PORT'), sample("process.env['PORT']")],
  ],
  [
    'no classes but errors',
    classesButErrors,
    ours,
    [sample('class Wallet {}'), sample('class Wallet extends Base {}')],
  ],
  [
    'no provider is named outside its folder, the catalogue and configuration',
    providerNames,
    filesUnder(['src'], '.ts'),
    [
      sample("if (kind === 'gcash') return"),
      sample('const mayaApiKey = null'),
      sample('// as InstaPay has it'),
      sample('the codes of QR Ph'),
      { path: 'src/connectors/qrph/qrph.ts', text: "const channelId = 'pesonet'" },
    ],
  ],
  [
    'no retired word comes back',
    retiredWords,
    filesUnder(['src', 'sandbox', 'bench'], '.ts'),
    [
      sample('const errand = null'),
      sample('// Errands of a worker'),
      sample('// what was tended'),
      sample("const status = 'parked'"),
    ],
  ],
  ['a migration says whether it is safe', unmarkedMigrations, migrations, [sample('create table t (id int);')]],
  [
    'every key of a tenant begins with its lane',
    laneBlindKeys,
    migrations,
    [
      sample('create table t (lane int, account_id uuid, id uuid, primary key (account_id, lane, id));'),
      sample('create table t (lane int, account_id uuid, id uuid);'),
      sample('create table t (id uuid primary key, account_id uuid);'),
      sample('create table t (lane int, account_id uuid, email text unique, primary key (lane, account_id));'),
      sample(
        'create table t (lane int, account_id uuid, primary key (lane, account_id), foreign key (id) references u);',
      ),
      sample(
        'create table t (lane int, account_id uuid, primary key (lane, account_id)); create index i on t (due_at);',
      ),
      sample(
        'create table t (lane int, account_id uuid, primary key (lane, account_id)); alter table t add unique (z);',
      ),
      sample(
        'create table t (lane int, account_id uuid, primary key (lane, account_id),\n-- every lane: shared by all\nforeign key (id) references u,\nunique (z));',
      ),
      sample(
        'create table t (lane int, account_id uuid, primary key (lane, account_id),\nforeign key (id) references u, -- every lane: shared by all\nunique (z));',
      ),
    ],
  ],
  [
    'a write on a tenant is one that a distributed engine takes',
    spreadWrites,
    statements,
    [
      sample('sql`insert into planted_contracts (lane, id) select $1, x.id from unnest($2::uuid[]) x (id)`'),
      sample('sql`insert into planted_contracts (lane) values ($1) on conflict (lane) do update set at = now()`'),
      sample('sql`update planted_contracts c set at = $2 where c.lane = $1 returning now() - c.at as age`'),
      sample('sql`update planted_contracts c set at = case when c.due then now() end where c.lane = $1`'),
    ],
  ],
  [
    'a statement of every scope marks each of its tables',
    markTables,
    statements,
    [
      sample(
        "scoped('load', `select 1 from planted_contracts c join planted_contracts d on d.lane = c.lane where $lane(c)`)",
      ),
      sample(
        "forRows('load', KEY, (keys) => `insert into t (lane) select l.lane from ${keys} join lanes l on true, a where $lane(a)`)",
      ),
    ],
  ],
  [
    'every statement on a tenant says its lane',
    sayLanes,
    statements,
    [
      sample('sql`select lane, id from planted_contracts where id = ${id} order by lane, id`'),
      sample("const text = 'delete from planted_contracts where id = $1'"),
      sample('sql`insert into planted_contracts (id, lane) select 1, 2`'),
      sample("scoped('load', `select 1 from planted_contracts c where c.id = $1 and $lane(c)`)"),
      sample('sql`select 1 from planted_contracts c join planted_contracts d on d.id = c.id where c.lane = $1`'),
      // Two conditions for two tables, both on the same: test/house/lanes.test.ts has the other forms.
      sample(
        'sql`select v.document from contracts c join contract_versions v on v.id = c.id where c.lane = $1 and c.lane = $2`',
      ),
      sample(
        'sql`select c.id from contracts c where c.lane = $1 and c.id in (select id from contract_versions v where v.account_id = c.account_id) and c.lane = $1`',
      ),
      sample('sql`select j.contract_id from jobs j where j.due_at <= now()`'),
      sample('sql`select s.position from account_steps s where s.account_id = $1`'),
      sample('const WITH_PARENT = `left join planted_contracts j on j.account_id = c.account_id`'),
      sample(
        "const of = (t: string) => `where ${t}.id = $1`\nconst text = `update planted_contracts j set tries = 0 ${of('j')}`",
      ),
      sample(
        "const of = (t: string) => `where ${t}.lane = $1`\nconst text = `update planted_contracts j set tries = 0 ${of('k')}`",
      ),
      sample("insertRows('insert', 'planted_contracts', { id: uuid(idOf), lane: int(laneOf) })"),
      sample(
        "const ROW = { id: uuid(idOf) }\ninsertRows('insert', 'planted_contracts', { ...ROW, lane: int(laneOf) })",
      ),
      sample("import { OWNER } from './not-known.ts'\ninsertRows('insert', 'planted_contracts', { ...OWNER })"),
      sample("insertRows('insert', 'planted_contracts', columnsOfAll())"),
      sample("insertRows('insert', tableOf(kind), { id: uuid(idOf) })"),
      sample('const ROW = { id: uuid(idOf) }\nconst text = `insert into planted_contracts (${names(ROW)}) select 1`'),
      sample("forRows('load', KEY, (keys) => `select 1 from ${keys} join planted_contracts c on c.id = x.id`)"),
    ],
  ],
]

test.each(RULES)('%s', (_name, check, files) => {
  expect(check(files)).toEqual([])
})

test.each(RULES)('%s: the check can fail', (_name, check, _files, samples) => {
  // A folder is crowded by all of its files together; every other fault is one file's own.
  const planted = check === crowdedFolders ? [samples] : samples.map((bad) => [bad])
  for (const bad of planted) expect(check(bad), `finds nothing in: ${bad[0]?.text}`).not.toEqual([])
})

test('the checks let good code pass', () => {
  const table =
    'create table t (lane int, account_id uuid, id uuid, primary key (lane, account_id, id), check (id > 0));'
  expect(laneBlindKeys([sample(`${table} create index i on t using btree (lane, id);`)])).toEqual([])
  expect(laneBlindKeys([sample(`${table} -- every lane: purged by age\ncreate index i on t (id);`)])).toEqual([])
  const shared = table.replace('check', '\n-- every lane: shared by all\nforeign key (kind) references kinds, check')
  expect(laneBlindKeys([sample(shared)])).toEqual([])
  expect(
    laneBlindKeys([sample(`${table} alter table t add unique (z); alter table t drop constraint t_z_key;`)]),
  ).toEqual([])
  const join =
    'sql`select 1 from planted_contracts c join unnest($1::int[]) k (lane) on (c.lane, c.id) = (k.lane, k.id) where $lane(c)`'
  expect(sayLanes([sample(join)])).toEqual([])
  expect(sayLanes([sample('sql`insert into planted_contracts (lane, id) select 1, 2`')])).toEqual([])
  const columns = { path: 'columns.ts', text: 'export const OWNER = { lane: int(laneOf), account_id: uuid(ownerOf) }' }
  const listed = "import { OWNER } from './columns.ts'\nconst ROW = { ...OWNER, id: uuid(idOf) }\n"
  const inserts = [
    "insertRows('insert', 'planted_contracts', ROW)",
    'sql`insert into planted_contracts (${names(ROW)})`',
  ]
  for (const each of inserts) expect(sayLanes([columns, sample(`${listed}${each}`)])).toEqual([])
  const helper = "const of = (t: string, by = 'id') => `where ${t}.lane = $1 and ${t}.${by} = $2`\n"
  expect(sayLanes([sample(`${helper}const text = \`update planted_contracts j set tries = 0 \${of('j')}\``)])).toEqual(
    [],
  )
  expect(impurities([sample('new Date(at); Date.parse(text)')])).toEqual([])
  expect(bareSuppressions([sample('// oxlint-disable-next-line eqeqeq -- null and undefined alike')])).toEqual([])
  expect(environmentReads([sample("spawn('sh', [], { env: { PATH: process.env.PATH } })")])).toEqual([])
  expect(providerNames([sample('Subukan po muli maya-maya.')])).toEqual([])
  expect(retiredWords([sample('// Intended: attend to what a parking lot is')])).toEqual([])
  expect(classesButErrors([sample('class Broken extends Error {}')])).toEqual([])
})

test('the checks see the house', () => {
  const retired = '## Retired words\n\n| retired | instead |\n|---|---|\n| `errand` | job |\n'
  expect(retiredIn(retired)).toEqual(['errand'])
  expect(retiredIn(`${retired}\n## Others\n\n| \`kept\` | |\n`)).toEqual(['errand'])
  expect(server.length).toBeGreaterThan(10)
  expect(migrations.length).toBeGreaterThan(0)
  // The dump of the schema is made by a database that ran the migrations: whoever misreads those misses one of its tables.
  const dumped = [
    ...readFileSync('db/schema.sql', 'utf8').matchAll(/^create table (\w+) \(\n +lane [^;]*?\n +account_id /gm),
  ]
  const owned = dumped.map(([, table]) => table)
  expect(owned).toEqual(expect.arrayContaining(['contracts', 'jobs', 'outside_credits']))
  const views = ['account_history', 'account_steps']
  expect(tenantTables(migrations).toSorted()).toEqual([...owned, ...views].toSorted())
  // Without its lane, each list of columns of an insert is found fault with.
  const blind = statements.map(({ path, text }) => ({
    path,
    text: text.replaceAll(/^ +lane: int\(/gm, '  lain: int('),
  }))
  expect(sayLanes(blind).length).toBeGreaterThan(5)
})

function sample(text: string): SourceFile {
  return { path: 'planted.ts', text }
}
