-- An operator pauses a task or retries a job of the clock for the whole platform: such an action is of no business.
ALTER TABLE operator_action ALTER COLUMN business_id DROP NOT NULL;
