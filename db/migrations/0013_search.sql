-- safe
-- Pairs of the owner's own beside a webhook endpoint.
alter table webhook_endpoints add column metadata json not null default '{}';
grant update (metadata) on webhook_endpoints to gateway_app;
