// The imports of a file, parsed by the compiler: static and dynamic imports, re-exports, types by `import('x')`, and
// modules reached by `new URL('x.ts', import.meta.url)`.
import { posix } from 'node:path'
import ts from 'typescript'
import { isCode, type Source, type Tree } from './tree.ts'

export interface Import {
  readonly from: string
  /** A path from the root of the project, or the name of a package (`node:fs`, `@scope/name`). */
  readonly to: string
  /** Absent when the program runs. `import { type X }` is not: with verbatimModuleSyntax the module is still loaded. */
  readonly erased: boolean
}

const read = new WeakMap<Source, readonly Import[]>()

export function importsOf(source: Source): readonly Import[] {
  const imports = read.get(source) ?? parse(source)
  read.set(source, imports)
  return imports
}

export function allImports(tree: Tree): readonly Import[] {
  return tree.files.filter(isCode).flatMap(importsOf)
}

const trees = new WeakMap<Source, ts.SourceFile>()

/** The same tree for every rule that requests it. */
export function treeOf(source: Source): ts.SourceFile {
  const tree = trees.get(source) ?? ts.createSourceFile(source.path, source.text, ts.ScriptTarget.Latest, true)
  trees.set(source, tree)
  return tree
}

/** Every node of a file, parents first. */
export function nodesOf(node: ts.Node): readonly ts.Node[] {
  const nodes: ts.Node[] = []
  const visit = (each: ts.Node): void => {
    nodes.push(each)
    ts.forEachChild(each, visit)
  }
  visit(node)
  return nodes
}

function parse(source: Source): readonly Import[] {
  const imports: Import[] = []
  for (const node of nodesOf(treeOf(source))) {
    const name = nameOf(node)
    if (name !== null) imports.push({ from: source.path, to: target(source.path, name.text), erased: isErased(node) })
  }
  return imports
}

function nameOf(node: ts.Node): ts.StringLiteralLike | null {
  const name =
    ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
      ? node.moduleSpecifier
      : ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)
        ? node.argument.literal
        : ts.isCallExpression(node) && isLoader(node.expression)
          ? node.arguments[0]
          : ts.isNewExpression(node) && node.expression.getText() === 'URL'
            ? node.arguments?.[0]
            : undefined
  if (name === undefined || !ts.isStringLiteralLike(name)) return null
  // A URL is an import only if it names a module of the project.
  return ts.isNewExpression(node) && !/\.(?:tsx?|mjs|js)$/.test(name.text) ? null : name
}

function isLoader(callee: ts.Expression): boolean {
  return callee.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(callee) && callee.text === 'require')
}

function isErased(node: ts.Node): boolean {
  if (ts.isImportTypeNode(node)) return true
  if (ts.isExportDeclaration(node)) return node.isTypeOnly
  return ts.isImportDeclaration(node) && node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
}

function target(from: string, name: string): string {
  if (name.startsWith('.')) return posix.join(posix.dirname(from), name)
  if (name.startsWith('node:')) return name
  // The second argument of a URL is the module itself: its path needs no dot.
  if (name.endsWith('.ts')) return posix.join(posix.dirname(from), name)
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')
}
