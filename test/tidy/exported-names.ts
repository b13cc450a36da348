// One exported name has one meaning: two files of a part of the project do not declare the same name.
import ts from 'typescript'
import { treeOf } from './imports.ts'
import { isCode, isProduct, type Rule, type Source } from './tree.ts'

/** Parts whose names are compared only with each other, with the reason. All other files are one part. */
const PARTS: readonly (readonly [part: string, folders: readonly string[]])[] = [
  ['the pages', ['src/console', 'src/reference']],
  ['the embedded chain, which the service knows by its RPC alone', ['src/localnet']],
  ['the client, which programs elsewhere import', ['src/client']],
  ['the adapters for custodians, programs of their own', ['src/deploy']],
  [
    'schemas and descriptions, named after the operations and records they describe',
    ['src/contract/schemas', 'src/contract/values', 'src/http/pages'],
  ],
]

/** Names that still have several meanings. A name leaves the list when its second declaration is renamed. */
export const SEVERAL_MEANINGS: ReadonlySet<string> = new Set([
  'AccountRef',
  'Admission',
  'Answer',
  'Asked',
  'Attempt',
  'Authority',
  'Books',
  'ChainAccount',
  'Change',
  'Check',
  'Checked',
  'ClaimNames',
  'ClusterAccess',
  'Commitment',
  'Comparison',
  'Definition',
  'Elsewhere',
  'EndpointSetting',
  'Entry',
  'Execution',
  'Fact',
  'Feed',
  'FeedLog',
  'FreshKey',
  'HistoryEntry',
  'Holding',
  'InputOf',
  'Job',
  'JobAnswer',
  'JobRequest',
  'JobResult',
  'KINDS',
  'KeyWish',
  'Kind',
  'Landed',
  'Lanes',
  'Leg',
  'LocalSigner',
  'Log',
  'LookupTableState',
  'Metrics',
  'Movement',
  'MovementLog',
  'NonceState',
  'Outcome',
  'Page',
  'Parts',
  'Party',
  'Payment',
  'Performed',
  'Place',
  'Placed',
  'Point',
  'Problem',
  'Question',
  'RateLimit',
  'Refusal',
  'RemoteSigner',
  'Reply',
  'Rotation',
  'Row',
  'Sighting',
  'Signer',
  'Source',
  'Step',
  'TOKEN_2022_PROGRAM',
  'TOKEN_PROGRAM',
  'TransactionEvent',
  'Turns',
  'Verdict',
  'Waiting',
  'ZERO',
  'approve',
  'attempt',
  'balancesOf',
  'bearerOf',
  'canonicalJson',
  'checkNamed',
  'circulatingSupply',
  'compare',
  'createAccount',
  'created',
  'dueAt',
  'entireBalance',
  'failureOf',
  'fileKey',
  'freezing',
  'inspect',
  'instrumentRef',
  'isFrozen',
  'itemsOf',
  'keyOf',
  'multiply',
  'network',
  'newNonces',
  'nonceOf',
  'open',
  'ownRecord',
  'partsOf',
  'plus',
  'privateKey',
  'rawUnits',
  'readMovement',
  'refuse',
  'release',
  'requirePolicyRole',
  'reserve',
  'retryAfterMs',
  'sameBytes',
  'settle',
  'sum',
  'textOf',
  'transferChecked',
])

const GENERATED = 'src/client/schema.d.ts'

/** The types of the contract are read everywhere in the service; only its schemas are named apart. */
function partOf(path: string, isType: boolean): string {
  if (isType && path.startsWith('src/contract/')) return 'the service'
  return PARTS.find(([, folders]) => folders.some((folder) => path.startsWith(`${folder}/`)))?.[0] ?? 'the service'
}

export const exportedNames: Rule = ({ files }) => {
  const places = new Map<string, { readonly name: string; readonly paths: string[] }>()
  for (const file of files.filter((each) => isCode(each) && isProduct(each) && each.path !== GENERATED)) {
    for (const { name, isType } of exportsOf(file)) {
      const key = `${partOf(file.path, isType)} ${name}`
      const place = places.get(key)
      if (place === undefined) places.set(key, { name, paths: [file.path] })
      else if (!place.paths.includes(file.path)) place.paths.push(file.path)
    }
  }
  const all = [...places.values()]
  const sharedNames = all.filter(({ paths }) => paths.length > 1)
  const declaredNames = new Set(all.map(({ name }) => name))
  const repeatedNames = new Set(sharedNames.map(({ name }) => name))
  return [
    ...sharedNames
      .filter(({ name }) => !SEVERAL_MEANINGS.has(name))
      .map(({ name, paths }) => `${name} is exported by ${paths.join(' and ')}`),
    ...[...SEVERAL_MEANINGS]
      .filter((name) => declaredNames.has(name) && !repeatedNames.has(name))
      .map((name) => `${name} needs no exception of exported-names.ts any more`),
  ]
}

/** An exception for a name that nothing declares would let two in. */
export const unusedNames: Rule = ({ files }) => {
  const product = files.filter((each) => isCode(each) && isProduct(each))
  const declared = new Set(product.flatMap((file) => exportsOf(file).map(({ name }) => name)))
  return [...SEVERAL_MEANINGS]
    .filter((name) => !declared.has(name))
    .map((name) => `${name} is exported by no file: it needs no exception of exported-names.ts`)
}

/** Names that the file declares and exports; re-exports have the meaning of what they export. */
function exportsOf(file: Source): readonly { readonly name: string; readonly isType: boolean }[] {
  return treeOf(file).statements.flatMap((statement) => {
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
    if (!isExported) return []
    const declarations = ts.isVariableStatement(statement)
      ? statement.declarationList.declarations.map(({ name }) => name)
      : [(statement as ts.Statement & { readonly name?: ts.Node }).name]
    const isType = ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement)
    return declarations.flatMap((name) =>
      name !== undefined && ts.isIdentifier(name) ? [{ name: name.text, isType }] : [],
    )
  })
}
