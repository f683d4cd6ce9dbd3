-- safe
-- Documents of superseded versions of contracts that ended leave the database after a time that the configuration names, once they are
-- in an archive that was verified (docs/adr/0089). Of each what the seal covers stays as two hashes. No row is rewritten here.

-- An archive that was proved, of each account up to which of its seals. Written by operators alone, and never changed.
create table archive_notes (
  lane int not null,
  account_id uuid not null,
  -- The last seal that is in it.
  number bigint not null,
  -- The SHA-256 of that seal's text, in hexadecimal.
  head text not null,
  -- Where the archive is kept, in words.
  kept text not null check (kept <> ''),
  noted_by text not null check (noted_by <> ''),
  noted_at timestamptz not null default now(),
  primary key (lane, account_id, number),
  foreign key (lane, account_id, number) references seals (lane, account_id, number)
);
grant select on archive_notes to gateway_app;
grant select, insert on archive_notes to gateway_operator;

-- Up to which step of an account documents have left, and when the last contract ended whose documents did. Says where to go on, and
-- proves nothing.
create table document_removals (
  lane int not null,
  account_id uuid not null,
  removed_to bigint not null,
  removed_until timestamptz,
  primary key (lane, account_id)
) with (fillfactor = 70);
grant select, insert, update (removed_to, removed_until) on document_removals to gateway_app;

-- Rows of history change now: room of what left is given back early, to new rows.
alter table contract_versions set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

-- Empties documents and keeps their two hashes, status and last activity. The gateway's role may not write documents otherwise, and
-- whatever it asks for, this takes only what is superseded, of a contract that ended longer ago than the days and a month, sealed as it
-- stands, and in a noted archive up to the contract's end. A contract with more activities than its newest version repeats keeps all.
-- `members`: of each document the hash over those of its members, which the seal's leaf proves together with the row's own hash.
create function empty_documents(lane int, account_id uuid, positions bigint[], members text[], days int) returns bigint
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  with archived as (
    select s.to_position
      from archive_notes a
      join seals s on s.lane = $1 and s.account_id = a.account_id and s.number = a.number
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
      join contract_versions v on v.lane = $1 and v.account_id = $2 and v.position = x.position
      join contracts c on c.lane = $1 and c.account_id = $2 and c.id = v.contract_id
      join contract_versions n on n.lane = $1 and n.account_id = $2 and n.position = c.position
     cross join lateral (
           select z.salt, z.leaves, z.from_position
             from seals z
            where z.lane = $1 and z.account_id = $2 and z.to_position >= v.position
            order by z.to_position, z.number
            limit 1) s
     where c.status in ('completed', 'cancelled', 'expired', 'returned') and v.position < c.position and s.from_position <= v.position
       and c.position <= (select z.to_position from archived z)
       and n.at < now() - make_interval(days => greatest($5, 30)) and n.document -> 'folded' is null
       and v.document::text not like '{"removed":%'
  ), emptied as (
    update contract_versions v
       set document = ('{"removed":"' || replace(encode(decode(a.members, 'hex') || a.row_hash, 'base64'), chr(10), '')
             || case when a.document ->> 'kind' = 'payment' then '","kind":"payment' else '' end
             || '","status":"' || (a.document ->> 'status') || '","activity":"' || (a.document -> 'activities' -> -1 ->> 0) || '"}')::json
      from asked a
     where v.lane = $1 and v.account_id = $2 and v.position = a.position
       and substring(a.leaves from (32 * (a.position - a.from_position))::int + 1 for 32) = sha256('\x00'::bytea || convert_to(
             '{"position":' || a.position || ',"kind":"contract","object":"' || a.contract_id || '","version":' || a.version
             || ',"event":' || coalesce('"' || a.event || '"', 'null')
             || ',"at":"' || to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
             || '","members":"' || a.members || '","row":"' || encode(a.row_hash, 'hex') || '"}', 'UTF8'))
    returning 1)
  select count(*) from emptied;
end;
revoke execute on function empty_documents from public;
grant execute on function empty_documents to gateway_app;
