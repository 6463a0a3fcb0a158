-- The debits of a file are decided about before its credits.
CREATE INDEX bank_line_turn_idx ON bank_line (tenant_id, file_id, direction DESC, id) WHERE match = 'open';
