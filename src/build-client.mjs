// Makes the client what any program can import, in plain Node.js or for a bundler: JavaScript and its types, file by file, in `dist/client`.
// npm runs it after an install and before it packs (`prepare`). Where only what the service needs is installed there is no compiler, and the
// client cannot be imported from elsewhere.
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const SOURCES = join(ROOT, 'src', 'client')
const PLACE = join(ROOT, 'dist', 'client')

/** Modules are found under the names they have here. */
const named = (text) => text.replace(/(from '\.\/[\w-]+)(?:\.d)?\.ts'/g, "$1.js'").replace(/(from "\.\/[\w-]+)(?:\.d)?\.ts"/g, '$1.js"')

/** Types are not checked here: `npm run check` does that. Errors: what cannot be declared file by file. */
async function build() {
  const { default: ts } = await import('typescript')
  const options = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    verbatimModuleSyntax: true,
    isolatedDeclarations: true,
    declaration: true,
    strict: true,
  }
  mkdirSync(PLACE, { recursive: true })
  for (const name of readdirSync(SOURCES)) {
    const text = readFileSync(join(SOURCES, name), 'utf8')
    const [, stem = '', kind] = /^(.*?)(\.d)?\.ts$/.exec(name) ?? []
    if (kind === '.d') {
      put(name, text)
      continue
    }
    const { outputText, diagnostics = [] } = ts.transpileDeclaration(text, {
      fileName: name,
      compilerOptions: options,
      reportDiagnostics: true,
    })
    if (diagnostics.length > 0) throw new Error(`src/client/${name}: ${ts.flattenDiagnosticMessageText(diagnostics[0].messageText, ' ')}`)
    put(`${stem}.d.ts`, named(outputText))
    put(`${stem}.js`, named(ts.transpileModule(text, { fileName: name, compilerOptions: options }).outputText))
  }
}

/** In one step: programs that build at once never meet half a file. */
function put(name, text) {
  const draft = join(PLACE, `.${name}.${process.pid}`)
  writeFileSync(draft, text)
  renameSync(draft, join(PLACE, name))
}

await build().catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  console.error('holdfast: the client is not built, for the TypeScript compiler is not installed')
})
