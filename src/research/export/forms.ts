/** Forms of `millrace export`; those of tables first, which every result has. */
export const EXPORT_FORMS = ['parquet', 'csv', 'freqtrade', 'quantstats'] as const;
export type ExportForm = (typeof EXPORT_FORMS)[number];
