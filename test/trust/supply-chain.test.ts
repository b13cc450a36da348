// The installation of packages: all in a checkout, production packages in a release, by the lockfile or not at all, and
// without running code of a package. npm is replaced by a script that records its calls; `bash .ci/run` in a fresh
// clone uses the real one.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { allImports } from '../tidy/imports.ts'
import { isProduct, repository } from '../tidy/tree.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const LOCK = JSON.stringify({ packages: { '': {}, 'node_modules/runs': { version: '1.0.0', integrity: 'sha512-a' } } })
const FAKE_NPM = `#!/usr/bin/env node
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
const args = process.argv.slice(2)
appendFileSync('calls', args.join(' ') + '\\n')
if (process.env.NPM_FAILS) {
  console.error('npm error code EUSAGE\\nnpm error\\nnpm error package.json and package-lock.json are not in sync')
  process.exit(7)
}
for (const name of ['runs', ...(args.includes('--omit=dev') ? [] : ['tests'])]) {
  mkdirSync('node_modules/' + name, { recursive: true })
  writeFileSync('node_modules/' + name + '/package.json', '{}')
}
const lock = existsSync('npm-shrinkwrap.json') ? 'npm-shrinkwrap.json' : 'package-lock.json'
writeFileSync('node_modules/.package-lock.json', readFileSync(lock))
`

let root = ''
const path = (name: string): string => join(root, name)

function write(name: string, text: string): void {
  mkdirSync(dirname(path(name)), { recursive: true })
  writeFileSync(path(name), text)
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'holdfast-install-'))
  write(
    'package.json',
    JSON.stringify({ type: 'module', dependencies: { runs: '1.0.0' }, devDependencies: { tests: '1.0.0' } }),
  )
  write('package-lock.json', LOCK)
  write(
    'src/build-client.mjs',
    "import { appendFileSync } from 'node:fs'\nappendFileSync('calls', 'client built\\n')\n",
  )
  write('bin/npm', FAKE_NPM)
  chmodSync(path('bin/npm'), 0o755)
  cpSync(join(ROOT, 'src', 'install.mjs'), path('src/install.mjs'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function install(
  args: readonly string[] = [],
  env: Record<string, string> = {},
): { status: number | null; stderr: string } {
  write('calls', '')
  return spawnSync(process.execPath, [path('src/install.mjs'), ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, PATH: [path('bin'), process.env['PATH']].join(delimiter), ...env },
  })
}
const calls = (): string[] => readFileSync(path('calls'), 'utf8').trim().split('\n').filter(Boolean)
const PRODUCTION = 'ci --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error'
const EVERYTHING = 'ci --include=dev --ignore-scripts --no-audit --no-fund --loglevel=error'

describe('attack 18: the installation at a start', () => {
  it('includes all packages of a checkout, which builds itself, once', () => {
    expect(install([], { NODE_ENV: 'production' }).status).toBe(0)
    expect(calls()).toEqual([EVERYTHING, 'client built'])
    expect(install(['dev']).status).toBe(0)
    expect(calls()).toEqual([])
  })

  it('includes only production packages of a built release', () => {
    write('dist/release.json', '{}')
    renameSync(path('package-lock.json'), path('npm-shrinkwrap.json'))
    expect(install().status).toBe(0)
    expect(calls()).toEqual([PRODUCTION])
    expect(install().status).toBe(0)
    expect(calls()).toEqual([])
  })

  it('is repeated if the lockfile lists something else, not if it is only newer', () => {
    install()
    const laterTime = new Date(Date.now() + 60_000)
    utimesSync(path('package-lock.json'), laterTime, laterTime)
    install()
    expect(calls()).toEqual([])
    write('package-lock.json', LOCK.replace('1.0.0', '1.0.1'))
    utimesSync(path('package-lock.json'), laterTime, laterTime)
    install()
    expect(calls()).toEqual([EVERYTHING, 'client built'])
  })

  it('is complete or none: a failure of npm ci ends it, with the cause', () => {
    const { status, stderr } = install([], { NPM_FAILS: '1' })
    expect(status).toBe(7)
    expect(stderr).toContain('so nothing is started: package.json and package-lock.json are not in sync')
    expect(calls()).toEqual([EVERYTHING])
  })

  it('ends without npm', () => {
    const { status, stderr } = install([], { PATH: path('empty') })
    expect(status).toBe(1)
    expect(stderr).toContain('ENOENT')
  })
})

describe('attack 18: scripts', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }

  it('of packages do not run during the installation', () => {
    expect(readFileSync(join(ROOT, '.npmrc'), 'utf8').split('\n')).toContain('ignore-scripts=true')
  })

  it('of this package install what they need, because npm skips those before and after another', () => {
    const names = Object.keys(scripts)
    expect(
      names.filter((name) => /^(?:pre|post)/.test(name) && names.includes(name.replace(/^(?:pre|post)/, ''))),
    ).toEqual([])
    const production = names.filter((name) => scripts[name]!.startsWith('node src/install.mjs && '))
    expect(production.sort()).toEqual(['localnet', 'start', 'tour'])
    const others = names.filter(
      (name) => !production.includes(name) && !scripts[name]!.startsWith('node src/install.mjs dev && '),
    )
    // These run other scripts first, or run in the installed package.
    expect(others.sort()).toEqual(['check', 'prepare'])
    expect(scripts['check']).toMatch(/^npm run types && /)
  })
})

describe('attack 18: dependencies', () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  ) as {
    dependencies: Record<string, string>
    devDependencies: Record<string, string>
    optionalDependencies: Record<string, string>
  }
  const tree = repository()
  const product = { ...tree, files: tree.files.filter(isProduct) }
  const imported = new Set(
    allImports(product)
      .filter(({ to }) => !/^(?:node:|machines\/|snapshots\/|src\/)/.test(to))
      .map(({ to }) => /^(?:@[^/]+\/)?[^/]+/.exec(to)![0]),
  )

  it('for production are exactly those that the product imports', () => {
    // Packages that build the product, or run it from its sources, are needed in a checkout only.
    for (const tool of ['tsx', 'typescript', 'vite']) {
      expect(imported.delete(tool)).toBe(true)
      expect(Object.keys(devDependencies)).toContain(tool)
    }
    expect([...imported].sort()).toEqual(Object.keys({ ...dependencies, ...optionalDependencies }).sort())
  })
})
