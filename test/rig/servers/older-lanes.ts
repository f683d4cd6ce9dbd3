// The rows of a server as they were, put back after it went on: what a backup does that comes back, but for what is no tenant's.
import type { World } from '../../world.ts'

const EACH_TABLE = `select a.attrelid::regclass::text as name from pg_attribute a join pg_class c on c.oid = a.attrelid
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attname = 'lane' and a.attnum = 1`

const inAll = (work: string) => `do $$
  declare name text;
  begin
    -- Tables refer to each other.
    set local session_replication_role = replica;
    for name in ${EACH_TABLE} loop
      ${work}
    end loop;
  end $$`

/** Keeps the rows as they are; what is given back puts them there again. */
export async function keepRows(sql: World['sql']): Promise<() => Promise<void>> {
  await sql('drop schema if exists kept cascade')
  await sql('create schema kept')
  await sql(inAll(`execute format('create table kept.%s as table %s', name, name);`))
  const back = `execute format('delete from %s', name);
      execute format('insert into %s select * from kept.%s', name, name);`
  return async () => {
    await sql(inAll(back))
  }
}
