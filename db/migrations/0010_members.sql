-- safe
-- People who sign in for an account, their factors and their sessions.

-- One row for everybody who was ever invited. The rows stay: activities and the audit list name members by their ids.
create table members (
  lane int not null,
  account_id uuid not null,
  id uuid not null,
  -- In lower case. One person may be a member of several accounts.
  email text not null check (email = lower(email)),
  name text,
  role text not null check (role in ('owner', 'admin', 'operator', 'approver', 'developer', 'viewer')),
  status text not null check (status in ('invited', 'active', 'removed')),
  -- SHA-256 of the one link that is open to this member: an invitation, or the enrolment that follows it.
  link_hash bytea check (length(link_hash) = 32),
  link_expires_at timestamptz,
  invited_by text,
  -- scrypt with its parameters and its salt.
  password text,
  -- Sealed. A new secret waits until a code of it was shown.
  totp_sealed text,
  totp_pending_sealed text,
  -- The last step that a code was taken for: no code is taken twice.
  totp_step bigint not null default 0,
  -- SHA-256 of those that are left.
  recovery_codes text[] not null default '{}',
  -- The time of the last passkey challenge that was answered: no challenge is taken twice.
  challenged_at bigint not null default 0,
  -- Wrong passwords and codes in a row.
  failures int not null default 0,
  locked_until timestamptz,
  created_at timestamptz not null,
  joined_at timestamptz,
  removed_at timestamptz,
  primary key (lane, account_id, id),
  foreign key (lane, account_id) references accounts (lane, account_id)
);
create unique index members_email on members (lane, account_id, email) where status <> 'removed';
create index members_of_email on members (lane, email) where status = 'active';
create index members_of_link on members (lane, link_hash) where link_hash is not null;
grant select, insert on members to gateway_app;
grant update (name, role, status, link_hash, link_expires_at, invited_by, password, totp_sealed, totp_pending_sealed,
  totp_step, recovery_codes, challenged_at, failures, locked_until, joined_at, removed_at) on members to gateway_app;

create table passkeys (
  lane int not null,
  account_id uuid not null,
  member_id uuid not null,
  -- The credential id of WebAuthn, in base64url.
  id text not null,
  name text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  primary key (lane, account_id, member_id, id),
  foreign key (lane, account_id, member_id) references members (lane, account_id, id)
);
-- A passkey that is removed is of no more use to anybody.
grant select, insert, delete on passkeys to gateway_app;
grant update (counter, last_used_at) on passkeys to gateway_app;

-- A session is a key of a member: what holds for keys in the write path, in streams and for tokens holds for it, too.
-- Keys are few: the table is locked for a moment.
-- squawk-ignore require-concurrent-index-creation
create index api_keys_of_member on api_keys (lane, account_id, member_id) where member_id is not null;
