// A packed release: it starts at once with production packages, without a build and without build tools, and the client
// is a separate small package. `npm run package` packs both.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshFixture } from '../cli/free-ports.ts'

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies?: object
  readonly scripts: Readonly<Record<string, string>>
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly optional?: boolean }>>
}

const ROOT = join(import.meta.dirname, '..', '..')
const TOOLS = /^(?:vite|rolldown|lightningcss|typescript|tsx|esbuild|vitest|eslint|playwright-core)$/
const place = mkdtempSync(join(tmpdir(), 'holdfast-release-'))
const service = join(place, 'service')
const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))

beforeAll(() => {
  const output = execFileSync(process.execPath, ['src/pack.mjs', place], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  expect(output).toMatch(/^holdfast-[\d.]+\.tgz \d+\nholdfast-client-[\d.]+\.tgz \d+\n$/)
  const archive = readdirSync(place).find((name) => /^holdfast-\d/.test(name))!
  mkdirSync(service)
  execFileSync('tar', ['-xzf', join(place, archive), '-C', service, '--strip-components=1'])
}, 600_000)
afterAll(() => rmSync(place, { recursive: true, force: true }))

/** As `npm ci --omit=dev` leaves them: the packages of its lockfile. */
function installProduction(): string[] {
  const paths = Object.keys((read(join(service, 'npm-shrinkwrap.json')) as Lock).packages).filter((path) =>
    /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path),
  )
  const existing = paths.filter((path) => existsSync(join(ROOT, path)))
  for (const path of existing) {
    mkdirSync(join(service, dirname(path)), { recursive: true })
    symlinkSync(join(ROOT, path), join(service, path))
  }
  return existing.map((path) => path.replace('node_modules/', ''))
}

/** Of the installed packages, as far as they are files. */
function sizeOf(folder: string): number {
  const isOwn = (path: string): boolean => !path.slice(folder.length).includes('node_modules')
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isOwn(entry.parentPath))
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}

/** The largest number of packages that an install on one platform has, and their bytes. */
const MOST = { packages: 260, bytes: 150_000_000 }

describe('a release', () => {
  it('installs few packages, at half the size of a checkout, and no library for tests', () => {
    const { packages } = read(join(service, 'npm-shrinkwrap.json')) as Lock
    const all = (read(join(ROOT, 'package-lock.json')) as Lock).packages
    const existingPaths = (paths: object): string[] =>
      Object.keys(paths).filter((path) => path !== '' && existsSync(join(ROOT, path)))
    const bytes = (paths: readonly string[]): number => paths.reduce((sum, path) => sum + sizeOf(join(ROOT, path)), 0)
    const [installed, checkout] = [existingPaths(packages), existingPaths(all)]
    expect(installed.length).toBeLessThan(MOST.packages)
    expect(bytes(installed)).toBeLessThan(MOST.bytes)
    expect(bytes(installed)).toBeLessThan(bytes(checkout) / 2)
    // Its native dependency is unmaintained and has an open advisory: src/docs/architecture.md.
    expect(installed.filter((path) => /spl-token|bigint-buffer/.test(path))).toEqual([])
  })

  it('contains no tool in its packages, scripts or lockfile', () => {
    const { dependencies, devDependencies, scripts } = read(join(service, 'package.json')) as Manifest
    expect([devDependencies, Object.keys(dependencies).filter((name) => TOOLS.test(name))]).toEqual([undefined, []])
    expect(Object.keys(scripts).sort()).toEqual(['localnet', 'start', 'tour'])
    const { packages } = read(join(service, 'npm-shrinkwrap.json')) as Lock
    expect(Object.values(packages).filter(({ dev }) => dev === true)).toEqual([])
    expect(Object.keys(packages).filter((path) => TOOLS.test(path.replace(/^.*node_modules\//, '')))).toEqual([])
    expect(Object.keys(packages).length).toBeGreaterThan(100)
  })

  it('starts without a build, and serves its pages at once', async () => {
    const installed = installProduction()
    expect(installed.filter((name) => TOOLS.test(name))).toEqual([])
    const builtFiles = readdirSync(join(service, 'dist')).sort()
    using fixture = await freshFixture()
    const environment = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !name.startsWith('HOLDFAST_')),
    )
    const child = spawn(process.execPath, [join(service, 'src', 'holdfast.mjs'), 'serve'], {
      env: { ...environment, ...fixture.environment },
    })
    const closing = new Promise((resolve) => child.once('close', resolve))
    try {
      const ready = new Promise<void>((resolve, reject) => {
        let output = ''
        child.stdout.on('data', (chunk: Buffer) => {
          if ((output += chunk.toString()).includes('holdfast ready')) resolve()
        })
        child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
        child.once('close', () => reject(new Error(output)))
      })
      await ready
      for (const path of ['/', '/console', '/docs', '/docs/reference', '/docs/licences', '/openapi.json']) {
        expect([path, (await fetch(`http://127.0.0.1:${fixture.port}${path}`)).status]).toEqual([path, 200])
      }
      expect(readdirSync(join(service, 'dist')).sort()).toEqual(builtFiles)
    } finally {
      child.kill('SIGTERM')
      await closing
    }
  }, 600_000)
})

it('a checkout without build tools is refused with the command that installs them', () => {
  const root = mkdtempSync(join(tmpdir(), 'holdfast-toolless-'))
  try {
    mkdirSync(join(root, 'src'))
    for (const name of ['build.mjs', 'holdfast.mjs'])
      execFileSync('cp', [join(ROOT, 'src', name), join(root, 'src', name)])
    for (const name of ['machines', 'snapshots']) mkdirSync(join(root, name))
    const startUnbuilt = (): unknown =>
      execFileSync(process.execPath, [join(root, 'src', 'holdfast.mjs')], { stdio: 'pipe' })
    expect(startUnbuilt).toThrow('is not built and has no tools to build it: run `npm start`')
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})
