// Floors: a file imports from its own folder and from the floors below it. Rooms: within a large folder, a file imports
// from its own subfolder and from those before it. And imports form no cycle.
import { allImports, type Import } from './imports.ts'
import { isCode, isProduct, type Rule } from './tree.ts'

/** Files that assemble the service, from the lowest up. */
const SERVICE: readonly (readonly string[])[] = [
  ['chains'],
  ['restored', 'open-clusters', 'undo'],
  ['drivers'],
  ['assemble'],
  ['neighbours'],
  ['level-cells', 'thread-ids'],
  ['cell'],
  ['front'],
  ['node-api'],
  ['process-rates'],
  ['cached-lookups'],
  ['cell-finder'],
  ['idleness'],
  ['installation'],
  ['level-installation', 'postgres-installation'],
  ['node-cell'],
  ['owner-answers'],
  ['cell-owners'],
  ['served-cell'],
  ['node'],
  ['threads'],
  ['service'],
  ['workers'],
]

/** From the lowest floor up; folders of one floor may import each other. */
const FLOORS: readonly (readonly string[])[] = [
  ['machines'],
  ['snapshots'],
  ['src/solana', 'src/time', 'src/qr', 'src/import-files'],
  ['src/rpc', 'src/keys', 'src/telemetry', 'src/config', 'src/site'],
  ['src/submission', 'src/embedded', 'src/nodes'],
  ['src/engine'],
  ['src/contract'],
  ['src/operations', 'src/lending', 'src/oracle'],
  ['src/http'],
  ...SERVICE.map((names) => names.map((name) => `src/service/${name}.ts`)),
  ['src/cli'],
  ['src/main.ts', 'src/service/worker.ts'],
  ['src/worker-sources.mjs'],
  // Builds the programs, and runs the command line that was built.
  ['src/build.mjs'],
  ['src/holdfast.mjs'],
  // Builds from the client what other programs import; reads its files only.
  ['src/build-client.mjs'],
  // Packs the whole build.
  ['src/pack.mjs'],
]
/** Folders of this floor may import each other; those of the others may not. */
const SHARED_FLOOR = 3
const BESIDE = 'src/localnet'

/**
 * Subfolders in the order in which they may import each other, the lowest first; the folder itself comes last. Types
 * may go up.
 */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  'src/engine': [
    'records',
    'movements',
    'index',
    'audit',
    'events',
    'limits',
    'query',
    'outbox',
    'settlement',
    'eviction',
    'health',
    'backup',
  ],
  'src/operations': [
    'context',
    'lookup',
    'views',
    'events',
    'reconcile',
    'authorization',
    'transactions',
    'holdings',
    'accounts',
    'instruments',
    'positions',
    'batches',
    'distributions',
    'counterparties',
    'statements',
    'loans',
    'nonces',
    'lookup-tables',
    'market-data',
    'signing',
    'approval-policies',
    'webhooks',
    'admin',
    'schedules',
    'payment-requests',
    'pending-changes',
    'background',
  ],
}
/** Used by programs elsewhere: it knows the service by its document alone. */
const CLIENT = 'src/client'
/** Run in browsers: they know the rulebook, its drawings, and how the client parses and types answers. */
const PAGES = ['src/console', 'src/reference']
/** Drawings of the rulebook for pages in browsers, and for those that the service renders. */
const DRAWINGS = 'src/drawings'
/** The rows of import files for the command line, and for a page in browsers. */
const IMPORT_FILES = 'src/import-files'

/** Runs before anything is installed: it imports nothing, and nothing imports it. */
const INSTALLER = 'src/install.mjs'

/** Assembles the parts: for the service, and for tests that run the whole of it. */
const ASSEMBLY = 'src/service/assemble.ts'
const USERS_OF_ASSEMBLY = /^src\/service\/(?:cell|service)\.ts$/

/**
 * Examples that operators copy and run beside a custodian: programs of their own, which know the service by its
 * protocol.
 */
const ADAPTERS = 'src/deploy/signers'

const PLACES = [...FLOORS.flat(), ...PAGES, DRAWINGS, BESIDE, CLIENT, INSTALLER, ADAPTERS]
const USERS_OF_LOCALNET = /^(?:test|bench)\/|^src\/main\.ts$/
const PACKAGES_OF_MACHINES = new Set(['xstate'])

