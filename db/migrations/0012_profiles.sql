-- safe
-- Nothing yet: the number is kept.
select 1;
