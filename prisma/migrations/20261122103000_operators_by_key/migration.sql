-- The service writes lines of the operators' log and answers to resolutions for operators who came over
-- GraphQL, and each of them has a key. So it may name a key, and never a login role: nobody who gets hold of
-- the service's login can write that a person acted in psql, or confirm in that person's name. The owner, with
-- whose rights the functions of ops run, is not bound by this.
ALTER TABLE ops.action_log ENABLE ROW LEVEL SECURITY;
ALTER TABLE ops.order_confirmation ENABLE ROW LEVEL SECURITY;

-- Rights alone say who reads and writes at all.
CREATE POLICY by_rights ON ops.action_log USING (true);
CREATE POLICY by_rights ON ops.order_confirmation USING (true);

CREATE POLICY names_a_key ON ops.action_log AS RESTRICTIVE FOR INSERT
  WITH CHECK (EXISTS (SELECT 1 FROM public.operator_key k WHERE k.id = who));
CREATE POLICY names_a_key ON ops.order_confirmation AS RESTRICTIVE FOR INSERT
  WITH CHECK (answered_by IS NULL OR EXISTS (SELECT 1 FROM public.operator_key k WHERE k.id = answered_by));
CREATE POLICY still_names_a_key ON ops.order_confirmation AS RESTRICTIVE FOR UPDATE
  WITH CHECK (answered_by IS NULL OR EXISTS (SELECT 1 FROM public.operator_key k WHERE k.id = answered_by));
