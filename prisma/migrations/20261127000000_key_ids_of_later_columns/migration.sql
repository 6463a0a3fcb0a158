-- By these, too, the ids of the keys that the data is under are found without reading the data.
CREATE INDEX bank_connection_further_accounts_key_id_idx ON bank_connection (substring(further_accounts_ciphertext FROM 3 FOR get_byte(substring(further_accounts_ciphertext FROM 1 FOR 2) || '\x0000', 1)))
  WHERE further_accounts_ciphertext IS NOT NULL;
CREATE INDEX proposed_change_payload_key_id_idx ON proposed_change (substring(payload_ciphertext FROM 3 FOR get_byte(substring(payload_ciphertext FROM 1 FOR 2) || '\x0000', 1)))
  WHERE payload_ciphertext IS NOT NULL;
