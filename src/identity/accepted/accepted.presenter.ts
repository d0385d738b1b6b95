import { field, presenter } from '#libs/presenting';
import type { Accepted } from './accepted';

export const presentAccepted = presenter(
  field.object({ message: field.string() }),
  (_accepted: Accepted) => ({
    message: '202 Accepted',
  }),
);
