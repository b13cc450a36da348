// The README and the documents are true: the first transfer and the recipes run as printed, and the tables hold every
// endpoint, setting and exit code.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ChainReader } from '../src/cli/chain-reader.ts'
import { EXIT_CODES } from '../src/config/exit-codes.ts'
import { DECLARATIONS, PLAYER_KEY } from '../src/config/settings.ts'
import { EVENTS_PATH, STREAM_PATH } from '../src/http/events.ts'
import { LOGO_PATH } from '../src/http/files.ts'
import { SIGNER_ANSWERS_PATH } from '../src/http/signer-answers.ts'
import { WHOAMI_PATH } from '../src/http/whoami.ts'
import { routes } from '../src/http/routes.ts'
import { startProcess, type ServiceProcess } from './cli/service-process.ts'
import { startCommand } from './config/command-line.ts'

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
  const spellings = [name, name.replaceAll("'", "\\'")]
  const isThere = spellings.some((each) =>
    [`'${each}'`, `"${each}"`, `\`${each}\``].some((quoted) => text.includes(quoted)),
  )
  const isMentioned = mentions([text, ...helpersOf(place, text)].join('\n'), endpoint)
  return [
    ...(isThere ? [] : [`${endpoint}: ${file} has no test of the name "${name}"`]),
    ...(isMentioned ? [] : [`${endpoint}: ${file} (with the helpers it imports) does not mention its path`]),
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
  const lastSlash = path.lastIndexOf('/')
  return (
    hasPath(text, path) ||
    (lastSlash > 0 &&
      hasPath(text, path.slice(0, lastSlash)) &&
      new RegExp(`['}]${path.slice(lastSlash)}['\`/]`).test(text))
  )
}

function hasPath(text: string, path: string): boolean {
  return (
    new RegExp(`['"\`](?:/api)?(?:/v1)?${path}(?:['"\`?]|/\\$|/[a-z]+['"\`])`).test(text) ||
    text.includes(`/api/v1${path}`)
  )
}

function rows(text: string): string[][] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
}

interface Result {
  readonly success: boolean
  readonly status: string
  readonly onchainId: string
}

/** The example with the places of a service that runs. */
function withUrls(block: string, { url, rpcUrl, fixture }: ServiceProcess): string {
  return [
    ['http://127.0.0.1:8080', url],
    ['http://127.0.0.1:8899', rpcUrl],
    ['data/bootstrap.key', `${fixture.dataDir}/bootstrap.key`],
  ].reduce((text, [printed = '', real = '']) => text.replaceAll(printed, real), block)
}

const blocksOf = (text: string): readonly (readonly [language: string, code: string])[] =>
  [...text.matchAll(/^```(sh|ts|js)\n([^]*?)^```$/gm)].map(([, language = '', code = '']) => [language, code])
const blockOf = (language: string): string =>
  blocksOf(section('First transfer')).find(([each]) => each === language)?.[1] ?? ''
const RECIPES = blocksOf(documentOf('recipes'))[0]?.[1] ?? ''
const [, FIRST] = /^npx tsx (\S+)$/m.exec(section('First transfer')) ?? []

const answersIn = (stdout: string): Record<string, unknown>[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

/**
 * Runs shell lines as they are printed.
 *
 * @param folder the directory of the service
 */
async function shell(code: string, folder: string): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)('sh', ['-euc', code], { cwd: folder })
  // npm warns of settings of the machine.
  expect(
    stderr
      .split('\n')
      .filter((line) => !line.startsWith('npm warn'))
      .join('\n'),
  ).toBe('')
  return stdout
}

async function checkTransfer(answers: Record<string, unknown>[], service: ServiceProcess): Promise<void> {
  expect(answers.map((answer) => Object.keys(answer)[0])).toEqual([
    'jsonrpc',
    'newAccount',
    'newAccount',
    'newAccount',
    'newFinancialInstrument',
    'success',
    'success',
    'onchain',
  ])
  const [mint, transfer] = answers.slice(5, 7) as unknown as [Result, Result]
  const chain = new ChainReader(service.rpcUrl)
  for (const { success, status, onchainId } of [mint, transfer]) {
    expect(success).toBe(true)
    expect(['CONFIRMED', 'FINALIZED']).toContain(status)
    await chain.confirmed(onchainId)
  }
  const balance = { amount: 250.25, lamports: 25_025 }
  expect(answers.at(-1)).toMatchObject({ onchain: balance, offchain: balance, outOfBalance: false })
}

async function checkTyped(stdout: string, service: ServiceProcess): Promise<void> {
  expect(stdout).toContain(`status: 'FINALIZED'`)
  await new ChainReader(service.rpcUrl).confirmed(/onchainId: '(\w+)'/.exec(stdout)?.[1] ?? '')
  for (const side of ['onchain', 'offchain'])
    expect(stdout).toContain(`${side}: { amount: '250.25', lamports: '25025' }`)
  expect(stdout).toContain('outOfBalance: false')
}

