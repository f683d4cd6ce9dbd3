-- safe
-- Tables whose rows change or go all day are cleaned up early: at the server's own fifth of the rows, a large one would carry as much
-- again in dead rows, and every look for what is due would pass them.
alter table jobs set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
alter table wallets set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
alter table deliveries set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
alter table webhook_progress set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
alter table idempotency_keys set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
alter table channel_calls set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
