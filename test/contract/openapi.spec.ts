import path from 'node:path';
import { openApiDocument } from '../../src/reference/openapi-document';
import { ENDPOINTS } from './endpoints';
import { expectGolden } from './golden';

const FILE = path.resolve(__dirname, '../../docs/openapi.json');

describe('the OpenAPI document', () => {
  const document = openApiDocument(ENDPOINTS);
  const operations = Object.entries(document.paths).flatMap(([where, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ where, method, operation })),
  );

  it('in docs/ is current (else: npm run openapi)', async () => {
    await expectGolden(FILE, `${JSON.stringify(document, null, 2)}\n`);
  });

  it('has every endpoint once', () => {
    const rows = operations.map(({ where, method }) => `${method.toUpperCase()} ${where}`);
    expect(new Set(rows).size).toBe(ENDPOINTS.length);
  });

  it('gives each operation a name of its own', () => {
    const names = operations.map(({ operation }) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(operations.map((each) => [`${each.method.toUpperCase()} ${each.where}`, each] as const))(
    '%s declares exactly the parameters of its path, each parameter once, and an answer',
    (_row, { where, operation }) => {
      const inTemplate = [...where.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
      const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
      expect(inPath.map(({ name }) => name).sort()).toEqual(inTemplate);
      expect(inPath.every(({ required }) => required)).toBe(true);
      const keys = operation.parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
      expect(new Set(keys).size).toBe(keys.length);
      expect(Object.keys(operation.responses).some((status) => status.startsWith('2'))).toBe(true);
    },
  );

  it('refers only to what it contains', () => {
    const references = [
      ...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/responses\/(\w+)"/g),
    ].map(([, name]) => name);
    expect(references.length).toBeGreaterThan(0);
    expect(Object.keys(document.components.responses)).toEqual(
      expect.arrayContaining([...new Set(references)]),
    );
  });
});