function checkRecipes(answers: Record<string, unknown>[]): void {
  expect(answers.filter((answer) => 'errors' in answer)).toEqual([])
  expect(answers.filter(({ success }) => success === true)).toHaveLength(3)
  expect(answers).toHaveLength(12)
  expect(JSON.stringify(answers.find((answer) => 'checks' in answer))).toContain('DEBIT_LIMITS')
}

describe('the code blocks of the README, executed in order on one service', () => {
  const blocks = blocksOf(README)
  // Below the checkout, where `holdfast/client` is found.
  const folder = join(ROOT, 'dist', `readme-${process.pid}`)
  let service: ServiceProcess

  beforeAll(async () => {
    mkdirSync(folder, { recursive: true })
    await promisify(execFile)(process.execPath, ['src/build-client.mjs'], { cwd: ROOT })
    service = await startProcess()
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  it('start the service with the tour, run the first transfer, and repeat it with the client and its command', () => {
    expect(blocks.map(([language]) => language)).toEqual(['sh', 'sh', 'ts', 'sh'])
    expect(blocks[0]![1].split('\n').map((line) => line.split('  ')[0])).toEqual(['npm start', 'npm run tour', ''])
    expect(FIRST).toMatch(/\.mts$/)
    for (const [, code] of blocks.slice(1, 3)) expect(code.trim().split('\n')).toHaveLength(10)
    const places = ['http://127.0.0.1:8080', 'http://127.0.0.1:8899', 'data/bootstrap.key']
    for (const place of places) for (const [, code] of blocks.slice(1, 3)) expect(code).toContain(place)
  })

  it('all succeed, and so do the recipes after them', async () => {
    const tour = await startCommand(['tour'], service.fixture.environment).ended
    expect([tour.code, tour.stdout]).toEqual([0, expect.stringContaining('already running')])
    for (const [language, code] of blocks.slice(1)) {
      if (language === 'ts') writeFileSync(join(folder, FIRST!), withUrls(code, service))
      else if (code.trim() === `npx tsx ${FIRST!}`) await checkTyped(await shell(code, folder), service)
      else await checkTransfer(answersIn(await shell(withUrls(code, service), folder)), service)
    }
    // In a shell of their own: the recipes carry the helpers they use.
    checkRecipes(answersIn(await shell(withUrls(RECIPES, service), folder)))
  }, 600_000)

  it('begin at the printed address, whose page links the console and the documentation', async () => {
    const page = await (await fetch(service.url)).text()
    for (const path of ['/console', '/docs', '/docs/reference']) expect(page).toContain(`<a href="${path}">`)
  })
})

describe('the first transfer', () => {
  it('runs on a new service without the tour, and so do the recipes after it', async () => {
    await using service = await startProcess()
    await checkTransfer(answersIn(await shell(withUrls(blockOf('sh'), service), ROOT)), service)
    const answers = answersIn(await shell(withUrls(RECIPES, service), ROOT))
    checkRecipes(answers)
    expect(answers.find((answer) => 'count' in answer)).toMatchObject({
      count: 2,
      items: [{ balance: { amount: 700 - 0.25 } }, {}],
    })
  })
})

describe('the tables', () => {
  const files = [LOGO_PATH, EVENTS_PATH, STREAM_PATH, WHOAMI_PATH].map((path) => `GET ${path}`)
  const callbackEndpoint = `POST ${SIGNER_ANSWERS_PATH}`
  const endpoints = [...routes.map(({ method, path }) => `${method} ${path}`), ...files, callbackEndpoint]
  const proofs = rows(documentOf('endpoints')).filter(([endpoint = '']) => /^`(?:GET|POST|PATCH) /.test(endpoint))

  it('name exactly the endpoints, one per row', () => {
    expect(proofs.map(([endpoint = '']) => endpoint.slice(1, -1)).sort()).toEqual([...endpoints].sort())
  })

  it('name for every endpoint an existing test that calls it', () => {
    expect(proofs.flatMap(([endpoint = '', , proof = '']) => doubts(endpoint.slice(1, -1), proof))).toEqual([])
  })

  it('name exactly the settings, with their defaults', () => {
    const listedSettings = rows(documentOf('settings'))
      .slice(1)
      .map(([name = '', fallback = '']) => [name, fallback])
    const declared = Object.values(DECLARATIONS).map(({ name, fallback }) => [
      `\`${name}\``,
      fallback === null ? '' : fallback === '' ? 'empty' : `\`${fallback}\``,
    ])
    expect(listedSettings).toEqual([...declared, [`\`${PLAYER_KEY.name}\``, '']])
  })

  it('name every exit code', () => {
    const listedCodes = rows(documentOf('operations'))
      .slice(1)
      .map(([code]) => Number(code))
    expect(listedCodes).toEqual(Object.values(EXIT_CODES))
  })
})
