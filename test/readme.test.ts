// The README and the documents are true: the first transfer and the recipes run as printed, and the tables hold every endpoint, setting
// and exit code.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { ChainReader } from '../src/cli/chain-reader.ts'
import { EXIT_CODES } from '../src/config/exit-codes.ts'
import { DECLARATIONS, PLAYER_KEY } from '../src/config/settings.ts'
import { EVENTS_PATH, STREAM_PATH } from '../src/http/events.ts'
import { LOGO_PATH } from '../src/http/files.ts'
import { WHOAMI_PATH } from '../src/http/whoami.ts'
import { routes } from '../src/http/routes.ts'
import { startProcess, type ServiceProcess } from './cli/service-process.ts'

const ROOT = join(import.meta.dirname, '..')
const README = readFileSync(join(ROOT, 'README.md'), 'utf8')

const documentOf = (name: string): string => readFileSync(join(ROOT, 'src', 'docs', `${name}.md`), 'utf8')

function section(title: string): string {
  const [, text] = README.split(`\n## ${title}\n`)
  if (text === undefined) throw new Error(`the README has no section "${title}"`)
  return text.split('\n## ')[0]!
}

/** What is wrong with the proof of an endpoint: nothing, or a line that says what to do. */
function doubts(endpoint: string, proof: string): string[] {
  const [, file, name] = /^`(test\/[^`]+\.test\.ts)`: (.+)$/.exec(proof) ?? []
  if (file === undefined || name === undefined) {
    return [`${endpoint}: the last column of its row must read \`test/<file>.test.ts\`: <name of the test>`]
  }
  const place = join(import.meta.dirname, '..', file)
  if (!existsSync(place)) return [`${endpoint}: there is no ${file}`]
  const text = readFileSync(place, 'utf8')
  const written = [name, name.replaceAll("'", "\\'")]
  const isThere = written.some((each) => [`'${each}'`, `"${each}"`, `\`${each}\``].some((quoted) => text.includes(quoted)))
  const asked = mentions([text, ...helpersOf(place, text)].join('\n'), endpoint)
  return [
    ...(isThere ? [] : [`${endpoint}: ${file} has no test of the name "${name}"`]),
    ...(asked ? [] : [`${endpoint}: ${file} (with the helpers it imports) does not mention its path`]),
  ]
}

/** The helpers beside a test that it imports: paths are often written there. */
function helpersOf(place: string, text: string): string[] {
  return [...text.matchAll(/from '(\.[^']+\.ts)'/g)]
    .map(([, path = '']) => join(place, '..', path))
    .filter((path) => path.startsWith(import.meta.dirname))
    .map((path) => readFileSync(path, 'utf8'))
}

/** Tests leave out `/api/v1`, and may write the last part beside a constant for the rest. */
function mentions(text: string, endpoint: string): boolean {
  const path = endpoint.slice(endpoint.indexOf('/api/v1') + '/api/v1'.length).replace(/\/\{detail-level\}$/, '')
  const [before, after] = path.split(/\/\{[^}]+\}/)
  if (after !== undefined) return hasPath(text, before ?? '') && text.includes(after)
  const cut = path.lastIndexOf('/')
  return hasPath(text, path) || (cut > 0 && hasPath(text, path.slice(0, cut)) && new RegExp(`['}]${path.slice(cut)}['\`/]`).test(text))
}

function hasPath(text: string, path: string): boolean {
  return new RegExp(`['"\`](?:/api)?(?:/v1)?${path}(?:['"\`?]|/\\$|/[a-z]+['"\`])`).test(text) || text.includes(`/api/v1${path}`)
}

function rows(text: string): string[][] {
  return text.split('\n').filter((line) => line.startsWith('| ')).map((line) => line.split('|').slice(1, -1).map((cell) => cell.trim()))
}

interface Result {
  readonly success: boolean
  readonly status: string
  readonly onchainId: string
}

/** The example with the places of a service that runs. */
function placed(block: string, { url, rpcUrl, ground }: ServiceProcess): string {
  const places = [
    ['http://127.0.0.1:8080', url],
    ['http://127.0.0.1:8899', rpcUrl],
    ['data/bootstrap.key', `${ground.dataDir}/bootstrap.key`],
  ]
  return places.reduce((text, [printed = '', real = '']) => {
    expect(text).toContain(printed)
    return text.replaceAll(printed, real)
  }, block)
}

const blockOf = (language: string): string => new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(section('First transfer'))?.[1] ?? ''

