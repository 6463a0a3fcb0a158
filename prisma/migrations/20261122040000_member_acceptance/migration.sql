-- ── A key acts for its member only where that member made it or accepted it. ──

-- When the member proved that the invited mailbox is theirs; null until then, and their keys do not work.
ALTER TABLE membership ADD COLUMN accepted_at timestamptz(3);
UPDATE membership m SET accepted_at = m.created_at
FROM app_user u WHERE u.id = m.user_id AND u.registered_business_id = m.business_id;

-- A key that somebody else made is in somebody else's hands. Its member gets another by an invitation.
UPDATE api_key SET revoked_at = now()
WHERE revoked_at IS NULL AND created_by_membership_id <> membership_id;
ALTER TABLE api_key ADD CONSTRAINT api_key_created_by_check
  CHECK (created_by_membership_id IS NULL OR created_by_membership_id = membership_id OR revoked_at IS NOT NULL);

-- A one-time way for a member to get a key of their own, in the environment of one tenant. Its first use
-- accepts the membership.
CREATE TABLE member_invitation (
  id            uuid PRIMARY KEY DEFAULT uuidv7(),
  business_id   text COLLATE "C" NOT NULL REFERENCES business (id),
  membership_id text COLLATE "C" NOT NULL REFERENCES membership (id),
  tenant_id     text COLLATE "C" NOT NULL REFERENCES tenant (id),
  status        text NOT NULL DEFAULT 'live',
  invited_by    jsonb NOT NULL,
  expires_at    timestamptz(3) NOT NULL,
  created_at    timestamptz(3) NOT NULL DEFAULT now(),
  closed_at     timestamptz(3),
  CONSTRAINT member_invitation_status_check CHECK (status IN ('live', 'accepted', 'superseded', 'canceled')),
  CONSTRAINT member_invitation_closed_at_check CHECK ((status = 'live') = (closed_at IS NULL))
);
CREATE UNIQUE INDEX member_invitation_live_key ON member_invitation (membership_id, tenant_id) WHERE status = 'live';
CREATE INDEX member_invitation_membership_id_idx ON member_invitation (membership_id, id);

-- The tokens that mails carried; only their hashes are kept.
CREATE TABLE member_link (
  token_hash    bytea PRIMARY KEY,
  invitation_id uuid NOT NULL REFERENCES member_invitation (id),
  created_at    timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX member_link_invitation_id_idx ON member_link (invitation_id);

-- What changed about a business's settings, members and keys, and who changed it: written in the
-- statement of the change itself, and never changed.
CREATE TABLE access_change (
  id          uuid PRIMARY KEY DEFAULT uuidv7(),
  business_id text COLLATE "C" NOT NULL REFERENCES business (id),
  -- Of the key that made the change, or that was made.
  environment text NOT NULL,
  kind        text NOT NULL,
  -- The membership, the API key or the business that changed.
  subject_id  text COLLATE "C" NOT NULL,
  actor       jsonb NOT NULL,
  before      jsonb,
  after       jsonb,
  occurred_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT access_change_environment_check CHECK (environment IN ('sandbox', 'production')),
  CONSTRAINT access_change_kind_check CHECK (kind IN (
    'business_registered', 'settings_changed', 'member_invited', 'member_invitation_sent', 'member_accepted',
    'member_role_changed', 'member_removed', 'key_created', 'key_revoked'
  ))
);
CREATE INDEX access_change_business_id_idx ON access_change (business_id, id);

CREATE FUNCTION refuse_change() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'A record of what happened is not changed and not deleted.' USING ERRCODE = 'insufficient_privilege';
END
$$;
-- Rules hold for every role, also for the one that owns the table.
CREATE RULE access_change_no_update AS ON UPDATE TO access_change DO INSTEAD SELECT refuse_change();
CREATE RULE access_change_no_delete AS ON DELETE TO access_change DO INSTEAD SELECT refuse_change();
