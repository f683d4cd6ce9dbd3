-- safe
-- What one operator's action funded is one wallet, and a wallet is in one lane: with the lane in the key, the table can be spread by it.
-- That the action names the same wallet is proved (src/ledger/verify-outside.ts).
alter table outside_credits drop constraint outside_credits_action_id_key;
-- A row for each time an operator put money in by hand: read through in a moment.
-- squawk-ignore constraint-missing-not-valid, disallowed-unique-constraint
alter table outside_credits add constraint outside_credits_lane_action_id_key unique (lane, action_id);
