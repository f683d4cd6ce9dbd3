-- safe
-- How an account shows itself to those who pay it, and whom they may ask. A row of its own: the row of the account is rewritten
-- by every batch, and a logo must not be.
create table account_brands (
  lane int not null,
  account_id uuid not null,
  -- In place of the account's name.
  name text check (char_length(name) between 1 and 80),
  -- The picture as it is shown: a data URI, without what the file carried beside it.
  logo text check (logo ~ '^data:image/(png|jpeg|webp);base64,[A-Za-z0-9+/]+=*$' and octet_length(logo) <= 45000),
  colour text check (colour ~ '^#[0-9a-f]{6}$'),
  support_email text check (octet_length(support_email) <= 254),
  support_phone text check (support_phone ~ '^\+[1-9][0-9]{6,14}$'),
  support_url text check (support_url like 'https://%'),
  primary key (lane, account_id),
  foreign key (lane, account_id) references accounts (lane, account_id)
);
grant select, insert on account_brands to gateway_app;
grant update (name, logo, colour, support_email, support_phone, support_url) on account_brands to gateway_app;
