import { field, presenter } from '#libs/presenting';
import type { LanguageShare } from './languages.repository';

const twoDecimals = (share: number): number => Math.round(share * 100) / 100;

/** Per cent of the bytes by language. */
export const presentLanguages = presenter(
  field.record(field.string(), field.number()),
  (languages: readonly LanguageShare[]) => {
    const total = languages.reduce((sum, { bytes }) => sum + bytes, 0);
    return Object.fromEntries(languages.map(({ name, bytes }) => [name, twoDecimals((bytes / total) * 100)]));
  },
);
