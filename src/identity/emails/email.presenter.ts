import { field, presenter } from '#libs/presenting';
import type { Email } from './email.entity';

const EmailRecord = field.object({
  id: field.int(),
  email: field.string(),
});

export const presentEmail = presenter(EmailRecord, ({ id, email }: Email) => ({ id, email }));
