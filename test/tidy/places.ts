// One place for each outside dependency: a library, the environment of the process, the clock of the machine.
import ts from 'typescript'
import { allImports, nodesOf, treeOf } from './imports.ts'
import { isCode, isProduct, type Rule, type Source, type Tree } from './tree.ts'

interface Place {
  readonly packages: RegExp
  /** Where it may be imported. */
  readonly folders: readonly string[]
  /** Folders among these in which only one file imports it. */
  readonly oneFileIn?: readonly string[]
}

const PLACES: readonly Place[] = [
  { packages: /^(?:koa|@koa\/router)$/, folders: ['src/http'] },
  { packages: /^level$/, folders: ['snapshots', 'src/localnet'], oneFileIn: ['src/localnet'] },
  { packages: /^pg$/, folders: ['snapshots/postgres'], oneFileIn: ['snapshots/postgres'] },
  { packages: /^p-queue$/, folders: ['src/submission'], oneFileIn: ['src/submission'] },
  // References of the tests and tools of the benches, not packages of a production install.
  { packages: /^@solana\//, folders: [] },
  { packages: /^@opentelemetry\//, folders: ['src/telemetry'], oneFileIn: ['src/telemetry'] },
  { packages: /^jose$/, folders: ['src/keys'] },
  { packages: /^@noble\//, folders: ['src/keys'], oneFileIn: ['src/keys'] },
  { packages: /^ws$/, folders: ['src/rpc', 'src/localnet'], oneFileIn: ['src/rpc'] },
  { packages: /^(?:commander|cli-progress)$/, folders: ['src/cli'] },
  { packages: /^prom-client$/, folders: ['src/telemetry'], oneFileIn: ['src/telemetry'] },
  { packages: /^openapi-fetch$/, folders: ['src/client'], oneFileIn: ['src/client'] },
  { packages: /^preact$/, folders: ['src/console', 'src/reference'] },
  { packages: /^vite$/, folders: ['src/build.mjs', 'src/build-client.mjs', 'src/site'], oneFileIn: ['src/site'] },
  { packages: /^@dagrejs\//, folders: ['src/drawings'], oneFileIn: ['src/drawings'] },
  { packages: /^swagger-ui-dist$/, folders: ['src/reference'] },
  { packages: /^(?:marked|minisearch)$/, folders: ['src/http/pages/docs'] },
  { packages: /^litesvm$/, folders: ['src/localnet'], oneFileIn: ['src/localnet'] },
  { packages: /^bs58$/, folders: ['src/localnet'], oneFileIn: ['src/localnet'] },
  { packages: /^qr$/, folders: ['src/qr'], oneFileIn: ['src/qr'] },
  { packages: /^xstate$/, folders: ['machines', 'src/engine/records', 'src/drawings'] },
  { packages: /^zod$/, folders: ['src/contract', 'src/http'] },
  {
    packages: /^lossless-json$/,
    folders: ['src/client', 'src/config', 'src/http/body', 'src/localnet/rpc', 'src/rpc'],
    oneFileIn: ['src/client', 'src/config', 'src/http/body', 'src/localnet/rpc', 'src/rpc'],
  },
  { packages: /^re2js$/, folders: ['src/oracle'], oneFileIn: ['src/oracle'] },
  { packages: /^undici$/, folders: ['src/rpc', 'src/nodes'], oneFileIn: ['src/rpc', 'src/nodes'] },
  { packages: /^pino$/, folders: ['src/telemetry'], oneFileIn: ['src/telemetry'] },
  { packages: /^@aws-sdk\//, folders: ['src/keys'], oneFileIn: ['src/keys'] },
]

/** `place`: a folder or one file. */
const isIn = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`)

/** Types count: a file that names a type of a library depends on it. */
export const libraries: Rule = (tree) => {
  const uses = allImports({ ...tree, files: tree.files.filter(isProduct) })
  return PLACES.flatMap(({ packages, folders, oneFileIn = [] }) => {
    const ownUses = uses.filter(({ to }) => packages.test(to))
    const astray = ownUses.filter(({ from }) => !folders.some((folder) => isIn(from, folder)))
    const crowded = oneFileIn.map((folder) => [
      ...new Set(ownUses.filter(({ from }) => isIn(from, folder)).map(({ from }) => from)),
    ])
    return [
      ...astray.map(({ from, to }) => `${from} may not import ${to}`),
      ...crowded
        .filter((files) => files.length > 1)
        .map((files) => `${files.join(', ')} import ${ownUses[0]!.to}: one file should`),
    ]
  })
}

/** A library of a production install without a place could be met anywhere. */
export const placedLibraries: Rule = (tree) => {
  const manifest = tree.files.find(({ path }) => path === 'package.json')?.text ?? '{}'
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(manifest) as Readonly<
    Record<'dependencies' | 'optionalDependencies', Readonly<Record<string, string>> | undefined>
  >
  return Object.keys({ ...dependencies, ...optionalDependencies })
    .filter((name) => !PLACES.some(({ packages }) => packages.test(name)))
    .map((name) => `${name} has no place in places.ts`)
}

/** One file of src/config reads the environment; all others get settings. */
export const environment: Rule = (tree) => {
  const readers = productCode(tree)
    .filter((file) => {
      if (!file.text.includes('env')) return false
      return [...nodesOf(treeOf(file))].some(
        (node) => isMember(node, 'process', 'env') || isImportedFromProcess(node, 'env'),
      )
    })
    .map(({ path }) => path)
  const astray = readers.filter((path) => !isIn(path, 'src/config')).map((path) => `${path} reads the environment`)
  const many = readers.filter((path) => isIn(path, 'src/config'))
  return many.length > 1 ? [...astray, `${many.join(', ')} read the environment: one file should`] : astray
}

/** The rulebook is pure: time and randomness are inputs, and it has no side effects. */
const IMPURE: readonly (readonly [object: string, member: string])[] = [
  ['Date', 'now'],
  ['Math', 'random'],
  ['performance', 'now'],
]
const IMPURE_GLOBALS = new Set([
  'process',
  'console',
  'fetch',
  'crypto',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'globalThis',
])

export const purity: Rule = (tree) =>
  productCode(tree)
    .filter(({ path }) => isIn(path, 'machines'))
    .flatMap((file) => {
      const complaints = timeAndChance(file)
      for (const node of nodesOf(treeOf(file))) {
        if (ts.isIdentifier(node) && IMPURE_GLOBALS.has(node.text) && isUseOfGlobal(node)) complaints.add(node.text)
      }
      return [...complaints].map((what) => `${file.path} is not pure: ${what}`)
    })

const GIVEN_THEIR_CLOCK = ['src/engine', 'src/operations']
const CLOCKS_AND_IDS = new Set(['setTimeout', 'setInterval', 'randomUUID', 'randomBytes', 'randomInt'])

/**
 * Engine and operations are given their clock, their timers and their ids: that is what lets a simulation replay
 * exactly.
 */
export const givenTime: Rule = (tree) =>
  productCode(tree)
    .filter(({ path }) => GIVEN_THEIR_CLOCK.some((folder) => isIn(path, folder)))
    .flatMap((file) => {
      const complaints = timeAndChance(file)
      for (const node of nodesOf(treeOf(file))) {
        const imported = ts.isImportSpecifier(node) && CLOCKS_AND_IDS.has((node.propertyName ?? node.name).text)
        if (imported) complaints.add((node.propertyName ?? node.name).text)
        else if (ts.isIdentifier(node) && CLOCKS_AND_IDS.has(node.text) && isUseOfGlobal(node))
          complaints.add(node.text)
      }
      return [...complaints].map((what) => `${file.path} has time or chance of its own: ${what}`)
    })

function timeAndChance(file: Source): Set<string> {
  const complaints = new Set<string>()
  for (const node of nodesOf(treeOf(file))) {
    for (const [object, member] of IMPURE) if (isMember(node, object, member)) complaints.add(`${object}.${member}`)
    if (ts.isNewExpression(node) && node.expression.getText() === 'Date' && (node.arguments?.length ?? 0) === 0)
      complaints.add('new Date()')
  }
  return complaints
}

function productCode(tree: Tree): readonly Source[] {
  return tree.files.filter((file) => isCode(file) && isProduct(file))
}

/** `object.member` or `object['member']`. */
function isMember(node: ts.Node, object: string, member: string): boolean {
  if (ts.isPropertyAccessExpression(node)) return node.expression.getText() === object && node.name.text === member
  if (!ts.isElementAccessExpression(node) || !ts.isStringLiteralLike(node.argumentExpression)) return false
  return node.expression.getText() === object && node.argumentExpression.text === member
}

function isImportedFromProcess(node: ts.Node, member: string): boolean {
  if (!ts.isImportSpecifier(node) || (node.propertyName ?? node.name).text !== member) return false
  const { moduleSpecifier } = node.parent.parent.parent
  return ts.isStringLiteral(moduleSpecifier) && /^(?:node:)?process$/.test(moduleSpecifier.text)
}

/** Not the name of a member, a property or a declaration. */
function isUseOfGlobal(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node
  return ts.isCallExpression(parent) || ts.isElementAccessExpression(parent)
}
