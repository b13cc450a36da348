// The client in another project: linked to a checkout, or as a separate package, imported by plain Node.js, and typed.
import { execFile, execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')
const elsewhere = mkdtempSync(join(tmpdir(), 'holdfast-elsewhere-'))
const run = promisify(execFile)
const PROGRAM = `
  import { holdfast, HoldfastError } from 'holdfast/client'
  const hf = holdfast({ url: process.argv[2], apiKey: 'key' })
  const balance = await hf.post('/accounts/single/balance', { itemData: { code: 'A' } })
  const refused = await hf.post('/accounts', { itemData: {} }).catch((error) => error)
  console.log(JSON.stringify([balance.onchain.amount, refused instanceof HoldfastError, refused.problems[0].code]))
`
let server: Server
const requests: string[] = []

/** A separate project, with these of its packages from here. */
function project(name: string): string {
  const path = join(elsewhere, name)
  mkdirSync(join(path, 'node_modules'), { recursive: true })
  writeFileSync(join(path, 'package.json'), JSON.stringify({ name, type: 'module' }))
  writeFileSync(join(path, 'main.js'), PROGRAM)
  return path
}

beforeAll(async () => {
  // The steps of npm after an install, and before it packs.
  execFileSync(process.execPath, ['src/build-client.mjs'], { cwd: ROOT })
  server = createServer((request, response) => {
    requests.push(`${request.method ?? ''} ${request.url ?? ''} ${typeof request.headers['idempotency-key']}`)
    const isBalance = request.url?.endsWith('/balance') === true
    const problem = { status: 400, errors: [{ code: 'SOMETHING', message: 'no', retryable: false }] }
    response
      .writeHead(isBalance ? 200 : 400, { 'content-type': isBalance ? 'application/json' : 'application/problem+json' })
      .end(isBalance ? '{"onchain":{"amount":12345678901234567.89,"lamports":1}}' : JSON.stringify(problem))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})

afterAll(() => {
  server.close()
  rmSync(elsewhere, { recursive: true, force: true })
})

async function runs(path: string): Promise<void> {
  requests.length = 0
  const { stdout, stderr } = await run(
    process.execPath,
    ['main.js', `http://127.0.0.1:${(server.address() as AddressInfo).port}`],
    {
      cwd: path,
    },
  )
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual(['12345678901234567.89', true, 'SOMETHING'])
  expect(requests).toEqual(['POST /api/v1/accounts/single/balance undefined', 'POST /api/v1/accounts string'])
}

describe('the client in another project', () => {
  it('can be imported from a linked checkout', async () => {
    const path = project('linked')
    symlinkSync(ROOT, join(path, 'node_modules', 'holdfast'))
    await runs(path)
  })

  it('is a small package with two dependencies and without any Solana library', async () => {
    const path = project('packed')
    const packed = execFileSync(
      'npm',
      ['pack', '--ignore-scripts', '--offline', '--json', '--pack-destination', path],
      {
        cwd: join(ROOT, 'dist', 'client'),
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    )
    const [{ filename, files }] = JSON.parse(packed.toString()) as [{ filename: string; files: { path: string }[] }]
    expect(filename).toMatch(/^holdfast-client-/)
    const names = files.map((file) => file.path)
    expect(names).toEqual(
      expect.arrayContaining(['client.js', 'client.d.ts', 'schema.d.ts', 'package.json', 'README.md', 'LICENSE']),
    )
    expect(
      names.filter((name) => !/^[\w-]+(?:\.d)?\.(?:js|ts)$|^(?:package\.json|README\.md|LICENSE)$/.test(name)),
    ).toEqual([])

    const modules = join(path, 'node_modules')
    mkdirSync(join(modules, 'holdfast-client'))
    execFileSync('tar', ['-xzf', join(path, filename), '-C', join(modules, 'holdfast-client'), '--strip-components=1'])
    const installed = withDependencies('holdfast-client', modules)
    expect(Object.keys(manifestOf(modules, 'holdfast-client').dependencies ?? {}).length).toBeLessThan(3)
    expect(installed.filter((name) => name.includes('solana'))).toEqual([])
    expect(sizeOf(modules)).toBeLessThan(MAX_BYTES)
    const imported = names
      .filter((name) => name.endsWith('.js'))
      .flatMap((name) =>
        [...readFileSync(join(modules, 'holdfast-client', name), 'utf8').matchAll(/from ["']([^."'][^"']*)["']/g)].map(
          ([, from = '']) => from,
        ),
      )
    const packages = new Set(imported.filter((from) => !from.startsWith('node:')))
    expect([...packages].sort()).toEqual(Object.keys(manifestOf(modules, 'holdfast-client').dependencies ?? {}).sort())

    writeFileSync(join(path, 'main.js'), PROGRAM.replace('holdfast/client', 'holdfast-client'))
    await runs(path)
    writeFileSync(
      join(path, 'typed.ts'),
      `import { holdfast } from 'holdfast-client'
       const hf = holdfast({ url: '', apiKey: '' })
       const made = await hf.post('/accounts', { itemData: { canPayFees: true } })
       export const id: string = made.newAccount.offchainId
       // @ts-expect-error there is no such path
       await hf.post('/nowhere', {})
       // @ts-expect-error a misspelt member
       await hf.post('/accounts', { itemData: { canPayFee: true } })
      `,
    )
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom']
    const tsc = await run(
      process.execPath,
      [join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'), ...options, 'typed.ts'],
      {
        cwd: path,
      },
    ).catch((error: unknown) => error as { stdout: string })
    expect(tsc.stdout).toBe('')
  })
})

const MAX_BYTES = 5_000_000

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
}

const manifestOf = (modules: string, name: string): Manifest =>
  JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')) as Manifest

/** Copies the dependencies of a package, as an install would, and returns their names. */
function withDependencies(name: string, modules: string): string[] {
  const names = Object.keys(manifestOf(modules, name).dependencies ?? {})
  return [
    name,
    ...names.flatMap((each) => {
      cpSync(join(ROOT, 'node_modules', each), join(modules, each), { recursive: true })
      return withDependencies(each, modules)
    }),
  ]
}

function sizeOf(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return entries.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}
