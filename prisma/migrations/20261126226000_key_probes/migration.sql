-- The keys that were ever used, each with a small known value that was encrypted under it. A process whose key does
-- not open it has another key under that id. A key that is lost for good is marked, and is then missed by nobody.
CREATE TABLE encryption_key (
  id      text COLLATE "C" PRIMARY KEY,
  probe   bytea,
  made_at timestamptz(3) NOT NULL DEFAULT now(),
  lost_at timestamptz(3)
);

-- By these the ids of the keys that the data is under are found without reading the data: the second byte of a
-- ciphertext is the length of the id, and the id follows. What is too short to be a ciphertext has no id.
CREATE INDEX bank_account_version_account_holder_name_key_id_idx ON bank_account_version (substring(account_holder_name_ciphertext FROM 3 FOR get_byte(substring(account_holder_name_ciphertext FROM 1 FOR 2) || '\x0000', 1)))
  WHERE account_holder_name_ciphertext IS NOT NULL;
CREATE INDEX bank_account_version_identifiers_key_id_idx ON bank_account_version (substring(identifiers_ciphertext FROM 3 FOR get_byte(substring(identifiers_ciphertext FROM 1 FOR 2) || '\x0000', 1)))
  WHERE identifiers_ciphertext IS NOT NULL;
CREATE INDEX bank_account_account_holder_name_key_id_idx ON bank_account (substring(account_holder_name_ciphertext FROM 3 FOR get_byte(substring(account_holder_name_ciphertext FROM 1 FOR 2) || '\x0000', 1)))
  WHERE account_holder_name_ciphertext IS NOT NULL;
CREATE INDEX beneficiary_email_key_id_idx ON beneficiary (substring(email_ciphertext FROM 3 FOR get_byte(substring(email_ciphertext FROM 1 FOR 2) || '\x0000', 1)))
  WHERE email_ciphertext IS NOT NULL;
CREATE INDEX beneficiary_phone_key_id_idx ON beneficiary (substring(phone_ciphertext FROM 3 FOR get_byte(substring(phone_ciphertext FROM 1 FOR 2) || '\x0000', 1)))
  WHERE phone_ciphertext IS NOT NULL;
CREATE INDEX beneficiary_registration_number_key_id_idx ON beneficiary (substring(registration_number_ciphertext FROM 3 FOR get_byte(substring(registration_number_ciphertext FROM 1 FOR 2) || '\x0000', 1)))
  WHERE registration_number_ciphertext IS NOT NULL;
CREATE INDEX beneficiary_postal_address_key_id_idx ON beneficiary (substring(postal_address_ciphertext FROM 3 FOR get_byte(substring(postal_address_ciphertext FROM 1 FOR 2) || '\x0000', 1)))
  WHERE postal_address_ciphertext IS NOT NULL;
CREATE INDEX beneficiary_masked_bank_details_key_id_idx ON beneficiary (substring(masked_bank_details_ciphertext FROM 3 FOR get_byte(substring(masked_bank_details_ciphertext FROM 1 FOR 2) || '\x0000', 1)))
  WHERE masked_bank_details_ciphertext IS NOT NULL;
CREATE INDEX beneficiary_date_of_birth_key_id_idx ON beneficiary (substring(date_of_birth_ciphertext FROM 3 FOR get_byte(substring(date_of_birth_ciphertext FROM 1 FOR 2) || '\x0000', 1)))
  WHERE date_of_birth_ciphertext IS NOT NULL;
CREATE INDEX beneficiary_tax_id_key_id_idx ON beneficiary (substring(tax_id_ciphertext FROM 3 FOR get_byte(substring(tax_id_ciphertext FROM 1 FOR 2) || '\x0000', 1)))
  WHERE tax_id_ciphertext IS NOT NULL;
CREATE INDEX webhook_subscription_secret_key_id_idx ON webhook_subscription (substring(secret_ciphertext FROM 3 FOR get_byte(substring(secret_ciphertext FROM 1 FOR 2) || '\x0000', 1)))
  WHERE secret_ciphertext IS NOT NULL;
CREATE INDEX bank_connection_account_key_id_idx ON bank_connection (substring(account_ciphertext FROM 3 FOR get_byte(substring(account_ciphertext FROM 1 FOR 2) || '\x0000', 1)))
  WHERE account_ciphertext IS NOT NULL;
CREATE INDEX bank_connection_credentials_key_id_idx ON bank_connection (substring(credentials_ciphertext FROM 3 FOR get_byte(substring(credentials_ciphertext FROM 1 FOR 2) || '\x0000', 1)))
  WHERE credentials_ciphertext IS NOT NULL;
CREATE INDEX tax_document_content_key_key_id_idx ON tax_document (substring(content_key_ciphertext FROM 3 FOR get_byte(substring(content_key_ciphertext FROM 1 FOR 2) || '\x0000', 1)))
  WHERE content_key_ciphertext IS NOT NULL;
CREATE INDEX bank_batch_content_key_key_id_idx ON bank_batch (substring(content_key_ciphertext FROM 3 FOR get_byte(substring(content_key_ciphertext FROM 1 FOR 2) || '\x0000', 1)))
  WHERE content_key_ciphertext IS NOT NULL;
CREATE INDEX bank_file_content_key_key_id_idx ON bank_file (substring(content_key_ciphertext FROM 3 FOR get_byte(substring(content_key_ciphertext FROM 1 FOR 2) || '\x0000', 1)))
  WHERE content_key_ciphertext IS NOT NULL;
CREATE INDEX bank_account_proposal_correction_key_id_idx ON bank_account_proposal (substring(correction_ciphertext FROM 3 FOR get_byte(substring(correction_ciphertext FROM 1 FOR 2) || '\x0000', 1)))
  WHERE correction_ciphertext IS NOT NULL;
CREATE INDEX collection_request_draft_key_id_idx ON collection_request (substring(draft_ciphertext FROM 3 FOR get_byte(substring(draft_ciphertext FROM 1 FOR 2) || '\x0000', 1)))
  WHERE draft_ciphertext IS NOT NULL;
CREATE INDEX enrollment_payee_key_id_idx ON enrollment (substring(payee_ciphertext FROM 3 FOR get_byte(substring(payee_ciphertext FROM 1 FOR 2) || '\x0000', 1)))
  WHERE payee_ciphertext IS NOT NULL;
