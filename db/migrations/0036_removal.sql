-- safe
-- What may leave the database after a time that the configuration names (docs/adr/0073).

-- Words of contracts that ended long ago leave the index of search, which is no history: it is made from it.
grant delete on search_terms to gateway_app;
alter table search_terms set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
-- Up to which position the words of ended contracts were removed, and when that step happened.
alter table search_progress add column removed_to bigint not null default 0;
alter table search_progress add column removed_until timestamptz;
grant update (removed_to, removed_until) on search_progress to gateway_app;

-- The bytes of a provider's event, once nothing waits for it any more. Their hash stays, by which the same event is known again. The
-- gateway's role may not write them otherwise, and not empty what is younger than a month, whatever it asks for.
create function empty_event_bodies(lane int, account_ids uuid[], ids text[], days int) returns bigint
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  with emptied as (
    update payment_events e set body = null
      from unnest($2, $3) x (account_id, id)
     where e.lane = $1 and e.account_id = x.account_id and e.id = x.id and e.body is not null and e.body_hash is not null
       and e.status in ('applied', 'duplicate', 'ignored') and e.due_at is null and e.at < now() - make_interval(days => greatest($4, 30))
    returning 1)
  select count(*) from emptied;
end;
revoke execute on function empty_event_bodies from public;
grant execute on function empty_event_bodies to gateway_app;
-- every lane: a block range index on time costs next to nothing, and the removal looks at all lanes. Made in one pass over the table.
-- squawk-ignore require-concurrent-index-creation
create index payment_events_age on payment_events using brin (at);
