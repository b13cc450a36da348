// Trials of the rules for texts, names and folders: each rule, and a tree that breaks it.
import { exportedNames } from './exported-names.ts'
import { contract } from './contract.ts'
import { describedFolders, namedFiles, shortReadme } from './documents.ts'
import { folders, mirrored } from './folders.ts'
import { columns, lengths, lockfile, machinePaths, sharedHooks, skippedTests, topLevel, unfinished } from './texts.ts'
import { madeUp, type Rule, type Tree } from './tree.ts'

export interface Trial {
  readonly rule: Rule
  readonly broken: Tree
  /** The complete expected complaints about the broken tree. */
  readonly complaints: readonly string[]
}

const undone = 'TO' + 'DO'
const home = '/ho' + 'me/alice/holdfast'
const skip = 'it.sk' + 'ip'
const SHA_512 = `sha512-${'A'.repeat(86)}==`

export const TEXT_TRIALS: Readonly<Record<string, Trial>> = {
  'files are short': {
    rule: lengths,
    broken: madeUp({
      'src/http/a.ts': '\n'.repeat(401),
      'src/engine/engine.ts': '\n'.repeat(251),
      'test/a.test.ts': '\n'.repeat(400),
    }),
    complaints: [
      'src/http/a.ts has 401 lines',
      'src/engine/engine.ts has 251 lines',
      'the median file has 401 lines',
      'one file in ten has 401 lines or more',
    ],
  },
  'lines are short': {
    rule: columns,
    broken: madeUp({ 'src/http/a.ts': `${'a + '.repeat(30)}1\nconst text = '${'a'.repeat(120)}'` }),
    complaints: ['src/http/a.ts:1 is too long'],
  },
  'the top of the project holds what is agreed': {
    rule: topLevel,
    broken: madeUp({}, ['src', 'docs', '.env']),
    complaints: ['docs does not belong at the top', '.env does not belong at the top'],
  },
  'nothing is left to be done': {
    rule: unfinished,
    broken: madeUp({ 'src/http/a.ts': `const a = 1\n// ${undone}: later`, 'README.md': 'todos are words' }),
    complaints: [`src/http/a.ts:2 says ${undone}`],
  },
  'no hook in a module that test files share': {
    rule: sharedHooks,
    broken: madeUp({
      'test/e2e/a.ts': 'afterAll(() => stop())\nexport function hooked() {\n  afterAll(stop)\n}',
      'test/e2e/a.test.ts': 'afterAll(() => stop())',
    }),
    complaints: ['test/e2e/a.ts calls afterAll when it is loaded: use atEndOfFile'],
  },
  'no path of a machine': {
    rule: machinePaths,
    broken: madeUp({
      'src/http/a.ts': `const page = '${home}/page.html'`,
      'src/http/b.ts': "get('/api/v1/home/page', '/home/somebody')",
    }),
    complaints: [`src/http/a.ts:1 holds a path of a machine: ${home.slice(0, 7)}`],
  },
  'every test runs': {
    rule: skippedTests,
    broken: madeUp({
      'test/a.test.ts':
        `it('runs', () => view.skip())\n${skip}('not', () => 1)\ndescribe.skipIf(true)('nor this', () => 1)\n` +
        "it.each([1]).todo('x')\nit.runIf(process.platform === 'linux')('runs there', () => 1)",
    }),
    complaints: [
      `test/a.test.ts:2 skips: ${skip}`,
      'test/a.test.ts:3 skips: describe.skipIf',
      'test/a.test.ts:4 skips: it.each([1]).todo',
    ],
  },
  'attack 18: the lockfile names no registry, and the hash of each package': {
    rule: lockfile,
    broken: madeUp({
      'package-lock.json': JSON.stringify({
        packages: {
          '': { name: 'root' },
          'node_modules/a': { resolved: 'http://registry.example/a.tgz', integrity: SHA_512 },
          'node_modules/b': { version: '1.0.0', integrity: SHA_512 },
          'node_modules/c': { version: '1.0.0', optional: true },
          'node_modules/d': { version: '1.0.0', integrity: 'sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA=' },
          'node_modules/e': { link: true },
        },
      }),
    }),
    complaints: [
      'package-lock.json: node_modules/a is resolved from http://registry.example/a.tgz',
      'package-lock.json: node_modules/c has no SHA-512 integrity',
      'package-lock.json: node_modules/d has no SHA-512 integrity',
    ],
  },
  'an exported name has one meaning': {
    rule: exportedNames,
    broken: madeUp({
      'src/engine/a.ts': "export interface Twice {}\nexport { once } from './b.ts'\ninterface Inner {}",
      'src/engine/b.ts': 'export const once = 1, twice = 2\ninterface Inner {}',
      'src/operations/a.ts': 'export type Twice = string\nexport function twice(): void {}',
      'src/contract/schemas/a.ts': 'export const twice = 2\nexport type Twice = number',
      'src/localnet/a.ts': 'export const once = 3',
      'test/a.ts': 'export const once = 4',
    }),
    complaints: [
      'Twice is exported by src/engine/a.ts and src/operations/a.ts and src/contract/schemas/a.ts',
      'twice is exported by src/engine/b.ts and src/operations/a.ts',
    ],
  },
  'the interface is written once': {
    rule: contract,
    broken: madeUp({
      'src/operations/a.ts': 'export const fetch: Read<Input> = () => 1\nfunction shown(): Promise<JsonObject> {}',
      'src/operations/b.ts': 'const of = (raw: bigint): readonly JsonObject[] | null => []\nexport interface BInput {}',
      'src/operations/c.ts':
        'export const fetch: Read<Input, Model> = () => 1\nfunction shown(data: JsonObject): Model {}',
      'src/operations/events/events-of-change.ts': 'export function tell(): void {}',
      'src/operations/views/fetch-bulk.ts': 'export interface BulkInput {}',
      'src/contract/schemas/a.ts': 'export interface Account { readonly onchainId: string; readonly owner: Owner }',
      'src/contract/schemas/b.ts':
        'export type Key = { readonly keyId: string | null }\nexport interface Page<Item> { count: number; items: Item[] }',
      'src/contract/schemas/c.ts': 'export interface Models { readonly compact: ModelOf<typeof compact> }',
    }),
    complaints: [
      'src/operations/a.ts returns JSON of any shape',
      'src/operations/b.ts returns JSON of any shape',
      'src/operations/a.ts has a read without the type of its answer',
      'src/operations/b.ts declares the type of a request by hand',
      'src/contract/schemas/a.ts declares by hand what a schema infers',
      'src/contract/schemas/b.ts declares by hand what a schema infers',
      'src/operations/events/events-of-change.ts needs no exception of contract.ts any more',
    ],
  },
  'documents and rules name files that exist': {
    rule: namedFiles,
    broken: madeUp({
      'src/docs/a.md': 'in `src/gone.ts` and `src/here.ts`, with `test/here/`',
      'src/rooms/README.md': '# rooms\n\n- `a.ts`, `gone.ts`: two files\n- `deeper/`: others; `b.ts` is elsewhere',
      'src/rooms/a.ts': '',
      'src/rooms/deeper/b.ts': '',
      'src/here.ts': '',
      'test/here/a.ts': '',
      'test/tidy/a.ts': "const NAMED = new Set(['src/here.ts', 'src/left.ts', 'src/left.ts reads'])",
    }),
    complaints: [
      'src/docs/a.md names src/gone.ts, which does not exist',
      'src/rooms/README.md names src/rooms/gone.ts, which does not exist',
      'test/tidy/a.ts names src/left.ts, which does not exist',
    ],
  },
  'each folder has a README and a row of the architecture document': {
    rule: describedFolders,
    broken: madeUp({
      'machines/a.ts': '',
      'machines/README.md': '',
      'src/main.ts': '',
      'src/rpc/a.ts': '',
      'src/operations/loans/a.ts': '',
      'src/operations/loans/README.md': '',
      'src/operations/positions/trade/a.ts': '',
      'src/docs/architecture.md': '| `machines/` | the rules |\n| `loans/` | loans |\n| `src/operations/` | |',
    }),
    complaints: [
      'src/operations/positions has no README.md',
      'src/docs/architecture.md does not name src/operations/positions',
      'src/rpc has no README.md',
      'src/docs/architecture.md does not name src/rpc',
    ],
  },
  'tests lie in the folders of the sources': {
    rule: mirrored,
    broken: madeUp({
      'machines/a.ts': '',
      'src/engine/index/a.ts': '',
      'test/machines/a.test.ts': '',
      'test/engine/index/a.test.ts': '',
      'test/engine/gone/a.test.ts': '',
      'test/engine/gone/fixture.ts': '',
      'test/e2e/a.test.ts': '',
      'test/tidy.test.ts': '',
    }),
    complaints: ['test/engine/gone/a.test.ts lies in no folder of the sources'],
  },
  'the README is short': {
    rule: shortReadme,
    broken: madeUp({ 'README.md': '\n'.repeat(251), 'src/docs/a.md': '\n'.repeat(251) }),
    complaints: ['README.md has 251 lines'],
  },
  'folders are small': {
    rule: folders,
    broken: madeUp({
      ...Object.fromEntries(Array.from({ length: 46 }, (_, index) => [`src/qr/${index}.ts`, ''])),
      ...Object.fromEntries(Array.from({ length: 45 }, (_, index) => [`src/time/${index}.ts`, ''])),
      'src/time/deeper/a.ts': '',
    }),
    complaints: ['src/qr holds 46 files'],
  },
}
