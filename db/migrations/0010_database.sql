-- safe
-- Nothing yet: the number is kept for a part of this release.
select 1;
