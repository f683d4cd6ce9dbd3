-- safe
-- Published lists are loaded beside the one in force, and take its place once they are whole (docs/adr/0061).

-- When the file was last found to be the newest: loading the same one again notes it. Null for lists from before: when they were loaded.
alter table screening_lists add column checked_at timestamptz;
grant update (version, published_on, entries, loaded_at, checked_at) on screening_lists to gateway_operator;
grant delete on screening_entries to gateway_operator;
