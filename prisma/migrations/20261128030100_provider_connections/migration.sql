-- ── Accounts of businesses at providers that are called, beside those at banks that take files (docs/providers.md). ──

-- The transport `api` is a provider that is called, by its adapter. It has settings, credentials, a status and a version
-- as a bank has, and nothing of what is about files.
ALTER TABLE bank_connection
  ADD COLUMN adapter text COLLATE "C",
  ALTER COLUMN debtor_name DROP NOT NULL,
  ALTER COLUMN debtor_address DROP NOT NULL,
  ALTER COLUMN account_country DROP NOT NULL,
  ALTER COLUMN account_currency DROP NOT NULL,
  ALTER COLUMN account_last4 DROP NOT NULL,
  ALTER COLUMN account_ciphertext DROP NOT NULL,
  ALTER COLUMN cut_off_time DROP NOT NULL,
  ALTER COLUMN time_zone DROP NOT NULL,
  ALTER COLUMN calendar DROP NOT NULL,
  ALTER COLUMN lead_bank_days DROP NOT NULL,
  ALTER COLUMN return_bank_days DROP NOT NULL,
  ALTER COLUMN max_payments DROP NOT NULL,
  DROP CONSTRAINT bank_connection_transport_check,
  ADD CONSTRAINT bank_connection_transport_check CHECK (transport IN ('sftp', 'folder', 'manual', 'api')),
  DROP CONSTRAINT bank_connection_schemes_check,
  ADD CONSTRAINT bank_connection_schemes_check CHECK (
    (cardinality(schemes) > 0) = (transport <> 'api') AND schemes <@ ARRAY[
      'sepa_credit_transfer', 'sepa_instant', 'uk_domestic', 'us_wire', 'cross_border', 'ach'
    ]),
  ADD CONSTRAINT bank_connection_adapter_check CHECK ((adapter IS NOT NULL) = (transport = 'api')),
  ADD CONSTRAINT bank_connection_file_check CHECK (
    num_nonnulls(debtor_name, debtor_address, account_country, account_currency, account_last4, account_ciphertext,
      cut_off_time, time_zone, calendar, lead_bank_days, return_bank_days, max_payments)
    = CASE WHEN transport = 'api' THEN 0 ELSE 12 END
  );

-- A route names `bank:<id>` for an account at a bank, and `<adapter>:<id>` for one at a provider that is called.
ALTER TABLE payout_route
  DROP CONSTRAINT payout_route_provider_check,
  ADD CONSTRAINT payout_route_provider_check CHECK (
    CASE WHEN connection_id IS NULL THEN provider NOT LIKE '%:%' AND scheme IS NULL
      ELSE provider = split_part(provider, ':', 1) || ':' || connection_id AND (scheme IS NULL OR provider LIKE 'bank:%')
    END
  );
