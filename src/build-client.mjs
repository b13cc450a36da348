// Builds the client for other programs, in plain Node.js or a bundler: JavaScript and type declarations, file by file,
// in `dist/client`, which is a package of its own: `holdfast-client`. Runs after an install (src/install.mjs), with
// `npm run client` and with `npm run package`. The declarations need the TypeScript compiler; the JavaScript does not.
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const SOURCES = join(ROOT, 'src', 'client')
/** What the client imports: `test/client/package.test.ts` compares. */
const DEPENDENCIES = ['lossless-json', 'openapi-fetch']
const PLACE = join(ROOT, 'dist', 'client')

/** Rewrites imports to the names of the built modules. */
const named = (text) =>
  text.replace(/(from '\.\/[\w-]+)(?:\.d)?\.ts'/g, "$1.js'").replace(/(from "\.\/[\w-]+)(?:\.d)?\.ts"/g, '$1.js"')

/**
 * Types are not checked here: `npm run check` does that. Throws when a file cannot be transformed, or declared in
 * isolation.
 */
async function build() {
  const { transformWithOxc } = await import('vite')
  const declare = await declarations()
  mkdirSync(PLACE, { recursive: true })
  for (const name of readdirSync(SOURCES).filter((each) => each.endsWith('.ts'))) {
    const text = readFileSync(join(SOURCES, name), 'utf8')
    const [, stem = '', kind] = /^(.*?)(\.d)?\.ts$/.exec(name) ?? []
    if (kind === '.d') {
      put(name, text)
      continue
    }
    if (declare !== null) put(`${stem}.d.ts`, named(declare(name, text)))
    put(`${stem}.js`, named((await transformWithOxc(text, name, { target: 'es2022', sourcemap: false })).code))
  }
  putPackage()
  if (declare === null)
    console.error('holdfast: the client is built without its types, for the TypeScript compiler is not installed')
}

/** Generates the declarations of a file; null without the compiler. */
async function declarations() {
  const ts = await import('typescript').then(
    (module) => module.default,
    (error) => {
      if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
      return null
    },
  )
  if (ts === null) return null
  const compilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    verbatimModuleSyntax: true,
    isolatedDeclarations: true,
    declaration: true,
    strict: true,
  }
  return (fileName, text) => {
    const { outputText, diagnostics = [] } = ts.transpileDeclaration(text, {
      fileName,
      compilerOptions,
      reportDiagnostics: true,
    })
    if (diagnostics.length > 0)
      throw new Error(`src/client/${fileName}: ${ts.flattenDiagnosticMessageText(diagnostics[0].messageText, ' ')}`)
    return outputText
  }
}

/** Dependencies with the versions of the project; nothing of Solana is among them. */
function putPackage() {
  const { version, license, engines, dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const entry = { types: './client.d.ts', default: './client.js' }
  const manifest = {
    name: 'holdfast-client',
    version,
    description: 'Client of the Holdfast asset platform: typed calls, exact amounts, safe repetition',
    license,
    type: 'module',
    engines,
    files: ['*.js', '*.d.ts'],
    exports: { '.': entry, './client': entry },
    dependencies: Object.fromEntries(DEPENDENCIES.map((name) => [name, dependencies[name]])),
  }
  put('package.json', `${JSON.stringify(manifest, null, 2)}\n`)
  put('README.md', readFileSync(join(ROOT, 'src', 'docs', 'client.md'), 'utf8'))
  put('LICENSE', readFileSync(join(ROOT, 'LICENSE'), 'utf8'))
}

/** Writes atomically: concurrent builds never read half a file. */
function put(name, text) {
  const draft = join(PLACE, `.${name}.${process.pid}`)
  writeFileSync(draft, text)
  renameSync(draft, join(PLACE, name))
}

await build()
