// Which tables of a statement are found to have no lane, form by form: each way in which a lane can be said, and beside it the same
// statement where it is said of another table, or in a place where it binds nothing.
import { expect, test } from 'vitest'
import { blindTables } from './lanes.ts'

const TABLES = ['lanes', 'contracts', 'contract_versions', 'jobs']

const SAID: [string, string][] = [
  ['by a parameter', 'select 1 from contracts c where c.lane = $1'],
  ['the other way round', 'select 1 from contracts c where $1::int = c.lane'],
  ['without an alias', 'select 1 from contracts where lane = $1'],
  ['by the name of the table', 'select 1 from contracts where contracts.lane = $1'],
  ['as one of several', 'select 1 from contracts c where c.lane = any($1::int[])'],
  ['in a list', 'select 1 from contracts c where c.lane in ($1, $2)'],
  ['by another one', 'select 1 from contracts c join jobs j on j.lane = c.lane where c.lane = $1'],
  ['by another one that is said later', 'select 1 from contracts c, jobs j where j.lane = c.lane and c.lane = $1'],
  ['over several', 'select 1 from jobs a, jobs b, jobs c where c.lane = b.lane and b.lane = a.lane and $1 = a.lane'],
  ['by rows', 'select 1 from unnest($1::int[], $2::uuid[]) x (lane, id) join contracts c on c.lane = x.lane'],
  ['by rows that are put in', 'select 1 from ${rows} join contracts c on c.lane = x.lane and c.id = x.id'],
  ['by a value that is put in', 'select 1 from contracts c where c.lane = ${lane}'],
  ['in a tuple', 'select 1 from unnest($1::int[]) x (lane) join contracts c on (c.id, c.lane) = (x.id, x.lane)'],
  [
    'in a tuple of a sub-select',
    'delete from jobs j where (j.lane, j.id) in (select lane, id from contracts where lane = $1)',
  ],
  ['by using', 'select 1 from contracts c join jobs j using (lane, account_id) where c.lane = $1'],
  ['in a left join', 'select 1 from contracts c left join jobs j on j.lane = c.lane where c.lane = $1'],
  [
    'in a join of joins',
    'select 1 from contracts c left join (jobs j join contract_versions v on v.lane = j.lane) on j.lane = $1 where c.lane = $1',
  ],
  ['in parentheses', 'select 1 from contracts c where (c.lane = $1 and (c.id = $2 or c.id = $3))'],
  ['around a case', 'select 1 from contracts c where case when c.a or c.b then 1 else 2 end = $2 and c.lane = $1'],
  [
    'in a sub-select',
    'select 1 from contracts c where c.lane = $1 and exists (select from jobs j where j.lane = c.lane)',
  ],
  [
    'in a lateral one',
    'select 1 from contracts c cross join lateral (select * from jobs j where j.lane = c.lane) x where c.lane = $1',
  ],
  [
    'in a CTE',
    'with j as (select j.* from jobs j where j.lane = $1) select 1 from contracts c join j on j.lane = c.lane',
  ],
  ['around a sub-select', 'select 1 from (select v.lane, v.id from contract_versions v) h where h.lane = $1'],
  ['in each part of a union', 'select 1 from contracts where lane = $1 union all select 2 from jobs where lane = $1'],
  ['in an insert', 'insert into jobs (lane, id) values ($1, $2)'],
  [
    'in an insert that selects',
    'insert into jobs as j (lane, id) select l.lane, $2 from lanes l where l.lane = $1 on conflict do nothing',
  ],
  ['in an update', 'update jobs j set due_at = x.due from unnest($2::int[]) x (due) where j.lane = $1'],
  ['in a delete', 'delete from jobs j using contracts c where c.lane = $1 and j.lane = c.lane'],
  ['beside a lock', 'select 1 from jobs j where j.lane = $1 for no key update of j skip locked'],
  [
    'beside other words for from',
    'select extract(epoch from j.at) from jobs j where j.a is distinct from j.b and j.lane = $1',
  ],
]

