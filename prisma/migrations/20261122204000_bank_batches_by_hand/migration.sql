-- Who brings a file to its bank follows the transport of the connection until somebody has downloaded it. Where a
-- connection got another transport, its files kept the old way: nobody brought them.
UPDATE bank_batch b SET needs_operator = (c.transport = 'manual' OR cardinality(b.downloaded_by) > 0)
FROM bank_connection c
WHERE c.tenant_id = b.tenant_id AND c.id = b.connection_id AND b.taken_at IS NULL
  AND (b.status = 'closed' OR (b.status = 'sending' AND cardinality(b.downloaded_by) > 0))
  AND b.needs_operator <> (c.transport = 'manual' OR cardinality(b.downloaded_by) > 0);
