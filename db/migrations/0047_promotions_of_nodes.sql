-- safe
-- The words of gateways about a server that took over, by the server: those about a cluster's workers are kept at the coordinator. One of
-- the release before says none of a worker, and its words about the coordinator have no number; whoever waits for it does so for 12 seconds.
alter table promotions add column system_id text not null default '';
alter table promotions drop constraint promotions_pkey;
-- A few rows for each promotion that there ever was.
-- squawk-ignore constraint-missing-not-valid, adding-serial-primary-key-field
alter table promotions add primary key (system_id, timeline, gateway);
