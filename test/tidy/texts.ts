// The allowed text and length of files, the entries at the top of the project, and the forbidden content of the
// lockfile.
import ts from 'typescript'
import { nodesOf, treeOf } from './imports.ts'
import { isCode, isProduct, type Rule, type Source, type Tree } from './tree.ts'

const MAX_LINES = 400
/** The path of a change, which everybody has to read: what does not belong to it has files of its own. */
const SHORTER: Readonly<Record<string, number>> = { 'src/engine/engine.ts': 250 }
const MAX_COLUMNS = 120
/** Files that are only read together should be one file: short ones are no aim in themselves. */
const MEDIAN_BELOW = 90
const P90_BELOW = 220

/** Written by a program and read by one; `test/client/generated.test.ts` compares it with its source. */
const GENERATED = new Set(['src/client/schema.d.ts'])

const linesIn = ({ text }: Source): readonly string[] => text.replace(/\n$/, '').split('\n')
const linesOf = (file: Source): number => linesIn(file).length

const isWritten = (file: Source): boolean => isCode(file) && !GENERATED.has(file.path)

export interface Sizes {
  readonly files: number
  readonly median: number
  readonly p90: number
  readonly longest: string
}

/** Lines of a file, over the code of the tree that passes the filter. */
export function sizes(tree: Tree, filter: (file: Source) => boolean): Sizes {
  const sorted = tree.files.filter((file) => isWritten(file) && filter(file)).sort((a, b) => linesOf(a) - linesOf(b))
  const at = (share: number): number => {
    const file = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
    return file === undefined ? 0 : linesOf(file)
  }
  const last = sorted.at(-1)
  return {
    files: sorted.length,
    median: at(0.5),
    p90: at(0.9),
    longest: last === undefined ? '' : `${last.path} (${linesOf(last)})`,
  }
}

/** The formatter breaks every line but those of a long text, a regular expression or a template. */
export const columns: Rule = ({ files }) =>
  files.filter(isWritten).flatMap((file) => {
    const long = linesIn(file).flatMap((line, index) => (line.length <= MAX_COLUMNS ? [] : [index]))
    const texts = long.length === 0 ? new Set() : linesOfTexts(file)
    return long.filter((index) => !texts.has(index)).map((index) => `${file.path}:${index + 1} is too long`)
  })

const TEXTS = [
  ts.isStringLiteral,
  ts.isRegularExpressionLiteral,
  ts.isTemplateLiteralToken,
  ts.isNoSubstitutionTemplateLiteral,
  ts.isJsxText,
]

function linesOfTexts(file: Source): Set<number> {
  const source = treeOf(file)
  const lines = new Set<number>()
  for (const node of nodesOf(source)) {
    if (!TEXTS.some((isText) => isText(node))) continue
    const last = source.getLineAndCharacterOfPosition(node.end).line
    for (let { line } = source.getLineAndCharacterOfPosition(node.getStart(source)); line <= last; line += 1)
      lines.add(line)
  }
  return lines
}

export const lengths: Rule = (tree) => {
  const { median, p90 } = sizes(tree, isProduct)
  return [
    ...tree.files
      .filter((file) => isWritten(file) && linesOf(file) > (SHORTER[file.path] ?? MAX_LINES))
      .map((file) => `${file.path} has ${linesOf(file)} lines`),
    ...(median < MEDIAN_BELOW ? [] : [`the median file has ${median} lines`]),
    ...(p90 < P90_BELOW ? [] : [`one file in ten has ${p90} lines or more`]),
  ]
}

const TOP = new Set([
  'package.json',
  'tsconfig.json',
  'src',
  'machines',
  'snapshots',
  'bench',
  'test',
  'README.md',
  // Required by tools.
  'package-lock.json',
  'LICENSE',
  'eslint.config.js',
  'vitest.config.ts',
  '.ci',
  '.gitignore',
  '.npmrc',
])

export const topLevel: Rule = ({ top }) =>
  top.filter((name) => !TOP.has(name)).map((name) => `${name} does not belong at the top`)

// Built from parts, or this file would break its own rules.
const UNDONE = new RegExp(`\\b(?:${['TO' + 'DO', 'FIX' + 'ME'].join('|')})\\b`)

export const unfinished: Rule = (tree) => places(tree, UNDONE, (word) => `says ${word}`)

