// @ts-check
import path from 'node:path';
import eslint from '@eslint/js';
import { globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

const VAGUE_NAMES = ['utils', 'util', 'helpers', 'helper', 'common', 'shared', 'misc'];

/** A file is named after the thing in it: kebab-case words, roles as suffixes, no catch-all names or folders. */
const speakingFileNames = {
  meta: {
    schema: [],
    messages: {
      vague: '"{{word}}" says nothing about what is in it: name the thing.',
      form: '"{{name}}" is not kebab-case with roles as suffixes (push-rule.entity.ts).',
    },
  },
  create: (context) => ({
    Program(node) {
      const relative = path.relative(context.cwd, context.filename);
      const name = path.basename(relative);
      const word = relative
        .split(path.sep)
        .flatMap((part) => part.split(/[.-]/))
        .find((part) => VAGUE_NAMES.includes(part));
      if (word) context.report({ node, messageId: 'vague', data: { word } });
      if (!/^[a-z0-9]+(?:[.-][a-z0-9]+)*$/.test(name))
        context.report({ node, messageId: 'form', data: { name } });
    },
  }),
};

const RESTRICTED = [
  {
    selector: 'MethodDefinition[kind="constructor"] > FunctionExpression[params.length>6]',
    message: 'More than six collaborators: this class does more than one thing.',
  },
];
const NO_DEFAULT_EXPORT = {
  selector: 'ExportDefaultDeclaration',
  message: 'Export by name: it can be searched and renamed.',
};

export default tseslint.config(
  globalIgnores(['dist/', 'data/', 'node_modules/', 'coverage/', '**/*.cjs', 'docs/']),
  {
    linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' },
    plugins: { local: { rules: { 'speaking-file-names': speakingFileNames } } },
    rules: { 'local/speaking-file-names': 'error' },
  },
  eslint.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/explicit-module-boundary-types': 'off',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/ban-ts-comment': [
        'error',
        { 'ts-expect-error': true, 'ts-ignore': true, 'ts-nocheck': true, 'ts-check': false },
      ],
      // Nest's modules, guards and marker interfaces are often empty on purpose.
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'always' }],
      // Numbers in messages read well; objects and promises in them are mistakes.
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-invalid-void-type': 'off',
      '@typescript-eslint/no-meaningless-void-operator': 'off',
      '@typescript-eslint/unified-signatures': 'off',
      '@typescript-eslint/no-unnecessary-type-arguments': 'off',
      '@typescript-eslint/no-redundant-type-constituents': 'off',
      '@typescript-eslint/no-generated-empty-object-type': 'off',
      // Libraries declare plain option bags as classes.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      eqeqeq: ['error', 'always'],
      'max-lines': ['error', { max: 300, skipComments: true }],
      'no-restricted-syntax': ['error', ...RESTRICTED, NO_DEFAULT_EXPORT],
      'no-control-regex': 'off',
      'no-console': 'error',
    },
  },
  {
    files: ['**/*.spec.ts', '**/*.fixture.ts', 'test/**/*.ts', 'libs/testing/**/*.ts'],
    rules: {
      'max-lines': ['error', { max: 500 }],
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-misused-spread': 'off',
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/restrict-plus-operands': 'off',
      '@typescript-eslint/restrict-template-expressions': 'off',
      '@typescript-eslint/no-unnecessary-type-conversion': 'off',
      // supertest's parsed bodies are `any`; tests compare them, they do not compute with them.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    // Tools look for a default export in these.
    files: ['ormconfig.ts', 'libs/testing/src/jest/global-*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...RESTRICTED] },
  },
  {
    // Programs that people run in a terminal.
    files: [
      'src/main.ts',
      'src/startup/**/*.ts',
      'src/cli/**/*.ts',
      'bench/**/*.ts',
      'test/contract/**/*.ts',
      'test/faults/**/*.ts',
    ],
    rules: { 'no-console': 'off' },
  },
);
