import { field, presenter } from '#libs/presenting';
import type { CustomAttribute } from './custom-attribute';

export const CustomAttributeRecord = field.object({ key: field.string(), value: field.string() });

export const presentCustomAttribute = presenter(CustomAttributeRecord, ({ key, value }: CustomAttribute) => ({
  key,
  value,
}));