describe('the first transfer', () => {
  const block = blockOf('sh')

  it('is ten lines', () => expect(block.trim().split('\n')).toHaveLength(10))

  it('runs as it is printed', async () => {
    await using service = await startProcess()
    const { stdout, stderr } = await promisify(execFile)('sh', ['-euc', placed(block, service)])
    expect(stderr).toBe('')
    const answers = stdout.trim().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(answers.map((answer) => Object.keys(answer)[0])).toEqual(
      ['jsonrpc', 'newAccount', 'newAccount', 'newAccount', 'newFinancialInstrument', 'success', 'success', 'onchain'])

    const [mint, transfer] = answers.slice(5, 7) as unknown as [Result, Result]
    const chain = new ChainReader(service.rpcUrl)
    for (const { success, status, onchainId } of [mint, transfer]) {
      expect(success).toBe(true)
      expect(['CONFIRMED', 'FINALIZED']).toContain(status)
      await chain.confirmed(onchainId)
    }
    const balance = { amount: 250.25, lamports: 25_025 }
    expect(answers.at(-1)).toMatchObject({ onchain: balance, offchain: balance, outOfBalance: false })
  })

  it('goes on with the recipes, as they are printed', async () => {
    await using service = await startProcess()
    const recipes = /```sh\n([^]*?)```/.exec(documentOf('recipes'))?.[1] ?? ''
    const { stdout, stderr } = await promisify(execFile)('sh', ['-euc', placed(block, service) + recipes.replaceAll('http://127.0.0.1:8080', service.url)])
    expect(stderr).toBe('')
    const answers = stdout.trim().split('\n').slice(8).map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(answers.filter((answer) => 'errors' in answer)).toEqual([])
    expect(answers.filter(({ success }) => success === true)).toHaveLength(3)
    expect(answers).toHaveLength(12)
    expect(JSON.stringify(answers.find((answer) => 'checks' in answer))).toContain('DEBIT_LIMITS')
    expect(answers.find((answer) => 'count' in answer)).toMatchObject({ count: 2, items: [{ balance: { amount: 700 - 0.25 } }, {}] })
  })

  const typed = blockOf('ts')

  it('is ten lines of the client', () => expect(typed.trim().split('\n')).toHaveLength(10))

  it('runs in the client as it is printed', async () => {
    await promisify(execFile)(process.execPath, ['src/build-client.mjs'], { cwd: join(import.meta.dirname, '..') })
    await using service = await startProcess()
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', placed(typed, service)],
      { cwd: join(import.meta.dirname, '..') },
    )
    expect(stderr).toBe('')
    expect(stdout).toContain(`status: 'FINALIZED'`)
    await new ChainReader(service.rpcUrl).confirmed(/onchainId: '(\w+)'/.exec(stdout)?.[1] ?? '')
    for (const side of ['onchain', 'offchain']) expect(stdout).toContain(`${side}: { amount: '250.25', lamports: '25025' }`)
    expect(stdout).toContain('outOfBalance: false')
  })
})

describe('the tables', () => {
  const files = [LOGO_PATH, EVENTS_PATH, STREAM_PATH, WHOAMI_PATH].map((path) => `GET ${path}`)
  const endpoints = [...routes.map(({ method, path }) => `${method} ${path}`), ...files]
  const proofs = rows(documentOf('endpoints')).filter(([endpoint = '']) => /^`(?:GET|POST|PATCH) /.test(endpoint))

  it('name every endpoint, one in a row, and no other', () => {
    expect(proofs.map(([endpoint = '']) => endpoint.slice(1, -1)).sort()).toEqual([...endpoints].sort())
  })

  it('name a test for every endpoint, which is there, in a file that asks it', () => {
    expect(proofs.flatMap(([endpoint = '', , proof = '']) => doubts(endpoint.slice(1, -1), proof))).toEqual([])
  })

  it('name every setting with its default, and no other', () => {
    const named = rows(documentOf('settings')).slice(1).map(([name = '', fallback = '']) => [name, fallback])
    const declared = Object.values(DECLARATIONS).map(({ name, fallback }) => [
      `\`${name}\``, fallback === null ? '' : fallback === '' ? 'empty' : `\`${fallback}\``,
    ])
    expect(named).toEqual([...declared, [`\`${PLAYER_KEY.name}\``, '']])
  })

  it('name every exit code', () => {
    const named = rows(documentOf('operations')).slice(1).map(([code]) => Number(code))
    expect(named).toEqual(Object.values(EXIT_CODES))
  })
})