function placeOf(path: string): string | undefined {
  return PLACES.find((place) => path === place || path.startsWith(`${place}/`))
}

function floorOf(place: string): number {
  return FLOORS.findIndex((places) => places.includes(place))
}

const isPackage = (name: string): boolean => !/^(?:machines|snapshots|src|test|bench)\//.test(name)

export const floors: Rule = (tree) => {
  const homeless = tree.files.filter((file) => isCode(file) && isProduct(file) && placeOf(file.path) === undefined)
  const forbidden = allImports(tree).filter((each) => !isAllowed(each))
  return [
    ...homeless.map(({ path }) => `${path} is on no floor`),
    ...forbidden.map(({ from, to }) => `${from} may not import ${to}`),
  ]
}

/** Files of a folder with rooms are in one of them, and import from it and from those before it. */
export const rooms: Rule = (tree) =>
  Object.entries(ROOMS).flatMap(([folder, order]) => {
    const roomOf = (path: string): number => {
      const [room, ...below] = path.slice(folder.length + 1).split('/')
      return below.length === 0 ? order.length : order.indexOf(room ?? '')
    }
    const inside = (path: string): boolean => path.startsWith(`${folder}/`)
    const homeless = tree.files.filter((file) => isCode(file) && inside(file.path) && roomOf(file.path) < 0)
    const upward = allImports(tree).filter(
      ({ from, to, erased }) => !erased && inside(from) && inside(to) && roomOf(to) > roomOf(from),
    )
    return [
      ...homeless.map(({ path }) => `${path} is in no room of ${folder}`),
      ...upward.map(({ from, to }) => `${from} may not import ${to}: its room comes later`),
    ]
  })

function isAllowed({ from, to }: Import): boolean {
  const fromPlace = placeOf(from)
  if (fromPlace === 'machines' && isPackage(to)) return PACKAGES_OF_MACHINES.has(to)
  if (fromPlace === INSTALLER) return to.startsWith('node:')
  if (fromPlace === ADAPTERS) return to.startsWith('node:') || placeOf(to) === ADAPTERS
  if (isPackage(to)) return true
  const toPlace = placeOf(to)
  // Tests and benches may import everything, and nothing imports them.
  if (fromPlace === undefined) return toPlace !== INSTALLER
  if (toPlace === undefined) return false
  if (fromPlace === toPlace) return true
  if (PAGES.includes(fromPlace)) return ['machines', DRAWINGS, CLIENT, IMPORT_FILES].includes(toPlace)
  if (PAGES.includes(toPlace)) return false
  if (fromPlace === DRAWINGS) return toPlace === 'machines'
  if (toPlace === DRAWINGS) return fromPlace === 'src/http'
  if (toPlace === ASSEMBLY) return USERS_OF_ASSEMBLY.test(fromPlace)
  if (toPlace === BESIDE) return USERS_OF_LOCALNET.test(from)
  // The bytes of the chain are the same on both sides of its interface.
  if (fromPlace === BESIDE) return toPlace === 'src/solana'
  if (fromPlace === CLIENT || toPlace === CLIENT || toPlace === INSTALLER || toPlace === ADAPTERS) return false
  const [fromFloor, toFloor] = [floorOf(fromPlace), floorOf(toPlace)]
  return fromFloor > toFloor || (fromFloor === toFloor && fromFloor === SHARED_FLOOR)
}

/**
 * Each cycle once, as a path that ends where it began. Types do not count: they do not exist when modules are loaded.
 */
export const circles: Rule = (tree) => {
  const edges = new Map<string, string[]>()
  for (const { from, to, erased } of allImports(tree)) {
    if (!erased && !isPackage(to)) edges.set(from, [...(edges.get(from) ?? []), to])
  }
  const complaints: string[] = []
  const visited = new Set<string>()
  const way: string[] = []
  const walk = (path: string): void => {
    if (visited.has(path)) return
    const start = way.indexOf(path)
    if (start >= 0) {
      complaints.push([...way.slice(start), path].join(' -> '))
      return
    }
    way.push(path)
    for (const next of edges.get(path) ?? []) walk(next)
    way.pop()
    visited.add(path)
  }
  for (const path of edges.keys()) walk(path)
  return complaints
}
