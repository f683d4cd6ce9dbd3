// A contract whose time is over, as if it had passed while nobody looked.
import type { World } from '../../world.ts'

/** It is over since then: in the head that sweeps look at, and in the document that is decided by. `ago`: an interval of PostgreSQL. */
export async function lapsed({ sql }: Pick<World, 'sql'>, id: string, ago: string): Promise<void> {
  await sql(
    `with head as (
       update contracts set expires_at = date_trunc('second', now() - $2::interval) where id = $1 returning *
     )
     update contract_versions h
        set document = jsonb_set(h.document::jsonb, '{expires_at}',
                                 to_jsonb((extract(epoch from head.expires_at) * 1000)::bigint))::json
       from head where h.contract_id = head.id and h.position = head.position`,
    [id, ago],
  )
}
