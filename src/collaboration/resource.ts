import type { Provider, Type } from '@nestjs/common';

/** What a folder brings to the module of its context. */
export interface Resource {
  readonly entities?: readonly Type[];
  readonly controllers?: readonly Type[];
  /** Ports of lower contexts, for the application's module to bind. */
  readonly published?: readonly Type[];
  readonly providers?: readonly Provider[];
}
