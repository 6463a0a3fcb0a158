-- The reports of a balance that name their source (docs/ledger.md): each counts once, also one that changes
-- nothing, and however late it is repeated.
CREATE TABLE balance_report (
  tenant_id               text COLLATE "C" NOT NULL,
  source                  text COLLATE "C" NOT NULL,
  currency                text COLLATE "C" NOT NULL,
  available_balance_minor bigint NOT NULL,
  recorded_at             timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, source),
  FOREIGN KEY (tenant_id) REFERENCES tenant (id)
);
