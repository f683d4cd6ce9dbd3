-- safe
-- Profiles: whom an account deals with, and itself, with the saved ways to pay them. A profile is its versions; the head says
-- which is the newest. Contracts keep what they used of one, and never look here again.

create table profiles (
  lane int not null,
  account_id uuid not null,
  livemode boolean not null,
  id uuid not null,
  version int not null check (version > 0),
  type text not null check (type in ('person', 'business')),
  status text not null check (status in ('active', 'archived')),
  primary key (lane, account_id, id),
  foreign key (lane, account_id) references accounts (lane, account_id),
  constraint profiles_mode foreign key (lane, account_id, livemode) references account_modes (lane, account_id, livemode)
);
create index profiles_by_status on profiles (lane, account_id, status, id);

-- Append-only.
create table profile_versions (
  lane int not null,
  account_id uuid not null,
  profile_id uuid not null,
  version int not null check (version > 0),
  document json not null,
  primary key (lane, account_id, profile_id, version),
  foreign key (lane, account_id, profile_id) references profiles (lane, account_id, id)
);

-- By what the newest version of a profile is found: its mobile number, e-mail address, reference, and the accounts that its
-- destinations pay; each as 128 bits of the SHA-256 of its compared form. So is another profile of the same person.
create table profile_marks (
  lane int not null,
  account_id uuid not null,
  mark uuid not null,
  profile_id uuid not null,
  kind text not null check (kind in ('mobile', 'email', 'account', 'reference')),
  primary key (lane, account_id, mark, profile_id),
  foreign key (lane, account_id, profile_id) references profiles (lane, account_id, id)
);

-- Accounts of this gateway that paid an account: the name under which they did, and nothing else of them.
create table profile_payers (
  lane int not null,
  account_id uuid not null,
  profile_id uuid not null,
  name text not null,
  at timestamptz not null default now(),
  primary key (lane, account_id, profile_id),
  foreign key (lane, account_id) references accounts (lane, account_id)
);

grant select, insert on profiles, profile_versions, profile_payers to gateway_app;
grant select, insert, delete on profile_marks to gateway_app;
grant update (version, type, status) on profiles to gateway_app;
grant update (name, at) on profile_payers to gateway_app;
