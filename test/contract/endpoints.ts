import { registeredEndpoints } from '../../src/reference/registered-endpoints';
import { AppModule } from '../../src/app.module';
import { readSettings } from '../../src/settings/settings';

/** All endpoints of the application, found without starting it. */
export const ENDPOINTS = registeredEndpoints(
  AppModule.forRoot(readSettings({}), 'postgres://unused.invalid/unused'),
);
