import tseslint from 'typescript-eslint'

const PRODUCT = ['bench/**', 'machines/**', 'snapshots/**', 'src/**']

export default tseslint.config(
  { ignores: ['node_modules', 'data', 'dist', 'bench/results', 'coverage', 'src/client/schema.d.ts'] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['eslint.config.js'] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      // Ids, numbers and addresses are put into messages everywhere; the stricter default buys nothing.
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true, allow: ['bigint'] },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // noUncheckedIndexedAccess makes these assertions necessary where an index was checked one line above.
      '@typescript-eslint/no-non-null-assertion': 'off',
      // A fifth of the linter's time; `erasableSyntaxOnly` allows no enums here.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      'no-console': 'error',
    },
  },
  {
    files: PRODUCT,
    rules: {
      'max-params': ['error', 4],
      'max-lines-per-function': ['error', { max: 70, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    // What prints to a person: the command line and the benches.
    files: ['src/main.ts', 'src/cli/**', 'src/config/**', 'bench/**'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['**/*.mjs', 'eslint.config.js'],
    extends: [tseslint.configs.disableTypeChecked],
    rules: { 'no-console': 'off' },
  },
)
