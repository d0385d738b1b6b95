/** The LIKE pattern that finds `text` anywhere, whatever it contains. Compare it with a lower-cased column. */
export const substringPattern = (text: string): string =>
  `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
