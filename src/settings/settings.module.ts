import { type DynamicModule, Module } from '@nestjs/common';
import type { Settings } from './settings';

/** Injection token of the settings, which are read once at start. */
export const SETTINGS = Symbol('settings');

@Module({})
export class SettingsModule {
  static forRoot(settings: Settings): DynamicModule {
    return {
      module: SettingsModule,
      global: true,
      providers: [{ provide: SETTINGS, useValue: settings }],
      exports: [SETTINGS],
    };
  }
}
