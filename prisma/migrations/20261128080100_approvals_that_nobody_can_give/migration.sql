-- Payouts that wait for an approval which nobody who is left can give, as a job has found them (watch-approvals.ts).
CREATE TABLE approval_stuck (
  tenant_id text COLLATE "C" NOT NULL,
  payout_id text COLLATE "C" NOT NULL,
  found_at  timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, payout_id),
  CONSTRAINT approval_stuck_tenant_id_payout_id_fkey FOREIGN KEY (tenant_id, payout_id) REFERENCES payout (tenant_id, id)
);

-- What nobody signed is deleted after a day.
CREATE INDEX step_up_unanswered_idx ON step_up (expires_at) WHERE answered_at IS NULL;
