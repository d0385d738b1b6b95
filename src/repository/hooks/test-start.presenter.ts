import { field, presenter } from '#libs/presenting';
import type { TestStart } from './test-start';

export const presentTestStart = presenter(field.object({ message: field.string() }), (_start: TestStart) => ({
  message: '201 Created',
}));
