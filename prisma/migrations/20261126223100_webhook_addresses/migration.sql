-- The address to which the webhooks of a production tenant may go. It outlives the subscription, so that deleting it and
-- registering another one is a change of the address, too.
CREATE TABLE webhook_address (
  tenant_id    text COLLATE "C" PRIMARY KEY REFERENCES tenant (id),
  url          text NOT NULL,
  confirmed_at timestamptz(3) NOT NULL DEFAULT now()
);

INSERT INTO webhook_address (tenant_id, url)
SELECT s.tenant_id, s.url FROM webhook_subscription s JOIN tenant t ON t.id = s.tenant_id
WHERE t.environment = 'production';
