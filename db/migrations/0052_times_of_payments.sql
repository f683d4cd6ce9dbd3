-- safe
-- A payment on a chain that a re-org moves into another block came when that block was made: the time that a price holds by moves with it.
grant update (created_at) on chain_payments to gateway_app;
