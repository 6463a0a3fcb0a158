-- Where a process tries, after the database had no room for a row, whether there is room again: it adds rows that fill
-- pages of their own and takes them back. The table stays empty.
CREATE TABLE write_probe (
  id     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  filler text NOT NULL
);
-- Neither compressed nor moved out of its row, so that each row needs a page.
ALTER TABLE write_probe ALTER COLUMN filler SET STORAGE PLAIN;
