-- A registration claims an address, a company's domain and a person. The claim is firm once somebody has opened a link
-- that was mailed to the address.

-- The user of a registration that is not proven has no address of its own: the address may be somebody else's.
ALTER TABLE app_user ALTER COLUMN email_key DROP NOT NULL;

ALTER TABLE business
  -- The address that was given at registration, as addresses are compared. Null after somebody else proved it.
  ADD COLUMN registrant_email_key text,
  -- When the mailbox of that address was proven. Null: address and domain can be taken over by who proves them.
  ADD COLUMN registration_proven_at timestamptz(3);
CREATE UNIQUE INDEX business_registrant_email_key_key ON business (registrant_email_key);

UPDATE business b SET registrant_email_key = u.email_key
FROM app_user u WHERE u.registered_business_id = b.id;

-- What counts as proven of those who are there: a profile that an operator accepted, a production key, and a
-- registrant who worked in this business with a session. Another sign that the mailbox is theirs counts where
-- they are a member of this business alone: a stranger can have registered it with the address of a member of another one.
UPDATE business b SET registration_proven_at = now()
FROM app_user u
JOIN membership m ON m.user_id = u.id
WHERE u.registered_business_id = b.id AND m.business_id = b.id AND (
  b.profile_status = 'accepted'
  OR EXISTS (
    SELECT 1 FROM tenant t JOIN api_key k ON k.tenant_id = t.id
    WHERE t.business_id = b.id AND t.environment = 'production'
  )
  OR EXISTS (SELECT 1 FROM user_session s WHERE s.membership_id = m.id)
  OR (
    NOT EXISTS (SELECT 1 FROM membership o WHERE o.user_id = u.id AND o.business_id <> b.id)
    AND (
      EXISTS (SELECT 1 FROM user_session s WHERE s.user_id = u.id)
      OR EXISTS (SELECT 1 FROM sign_in_request r WHERE r.user_id = u.id AND r.used_at IS NOT NULL)
      OR EXISTS (SELECT 1 FROM passkey p WHERE p.user_id = u.id)
      OR EXISTS (SELECT 1 FROM oidc_identity i WHERE i.user_id = u.id)
      OR EXISTS (SELECT 1 FROM member_invitation i WHERE i.membership_id = m.id AND i.status = 'accepted')
    )
  )
);

-- Since when a key waits for its owner to confirm it: it was made before the address of the business was proven.
ALTER TABLE api_key ADD COLUMN held_at timestamptz(3);

-- Links by which whoever has the mailbox of an address makes a claim firm.
CREATE TABLE registration_proof (
  id           uuid PRIMARY KEY DEFAULT uuidv7(),
  -- registered: of a business that was registered. address, domain: of a registration that was refused because
  -- another one that is not proven claims it.
  kind         text NOT NULL,
  -- The business whose claim on the address waits. Null for a domain.
  business_id  text COLLATE "C" REFERENCES business (id),
  email        text NOT NULL,
  email_key    text NOT NULL,
  -- What the refused registration gave.
  company_name text,
  first_name   text,
  last_name    text,
  country      text,
  expires_at   timestamptz(3) NOT NULL,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  used_at      timestamptz(3),
  CONSTRAINT registration_proof_kind_check CHECK (kind IN ('registered', 'address', 'domain')),
  CONSTRAINT registration_proof_business_check CHECK ((kind = 'domain') = (business_id IS NULL)),
  CONSTRAINT registration_proof_company_check CHECK ((kind = 'registered') = (company_name IS NULL))
);
CREATE INDEX registration_proof_business_id_idx ON registration_proof (business_id);
CREATE INDEX registration_proof_expires_at_idx ON registration_proof (expires_at);

CREATE TABLE registration_link (
  token_hash bytea PRIMARY KEY,
  proof_id   uuid NOT NULL REFERENCES registration_proof (id) ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX registration_link_proof_id_idx ON registration_link (proof_id);

ALTER TABLE access_change
  DROP CONSTRAINT access_change_kind_check,
  ADD CONSTRAINT access_change_kind_check CHECK (kind IN (
    'business_registered', 'settings_changed', 'member_invited', 'member_invitation_sent', 'member_accepted',
    'member_role_changed', 'member_removed', 'member_sessions_revoked', 'key_created', 'key_revoked',
    'bank_connected', 'bank_connection_changed', 'routes_replaced', 'webhook_address_proposed', 'webhook_address_changed',
    'registration_proven', 'registration_released', 'key_confirmed'
  ));