const NOT_SAID: [string, string, string[]][] = [
  [
    'twice of one',
    'select 1 from contracts c join contract_versions v on v.id = c.id where c.lane = $1 and c.lane = $2',
    ['contract_versions v'],
  ],
  [
    'around a sub-select only',
    'select 1 from contracts c where c.lane = $1 and c.id in (select id from contract_versions v where v.account_id = c.account_id) and c.lane = $1',
    ['contract_versions v'],
  ],
  [
    'in a sub-select only',
    'select 1 from contracts c where exists (select from jobs j where j.lane = $1 and j.lane = c.lane)',
    ['contracts c'],
  ],
  ['at all', 'select lane from jobs order by lane', ['jobs']],
  ['of a table in its schema', 'select 1 from public.jobs j where j.id = $1', ['jobs j']],
  ['of a table in quotes', 'select 1 from only "jobs" j where j.id = $1', ['jobs j']],
  [
    'behind what looks like a comment',
    "select 1 from contracts c where c.lane = $1 and c.id <> '--' and exists (select from jobs)",
    ['jobs'],
  ],
  ['but of each other', 'select 1 from contracts c join jobs j on j.lane = c.lane', ['contracts c', 'jobs j']],
  ['but of every lane', 'select 1 from lanes l join jobs j on j.lane = l.lane', ['lanes l', 'jobs j']],
  ['of the second of two', 'select 1 from contracts c, jobs j where c.lane = $1 and c.lane = $1', ['jobs j']],
  [
    'of a table named twice',
    'select 1 from jobs a join jobs b on b.id = a.id where a.lane = $1 and a.lane = $1',
    ['jobs b'],
  ],
  [
    'in a CTE',
    'with j as (select j.* from jobs j) select 1 from contracts c join j on j.lane = c.lane where c.lane = $1',
    ['jobs j'],
  ],
  [
    'in a lateral sub-select',
    'select 1 from contracts c cross join lateral (select * from jobs j) x where c.lane = $1 and x.lane = $1',
    ['jobs j'],
  ],
  [
    'in the second part of a union',
    'select 1 from contracts c where c.lane = $1 and c.lane = $1 union select 2 from jobs c',
    ['jobs c'],
  ],
  [
    'by using',
    'select 1 from contracts c join jobs j using (account_id) where c.lane = $1 and c.lane = $1',
    ['jobs j'],
  ],
  [
    'by a left join, of what it keeps',
    'select 1 from contracts c left join jobs j on j.lane = c.lane and c.lane = $1',
    ['contracts c', 'jobs j'],
  ],
  [
    'by a full join',
    'select 1 from contracts c full join jobs j on j.lane = $1 and c.lane = $1',
    ['contracts c', 'jobs j'],
  ],
  ['where there is another way', 'select 1 from contracts c where c.lane = $1 or c.id = $2', ['contracts c']],
  [
    'where there is another way, deeper',
    'select 1 from contracts c where ((c.lane = $1) or c.id = $2)',
    ['contracts c'],
  ],
  ['but denied', 'select 1 from contracts c where not (c.lane = $1)', ['contracts c']],
  ['but compared', 'select 1 from contracts c where c.lane <> $1 and c.lane > $1', ['contracts c']],
  ['but of another value', 'select 1 from contracts c where c.lane = $1 + c.version', ['contracts c']],
  ['but selected', 'select c.lane = $1 as own from contracts c', ['contracts c']],
  [
    'but in a case',
    'select 1 from contracts c where case when c.lane = $1 then true else c.id = $2 end',
    ['contracts c'],
  ],
  ['but in a call', 'select 1 from contracts c where coalesce(c.lane = $1, true)', ['contracts c']],
  ['but set', 'update jobs set lane = $1 where id = $2', ['jobs']],
  [
    'in an update from',
    'update jobs j set id = c.id from contracts c where j.lane = $1 and j.lane = $1',
    ['contracts c'],
  ],
  ['in a delete using', 'delete from jobs j using contracts c where c.lane = $1 and c.id = j.id', ['jobs j']],
  ['first by an insert', 'insert into jobs (id, lane) values ($1, $2)', ['jobs']],
  [
    'in what an insert selects',
    'insert into jobs (lane, id) select c.lane, c.id from contracts c where c.id = $1',
    ['contracts c'],
  ],
  ['in a tuple, at its place', 'select 1 from contracts c where (c.lane, c.id) = (c.id, $1)', ['contracts c']],
  [
    'but in a comment',
    'select 1 from contracts c -- c.lane = $1\n where c.id = $1 /* and c.lane = $1 */',
    ['contracts c'],
  ],
  ['but in a string', "select 1 from contracts c where c.id = ' and c.lane = $1 '", ['contracts c']],
  ['but by the mark of the scope', 'select 1 from contracts c where $lane(c)', ['contracts c']],
  ['by what is put in, unseen', 'select 1 from contracts c where ${condition}', ['contracts c']],
  ['of a table that is not written out', 'update ${table} t set id = $1 where t.id = $2', ['a table t']],
]

test.each(SAID)('a lane is said %s', (_form, sql) => {
  expect(blindTables(sql, TABLES, true)).toEqual([])
})

test.each(NOT_SAID)('a lane is not said %s', (_form, sql, blind) => {
  expect(blindTables(sql, TABLES, true)).toEqual(blind)
})

test('a piece of a statement may be about what stands around it', () => {
  const exists = 'and exists (select from jobs j where j.lane = c.lane and j.account_id = c.account_id)'
  expect(blindTables(exists, TABLES, false)).toEqual([])
  expect(blindTables(exists, TABLES, true)).toEqual(['jobs j'])
  expect(blindTables('and exists (select from jobs j where j.id = c.id)', TABLES, false)).toEqual(['jobs j'])
  expect(blindTables('(select j.id from jobs j where ${inLane} and j.id = c.id)', TABLES, false)).toEqual([])
  expect(blindTables('(select j.lane, j.id from jobs j)', TABLES, false)).toEqual([])
  expect(blindTables('(select j.id from jobs j)', TABLES, false)).toEqual(['jobs j'])
})
