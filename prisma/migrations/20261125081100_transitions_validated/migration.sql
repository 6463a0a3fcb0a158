-- In a migration of its own: it reads the whole table, and keeps no writer waiting.
ALTER TABLE payout_transition VALIDATE CONSTRAINT payout_transition_permitted_check;
