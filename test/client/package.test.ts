// The client as another project has it: linked to a checkout or unpacked from what `npm pack` makes, imported by plain Node.js, and typed.
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
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
const asked: string[] = []

/** A project of its own, with these of its packages from here. */
function project(name: string): string {
  const path = join(elsewhere, name)
  mkdirSync(join(path, 'node_modules'), { recursive: true })
  writeFileSync(join(path, 'package.json'), JSON.stringify({ name, type: 'module' }))
  writeFileSync(join(path, 'main.js'), PROGRAM)
  return path
}

beforeAll(async () => {
  // What npm does after an install, and before it packs.
  execFileSync(process.execPath, ['src/build-client.mjs'], { cwd: ROOT })
  server = createServer((request, response) => {
    asked.push(`${request.method ?? ''} ${request.url ?? ''} ${typeof request.headers['idempotency-key']}`)
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
  asked.length = 0
  const { stdout, stderr } = await run(process.execPath, ['main.js', `http://127.0.0.1:${(server.address() as AddressInfo).port}`], {
    cwd: path,
  })
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual(['12345678901234567.89', true, 'SOMETHING'])
  expect(asked).toEqual(['POST /api/v1/accounts/single/balance undefined', 'POST /api/v1/accounts string'])
}

describe('the client in another project', () => {
  it('is imported from a linked checkout', async () => {
    const path = project('linked')
    symlinkSync(ROOT, join(path, 'node_modules', 'holdfast'))
    await runs(path)
  })

  it('is imported, and typed, from what npm packs', async () => {
    const path = project('packed')
    const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--offline', '--json', '--pack-destination', path], { cwd: ROOT })
    const [{ filename, files }] = JSON.parse(packed.toString()) as [{ filename: string; files: { path: string }[] }]
    const paths = files.map((file) => file.path)
    expect(paths).toEqual(expect.arrayContaining(['dist/client/client.js', 'dist/client/client.d.ts', 'src/holdfast.mjs', 'README.md']))
    expect(paths.filter((each) => !/^(?:dist\/client|machines|snapshots|src)\/|^(?:LICENSE|README\.md|package\.json)$/.test(each))).toEqual(
      [],
    )
    const place = join(path, 'node_modules', 'holdfast')
    mkdirSync(place)
    execFileSync('tar', ['-xzf', join(path, filename), '-C', place, '--strip-components=1'])
    for (const name of ['openapi-fetch', 'lossless-json']) symlinkSync(join(ROOT, 'node_modules', name), join(path, 'node_modules', name))
    await runs(path)

    writeFileSync(
      join(path, 'typed.ts'),
      `import { holdfast } from 'holdfast/client'
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
    const tsc = await run(process.execPath, [join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'), ...options, 'typed.ts'], {
      cwd: path,
    }).catch((error: unknown) => error as { stdout: string })
    expect(tsc.stdout).toBe('')
  })
})
