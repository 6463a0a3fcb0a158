/** The key of an export's job: at most one of them waits. */
export const exportJobKey = (exportId: string): string => `export ${exportId}`;
