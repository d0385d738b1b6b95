import { endpointsOf, type CatalogueEntry } from '#libs/http';
import type { DynamicModule } from '@nestjs/common';

/** Where Nest keeps what @Module says. */
const IMPORTS = 'imports';
const CONTROLLERS = 'controllers';

type Class = new (...args: never[]) => object;

const isClass = (value: unknown): value is Class => typeof value === 'function';
const isDynamic = (value: unknown): value is DynamicModule =>
  typeof value === 'object' && value !== null && 'module' in value && isClass(value.module);

function declared(module: Class, what: string): readonly unknown[] {
  const list: unknown = Reflect.getMetadata(what, module);
  return Array.isArray(list) ? list : [];
}

/** The endpoints of a module and all it imports, without starting anything: for documents, reports and tests. */
export function registeredEndpoints(root: DynamicModule): CatalogueEntry[] {
  const seen = new Set<unknown>();
  const controllers = new Set<Class>();
  const visit = (entry: unknown): void => {
    const module = isDynamic(entry) ? entry.module : entry;
    if (!isClass(module) || (seen.has(module) && !isDynamic(entry))) return;
    seen.add(module);
    const own = isDynamic(entry) ? [...(entry.controllers ?? [])] : [];
    for (const controller of [...own, ...declared(module, CONTROLLERS)]) {
      if (isClass(controller)) controllers.add(controller);
    }
    for (const imported of [
      ...(isDynamic(entry) ? (entry.imports ?? []) : []),
      ...declared(module, IMPORTS),
    ]) {
      visit(imported);
    }
  };
  visit(root);
  return [...controllers].flatMap((controller) => endpointsOf(controller));
}
