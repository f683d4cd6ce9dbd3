-- safe
-- The history without the epoch of each step: read beside it, by whoever shows it, the epoch is looked up in the lane that the statement
-- names. In the view it was looked up in all of them on a distributed engine, whatever was read. account_history stays for the release
-- before.
create view account_steps as
  select v.lane, v.account_id, v.position, true as is_contract, v.contract_id, v.version, v.sequence, v.event, v.at,
         v.document, null::text as subject
    from contract_versions v
  union all
  select e.lane, e.account_id, e.position, false, e.id, 1, 1, e.type, e.at, e.object, e.subject
    from account_events e;
grant select on account_steps to gateway_app;
