-- When the entries of an old version were deleted (src/domain/screening/retention.ts). Its row stays as a record.
ALTER TABLE watchlist_version ADD COLUMN emptied_at timestamptz(3);
-- Which results name a version. The lists of results are few, so the index is small.
CREATE INDEX screening_result_lists_idx ON screening_result USING gin (lists jsonb_path_ops);
