-- The suspended beneficiaries of all tenants, for operators: few among all.
CREATE INDEX beneficiary_suspended_idx ON beneficiary (id, tenant_id) WHERE compliance_status = 'suspended';
