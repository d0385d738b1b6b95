import { field, presenter } from '#libs/presenting';
import type { ProjectLanguages } from './project-languages';

const twoDecimals = (share: number): number => Math.round(share * 100) / 100;

/** Per cent of the bytes by language. */
export const presentLanguages = presenter(
  field.record(field.string(), field.number()),
  ({ shares }: ProjectLanguages) => {
    const total = shares.reduce((sum, { bytes }) => sum + bytes, 0);
    return Object.fromEntries(shares.map(({ name, bytes }) => [name, twoDecimals((bytes / total) * 100)]));
  },
);
