-- How the collection pages and mails of a tenant look, and whom their readers can ask. Everybody who
-- gets a mail sees the logo, so it is no secret and is stored as it is.
CREATE TABLE collection_branding (
  tenant_id       text COLLATE "C" PRIMARY KEY REFERENCES tenant (id),
  color           text,
  support_contact text,
  privacy_url     text,
  language        text,
  logo            bytea,
  logo_type       text,
  -- The beginning of the SHA-256 of the logo, which its address carries.
  logo_digest     text,
  logo_width      integer,
  logo_height     integer,
  updated_by      jsonb NOT NULL,
  updated_at      timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT collection_branding_color_check CHECK (color ~ '^#[0-9a-f]{6}$'),
  CONSTRAINT collection_branding_language_check CHECK (language IN ('en', 'de', 'fr', 'es', 'pt')),
  CONSTRAINT collection_branding_logo_type_check CHECK (logo_type IN ('image/png', 'image/jpeg')),
  CONSTRAINT collection_branding_logo_check
    CHECK (num_nulls(logo, logo_type, logo_digest, logo_width, logo_height) IN (0, 5))
);
-- Images do not compress. Out of line, they cost the pages that read the other columns nothing.
ALTER TABLE collection_branding ALTER COLUMN logo SET STORAGE EXTERNAL;

-- The language that the invite named; null where it named none.
ALTER TABLE collection_request ADD COLUMN language text;
ALTER TABLE collection_request
  ADD CONSTRAINT collection_request_language_check CHECK (language IN ('en', 'de', 'fr', 'es', 'pt'));
