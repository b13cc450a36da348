// The project as text: the input of the rules. A rule is a function from a tree to complaints, so that a tree of a test
// can show that the rule is able to complain.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

export interface Source {
  /** From the root of the project, with `/`. */
  readonly path: string
  readonly text: string
}

export interface Tree {
  readonly files: readonly Source[]
  /** Names of all entries at the top, except those that git ignores. */
  readonly top: readonly string[]
}

/** Complaints, each beginning with the place; empty if there are none. */
export type Rule = (tree: Tree) => readonly string[]

const ROOT = join(import.meta.dirname, '..', '..')
/** Directories that .gitignore excludes, and that of git. */
const LEFT_OUT = new Set(['.git', 'node_modules', 'data', 'dist', 'coverage', 'bench/results', 'test/ui/screenshots'])
const TEXT =
  /\.(?:tsx?|mjs|js|json|md|html|css|sh|yml|yaml|conf|service)$|(?:^|\/)(?:LICENSE|Dockerfile|run|\.gitignore|\.npmrc)$/

export const isCode = ({ path }: Source): boolean => /\.(?:tsx?|mjs|js)$/.test(path)
/** What runs in the service, as opposed to tests, benches and settings of tools. */
export const isProduct = ({ path }: Source): boolean => /^(?:machines|snapshots|src)\//.test(path)

export function repository(): Tree {
  const all = readdirSync(ROOT, { withFileTypes: true }).map(({ name }) => name)
  const top = all.filter((name) => !LEFT_OUT.has(name) && !name.endsWith('.log'))
  const files = top.flatMap((name) => under(join(ROOT, name)))
  return { files, top }
}

function under(path: string): Source[] {
  const name = relative(ROOT, path).split(sep).join('/')
  if (LEFT_OUT.has(name)) return []
  try {
    return readdirSync(path).flatMap((entry) => under(join(path, entry)))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTDIR') throw error
    return TEXT.test(name) ? [{ path: name, text: readFileSync(path, 'utf8') }] : []
  }
}

/** A tree from given files. */
export function madeUp(files: Readonly<Record<string, string>>, top: readonly string[] = []): Tree {
  return { files: Object.entries(files).map(([path, text]) => ({ path, text })), top }
}
