-- Why an operator did not accept a profile, which the business reads until it submits another.
ALTER TABLE business
  ADD COLUMN profile_declined_at timestamptz(3),
  ADD COLUMN profile_decline_reason text,
  ADD CONSTRAINT business_profile_decline_check
    CHECK ((profile_declined_at IS NULL) = (profile_decline_reason IS NULL));
