-- No session that began before works for the member's business: neither one that is at work in another business of
-- the same person and comes over, nor one that comes over at the moment of the revocation.
ALTER TABLE membership ADD COLUMN sessions_ended_at timestamptz(3);
