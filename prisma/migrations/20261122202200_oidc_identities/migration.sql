-- Whom a company's sign-in knows under a subject. An e-mail address may pass to another person, a subject never does
-- (https://openid.net/specs/openid-connect-core-1_0.html#ClaimStability).
CREATE TABLE oidc_identity (
  id               uuid PRIMARY KEY DEFAULT uuidv7(),
  issuer           text COLLATE "C" NOT NULL,
  subject          text COLLATE "C" NOT NULL,
  user_id          text COLLATE "C" REFERENCES app_user (id),
  operator_user_id text COLLATE "C" REFERENCES operator_user (id),
  created_at       timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT oidc_identity_person_check CHECK (num_nonnulls(user_id, operator_user_id) = 1)
);
-- The same human may be a member and an operator.
CREATE UNIQUE INDEX oidc_identity_member_key ON oidc_identity (issuer, subject) WHERE user_id IS NOT NULL;
CREATE UNIQUE INDEX oidc_identity_operator_key ON oidc_identity (issuer, subject) WHERE operator_user_id IS NOT NULL;
CREATE UNIQUE INDEX oidc_identity_user_id_issuer_key ON oidc_identity (user_id, issuer);
CREATE UNIQUE INDEX oidc_identity_operator_user_id_issuer_key ON oidc_identity (operator_user_id, issuer);
