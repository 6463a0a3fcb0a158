-- A hash is of what names an account at its bank, not of its holder and of what is given beside it. An account
-- without one is compared by what it holds.
UPDATE bank_account SET details_hash = NULL WHERE details_hash IS NOT NULL;
