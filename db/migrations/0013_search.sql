-- safe
-- Pairs of the owner's own beside a webhook endpoint.
alter table webhook_endpoints add column metadata json not null default '{}';
grant update (metadata) on webhook_endpoints to gateway_app;

-- By which words an object of an account is found. Written behind the history by whoever has time, never by a command; a term
-- that an object has no longer is passed over where it is read (docs/adr/0033-search.md). An index of its own, and no scan: a query
-- reads one range of the primary key, newest first.
create table search_terms (
  lane int not null,
  account_id uuid not null,
  term text collate "C" not null,
  object_id uuid not null,
  -- 'c' a contract, 'p' a profile. One byte of its own type, of which there are millions of rows.
  -- squawk-ignore ban-char-field
  kind "char" not null,
  primary key (lane, account_id, term, object_id) include (kind)
);
grant select, insert on search_terms to gateway_app;

-- Up to which position of an account's history that is so.
create table search_progress (
  lane int not null,
  account_id uuid not null,
  position bigint not null check (position >= 0),
  primary key (lane, account_id)
);
grant select, insert on search_progress to gateway_app;
grant update (position) on search_progress to gateway_app;
