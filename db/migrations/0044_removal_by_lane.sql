-- safe
-- The two functions that remove what may leave, as a cluster takes them (docs/adr/0091): what they decide is as before. A statement in a
-- body of plain SQL has no lane yet when a worker plans it, and an update there takes no expression that reads text or the time
-- zone from a column. So each plans with its values, and the documents are made before they are written.

create or replace function empty_event_bodies(lane int, account_ids uuid[], ids text[], days int) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
declare
  emptied bigint;
begin
  update public.payment_events e set body = null
    from unnest($2, $3) x (account_id, id)
   where e.lane = $1 and e.account_id = x.account_id and e.id = x.id and e.body is not null and e.body_hash is not null
     and e.status in ('applied', 'duplicate', 'ignored') and e.due_at is null and e.at < now() - make_interval(days => greatest($4, 30));
  get diagnostics emptied = row_count;
  return emptied;
end
$$;

-- Whatever is asked for, it takes only what is superseded, of a contract that ended longer ago than the days and a month, sealed as it
-- stands, and in a noted archive up to the contract's end. A contract with more activities than its newest version repeats keeps all.
-- `members`: of each document the hash over those of its members, which the seal's leaf proves together with the row's own hash.
create or replace function empty_documents(lane int, account_id uuid, positions bigint[], members text[], days int) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
declare
  leaving bigint[];
  kept json[];
  emptied bigint;
begin
  with archived as (
    select s.to_position
      from public.archive_notes a
      join public.seals s on s.lane = $1 and s.account_id = a.account_id and s.number = a.number
                  and encode(sha256(convert_to(s.text, 'UTF8')), 'hex') = a.head
     where a.lane = $1 and a.account_id = $2
     order by a.number desc
     limit 1
  ), asked as (
    select v.position, v.version, v.contract_id, v.event, v.at, v.document, x.members, s.leaves, s.from_position,
           sha256(convert_to('["' || translate(rtrim(encode(sha256(convert_to(encode(s.salt, 'hex') || '|' || v.position || '|row', 'UTF8')),
                                                            'base64'), '='), '+/', '-_')
             || '",' || coalesce(v.sequence::text, 'null') || ',null,' || to_json(v.document::text)::text || ']', 'UTF8')) as row_hash
      from unnest($3, $4) x (position, members)
      join public.contract_versions v on v.lane = $1 and v.account_id = $2 and v.position = x.position
      join public.contracts c on c.lane = $1 and c.account_id = $2 and c.id = v.contract_id
      join public.contract_versions n on n.lane = $1 and n.account_id = $2 and n.position = c.position
     cross join lateral (
           select z.salt, z.leaves, z.from_position
             from public.seals z
            where z.lane = $1 and z.account_id = $2 and z.to_position >= v.position
            order by z.to_position, z.number
            limit 1) s
     where c.status in ('completed', 'cancelled', 'expired', 'returned') and v.position < c.position and s.from_position <= v.position
       and c.position <= (select z.to_position from archived z)
       and n.at < now() - make_interval(days => greatest($5, 30)) and n.document -> 'folded' is null
       and v.document::text not like '{"removed":%'
  )
  select array_agg(a.position),
         array_agg(('{"removed":"' || replace(encode(decode(a.members, 'hex') || a.row_hash, 'base64'), chr(10), '')
           || case when a.document ->> 'kind' = 'payment' then '","kind":"payment' else '' end
           || '","status":"' || (a.document ->> 'status') || '","activity":"' || (a.document -> 'activities' -> -1 ->> 0) || '"}')::json)
    into leaving, kept
    from asked a
   where substring(a.leaves from (32 * (a.position - a.from_position))::int + 1 for 32) = sha256('\x00'::bytea || convert_to(
           '{"position":' || a.position || ',"kind":"contract","object":"' || a.contract_id || '","version":' || a.version
           || ',"event":' || coalesce('"' || a.event || '"', 'null')
           || ',"at":"' || to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
           || '","members":"' || a.members || '","row":"' || encode(a.row_hash, 'hex') || '"}', 'UTF8'));
  update public.contract_versions v set document = x.document
    from unnest(leaving, kept) x (position, document)
   where v.lane = $1 and v.account_id = $2 and v.position = x.position;
  get diagnostics emptied = row_count;
  return emptied;
end
$$;