/** Folders of persons and machines. A path that a test makes up belongs to somebody. */
const HOMES = ['home', 'Users', 'root', 'work', 'tmp', 'mnt', 'private'].join('|')
const MACHINE = new RegExp(`(?<![\\w.$}*)\\]-])(?:/(?:${HOMES})/(?!somebody\\b)[\\w.-]|[A-Z]:\\\\\\w)`)

export const machinePaths: Rule = (tree) => {
  const files = tree.files.filter(({ path }) => path !== 'package-lock.json')
  return places({ ...tree, files }, MACHINE, (found) => `holds a path of a machine: ${found}`)
}

function places({ files }: Tree, pattern: RegExp, complaint: (found: string) => string): string[] {
  return files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => {
      const match = pattern.exec(line)?.[0]
      return match === undefined ? [] : [`${path}:${index + 1} ${complaint(match)}`]
    }),
  )
}

const TESTS = new Set(['it', 'test', 'describe', 'suite', 'bench'])
const SKIPS = new Set(['skip', 'skipIf', 'runIf', 'todo', 'only', 'fails'])
const SKIPPING_NAMES = new Set(['xit', 'xtest', 'xdescribe', 'fit', 'fdescribe'])

/**
 * Tests that do not run, or keep others from running. A condition may ask for the platform: .ci/run counts what did not
 * run.
 */
export const skippedTests: Rule = (tree) =>
  tree.files
    .filter(({ path }) => /\.test\.ts$/.test(path))
    .flatMap((file) => {
      const source = treeOf(file)
      return [...nodesOf(source)].filter(isSkip).map((node) => {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart())
        return `${file.path}:${line + 1} skips: ${node.getText().split('\n')[0] ?? ''}`
      })
    })

function isSkip(node: ts.Node): boolean {
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) return SKIPPING_NAMES.has(node.expression.text)
  if (!ts.isPropertyAccessExpression(node) || !SKIPS.has(node.name.text) || asksForPlatform(node.parent)) return false
  // it.skip, it.each.skip, describe.concurrent.skip(...), and the context of a running test.
  let root: ts.Expression = node.expression
  while (ts.isPropertyAccessExpression(root) || ts.isCallExpression(root)) root = root.expression
  return ts.isIdentifier(root) && (TESTS.has(root.text) || /^(?:ctx|context)$/.test(root.text))
}

function asksForPlatform(call: ts.Node): boolean {
  if (!ts.isCallExpression(call) || !call.arguments[0]) return false
  return /^process\.platform [!=]== '\w+'$/.test(call.arguments[0].getText())
}

const HOOK = /^(?:before|after)(?:All|Each)$/

/** Test files share the modules that a worker has loaded: a hook of a shared module serves the first of them alone. */
export const sharedHooks: Rule = (tree) =>
  tree.files
    .filter(({ path }) => /^test\/.*\.ts$/.test(path) && !/\.test\.ts$/.test(path) && path !== 'test/setup.ts')
    .flatMap((file) =>
      treeOf(file).statements.flatMap((statement) => {
        if (!ts.isExpressionStatement(statement) || !ts.isCallExpression(statement.expression)) return []
        const name = statement.expression.expression.getText()
        return HOOK.test(name) ? [`${file.path} calls ${name} when it is loaded: use atEndOfFile`] : []
      }),
    )

/**
 * npm takes the registry of whoever installs: the lockfile must not name the one of whoever wrote it. What arrives is
 * known by its hash.
 */
export const lockfile: Rule = (tree) => {
  const lock = tree.files.find(({ path }) => path === 'package-lock.json')
  if (lock === undefined) return ['package-lock.json is missing']
  const { packages = {} } = JSON.parse(lock.text) as {
    packages?: Record<string, { resolved?: string; integrity?: string; link?: boolean }>
  }
  const entries = Object.entries(packages)
  return [
    ...entries
      .filter(([, { resolved }]) => resolved !== undefined && /^(?:git\+)?(?:https?|ssh|file):/.test(resolved))
      .map(([name, { resolved }]) => `package-lock.json: ${name} is resolved from ${resolved ?? ''}`),
    ...entries
      .filter(
        ([name, { integrity = '', link }]) => name !== '' && link !== true && !/^sha512-[\w+/]{86}==$/.test(integrity),
      )
      .map(([name]) => `package-lock.json: ${name} has no SHA-512 integrity`),
  ]
}
