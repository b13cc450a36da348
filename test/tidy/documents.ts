// What documents and the lists of these rules name exists, and what exists is described: a README for each folder, and
// a row of the architecture document.
import { posix } from 'node:path'
import ts from 'typescript'
import { nodesOf, treeOf } from './imports.ts'
import { isCode, isProduct, type Rule, type Source, type Tree } from './tree.ts'

const ARCHITECTURE = 'src/docs/architecture.md'
/** Its rules are shown to fail on files that do not exist. */
const TRIALS = 'test/tidy/text-trials.ts'
/** The rest is in `src/docs/` and in the READMEs of the folders. */
const MAX_LINES_OF_README = 250
/** Made when tests or benchmarks run. */
const MADE = /^(?:bench\/results|test\/ui\/screenshots)\b/

export const namedFiles: Rule = (tree) => {
  const exists = existenceIn(tree)
  return tree.files.flatMap((file) =>
    namesIn(file)
      .filter((name) => !MADE.test(name) && !exists(name))
      .map((name) => `${file.path} names ${name}, which does not exist`),
  )
}

function existenceIn({ files }: Tree): (name: string) => boolean {
  const known = new Set<string>()
  for (const { path } of files)
    for (let name = path; name !== '.' && !known.has(name); name = posix.dirname(name)) known.add(name)
  return (name) => known.has(posix.normalize(name).replace(/\/$/, ''))
}

function namesIn(file: Source): readonly string[] {
  if (file.path.endsWith('.md')) return [...new Set([...pathsIn(file), ...(isOfFolder(file) ? itemsIn(file) : [])])]
  return /^test\/tidy\/.*\.ts$/.test(file.path) && file.path !== TRIALS ? textsIn(file) : []
}

const isOfFolder = ({ path }: Source): boolean => path.endsWith('/README.md')
const PATH = /(?:machines|snapshots|src|test|bench)\/[\w./-]*\w\/?/

/** Paths from the root of the project. */
function pathsIn({ text }: Source): readonly string[] {
  return [...text.matchAll(new RegExp(`\`(${PATH.source})\``, 'g'))].map(([, name = '']) => name)
}

/** The files and folders that an item of the list of a README describes, before its colon. */
function itemsIn({ path, text }: Source): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const [, names = ''] = /^- ((?:`[\w./-]+`(?:, | and )?)+)/.exec(line) ?? []
    return [...names.matchAll(/`([\w./-]+)`/g)].map(([, name = '']) => posix.join(posix.dirname(path), name))
  })
}

/** Texts of a rule that are paths and nothing else. */
function textsIn(file: Source): readonly string[] {
  return nodesOf(treeOf(file)).flatMap((node) =>
    ts.isStringLiteral(node) && new RegExp(`^${PATH.source}$`).test(node.text) ? [node.text] : [],
  )
}

export const shortReadme: Rule = ({ files }) =>
  files.flatMap(({ path, text }) => {
    const lines = text.replace(/\n$/, '').split('\n').length
    return path === 'README.md' && lines > MAX_LINES_OF_README ? [`README.md has ${lines} lines`] : []
  })

export const describedFolders: Rule = (tree) => {
  const described = tree.files.find(({ path }) => path === ARCHITECTURE)?.text ?? ''
  const paths = new Set(tree.files.map(({ path }) => path))
  const folders = new Set(
    tree.files.filter((file) => isCode(file) && isProduct(file)).flatMap(({ path }) => above(path)),
  )
  return [...folders]
    .sort()
    .flatMap((folder) => [
      ...(paths.has(`${folder}/README.md`) ? [] : [`${folder} has no README.md`]),
      ...(described.includes(`\`${folder.replace('src/operations/', '')}/\``)
        ? []
        : [`${ARCHITECTURE} does not name ${folder}`]),
    ])
}

/** The folders of a file that are described: those at the top, those of `src` and those of the operations. */
function above(path: string): readonly string[] {
  const [, folder, room] = /^((?:machines|snapshots)(?=\/)|src\/[\w-]+(?=\/))(\/[\w-]+(?=\/))?/.exec(path) ?? []
  if (folder === undefined) return []
  return folder === 'src/operations' && room !== undefined ? [`${folder}${room}`] : [folder]
}
