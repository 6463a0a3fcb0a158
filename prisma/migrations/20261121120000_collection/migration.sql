-- ── Collection: a beneficiary gives its own details through a hosted form (specification 2.5, 3.2). ──

CREATE TABLE collection_request (
  tenant_id        text COLLATE "C" NOT NULL,
  id               uuid NOT NULL,
  beneficiary_id   text COLLATE "C" NOT NULL,
  scope            text NOT NULL,
  -- 'live' until something ends it; past expires_at it counts as ended before a job writes so.
  status           text NOT NULL DEFAULT 'live',
  expires_at       timestamptz(3) NOT NULL,
  -- What the payee has given so far and not yet submitted, encrypted; emptied when the request ends.
  draft_ciphertext bytea,
  mail_status      text NOT NULL DEFAULT 'pending',
  mail_attempts    integer NOT NULL DEFAULT 0,
  mail_error       text,
  mailed_at        timestamptz(3),
  created_by       jsonb NOT NULL,
  created_at       timestamptz(3) NOT NULL DEFAULT now(),
  closed_at        timestamptz(3),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, beneficiary_id) REFERENCES beneficiary (tenant_id, id),
  CONSTRAINT collection_request_scope_check CHECK (scope IN ('full_onboarding', 'bank_details', 'tax_documents')),
  CONSTRAINT collection_request_status_check CHECK (status IN ('live', 'submitted', 'canceled', 'superseded', 'expired')),
  CONSTRAINT collection_request_mail_status_check CHECK (mail_status IN ('pending', 'sent', 'dead')),
  CONSTRAINT collection_request_closed_check CHECK ((status = 'live') = (closed_at IS NULL)),
  CONSTRAINT collection_request_draft_check CHECK (status = 'live' OR draft_ciphertext IS NULL)
);
-- A resend invalidates the prior link (specification 8).
CREATE UNIQUE INDEX collection_request_one_live_key ON collection_request (tenant_id, beneficiary_id)
  WHERE status = 'live';
CREATE INDEX collection_request_tenant_id_beneficiary_id_idx ON collection_request (tenant_id, beneficiary_id, id);
-- For the job that ends expired links, which looks across tenants.
CREATE INDEX collection_request_expiry_idx ON collection_request (expires_at) WHERE status = 'live';

-- The tokens of a request, as SHA-256 alone: each attempt to send its mail makes one. The table leads
-- to a tenant, so it cannot begin with one.
CREATE TABLE collection_link (
  token_hash bytea PRIMARY KEY,
  tenant_id  text COLLATE "C" NOT NULL,
  request_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  FOREIGN KEY (tenant_id, request_id) REFERENCES collection_request (tenant_id, id)
);
CREATE INDEX collection_link_tenant_id_request_id_idx ON collection_link (tenant_id, request_id);

-- A tax document. The content is encrypted under a key of its own, and that key by the keyring: a
-- rotation rewrites a few bytes and not ten megabytes.
CREATE TABLE tax_document (
  tenant_id              text COLLATE "C" NOT NULL,
  id                     text COLLATE "C" NOT NULL,
  beneficiary_id         text COLLATE "C" NOT NULL,
  collection_request_id  uuid NOT NULL,
  form_type              text NOT NULL,
  content_type           text NOT NULL,
  size_bytes             integer NOT NULL,
  content                bytea NOT NULL,
  content_key_ciphertext bytea NOT NULL,
  created_at             timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, beneficiary_id) REFERENCES beneficiary (tenant_id, id),
  FOREIGN KEY (tenant_id, collection_request_id) REFERENCES collection_request (tenant_id, id),
  CONSTRAINT tax_document_form_type_check CHECK (form_type IN ('w9', 'w8ben', 'w8bene', 'other')),
  CONSTRAINT tax_document_content_type_check CHECK (content_type IN ('application/pdf', 'image/png', 'image/jpeg'))
);
-- Ciphertext does not compress; out of line, so that reading the other columns is cheap.
ALTER TABLE tax_document ALTER COLUMN content SET STORAGE EXTERNAL;
CREATE INDEX tax_document_tenant_id_beneficiary_id_idx ON tax_document (tenant_id, beneficiary_id, id);

ALTER TABLE beneficiary_transition
  DROP CONSTRAINT beneficiary_transition_kind_check,
  ADD CONSTRAINT beneficiary_transition_kind_check CHECK (kind IN (
    'registered', 'acknowledged', 'reacknowledgment_required', 'suspended', 'reinstated', 'archived',
    'invited', 'invite_canceled', 'invite_expired', 'details_submitted'
  ));
