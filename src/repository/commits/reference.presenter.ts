import type { Reference } from '#libs/git';
import { field, presenter } from '#libs/presenting';

const ReferenceRecord = field.object({ type: field.enum(['branch', 'tag']), name: field.string() });

export const presentReference = presenter(ReferenceRecord, ({ type, name }: Reference) => ({ type, name }));
