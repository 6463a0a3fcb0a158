/** What the payees of the tests give, by the names of the controls. */
export const answers = {
  person: {
    first_name: 'Augusta Ada',
    last_name: 'King',
    date_of_birth_day: '10',
    date_of_birth_month: '12',
    date_of_birth_year: '1979',
  },
  business: { business_name: 'Analytical Engines GmbH', registration_number: 'HRB 12345' },
  addresses: {
    US: { line1: '1 Main Street', city: 'Springfield', state: 'IL', postal_code: '62701' },
    DE: { line1: 'Unter den Linden 1', city: 'Berlin', postal_code: '10117' },
  },
  accounts: {
    US: { routing_code: '021000021', account_number: '000123456789', account_type: 'checking' },
    DE: { iban: 'DE89 3704 0044 0532 0130 00' },
  },
} as const;

export const taxDocument = { form_type: 'w8ben', tax_id: '65929970489' } as const;

/** A small file that is a PDF by its content. */
export const pdfFile = {
  name: 'form.pdf',
  mimeType: 'application/pdf',
  buffer: Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n'),
};
