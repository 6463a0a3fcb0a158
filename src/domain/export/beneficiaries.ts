import { requirePermission } from '../../access/scope.ts';
import type { Call } from '../../process/services.ts';
import { cell, type CsvSource, type ExportFile, type Quote } from './csv.ts';
import { csvExport } from './stream.ts';

/** The columns of the file. No other personal data leaves the service this way. */
const columns = {
  beneficiary_id: 'b.id',
  name: cell('command.legal_name(b.beneficiary_type, b.business_name, b.first_name, b.last_name)'),
  beneficiary_type: 'b.beneficiary_type',
  compliance_status: 'b.compliance_status',
};

/** What the address book's file is made of, for one tenant. */
export function beneficiariesSource(tenantId: string): CsvSource {
  const from = (quote: Quote) => `
    FROM beneficiary b
    WHERE b.tenant_id = ${quote(tenantId)} AND b.archived_at IS NULL
    ORDER BY b.id`;
  return { tenantId, columns, from };
}

/**
 * Authorises and names the export of the address book: every beneficiary that is not archived,
 * oldest first.
 * @throws `forbidden`; opening it may throw `too_many_requests`
 */
export function exportBeneficiaries(call: Call): ExportFile {
  requirePermission(call.scope, 'read');
  return csvExport(call, 'beneficiaries', beneficiariesSource(call.scope.tenantId));
}
