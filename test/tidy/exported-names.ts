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
  return all
    .filter(({ paths }) => paths.length > 1)
    .map(({ name, paths }) => `${name} is exported by ${paths.join(' and ')}`)
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
