// The README says what is there: its first transfer runs as printed, and its tables hold every endpoint, setting and exit code.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { ChainReader } from '../src/cli/chain-reader.ts'
import { EXIT_CODES } from '../src/config/exit-codes.ts'
import { DECLARATIONS, PLAYER_KEY } from '../src/config/settings.ts'
import { EVENTS_PATH, STREAM_PATH } from '../src/http/events.ts'
import { LOGO_PATH } from '../src/http/files.ts'
import { routes } from '../src/http/routes.ts'
import { startProcess } from './cli/service-process.ts'

const README = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8')

function section(title: string): string {
  const [, text] = README.split(`\n## ${title}\n`)
  if (text === undefined) throw new Error(`the README has no section "${title}"`)
  return text.split('\n## ')[0]!
}

function rows(text: string): string[][] {
  return text.split('\n').filter((line) => line.startsWith('| ')).map((line) => line.split('|').slice(1, -1).map((cell) => cell.trim()))
}

interface Result {
  readonly success: boolean
  readonly status: string
  readonly onchainId: string
}

describe('the first transfer', () => {
  const block = /```sh\n([^]*?)```/.exec(section('First transfer'))?.[1] ?? ''

  it('is ten lines', () => expect(block.trim().split('\n')).toHaveLength(10))

  it('runs as it is printed', async () => {
    await using service = await startProcess()
    const { dataDir } = service.ground
    const places = [
      ['http://127.0.0.1:8080', service.url],
      ['http://127.0.0.1:8899', service.rpcUrl],
      ['data/bootstrap.key', `${dataDir}/bootstrap.key`],
    ]
    const script = places.reduce((text, [printed = '', real = '']) => {
      expect(text).toContain(printed)
      return text.replaceAll(printed, real)
    }, block)
    const { stdout, stderr } = await promisify(execFile)('sh', ['-euc', script])
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
})

describe('the tables', () => {
  it('name every endpoint, and no other', () => {
    const named = rows(section('Endpoints of this release')).flatMap(([cell = '']) => cell.match(/(?:GET|POST|PATCH) \/[^`]*/g) ?? [])
    expect([...named].sort()).toEqual([...routes.map(({ method, path }) => `${method} ${path}`), ...[LOGO_PATH, EVENTS_PATH, STREAM_PATH].map((path) => `GET ${path}`)].sort())
  })

  it('name every setting with its default, and no other', () => {
    const named = rows(section('Settings')).slice(1).map(([name = '', fallback = '']) => [name, fallback])
    const declared = Object.values(DECLARATIONS).map(({ name, fallback }) => [
      `\`${name}\``, fallback === null ? '' : fallback === '' ? 'empty' : `\`${fallback}\``,
    ])
    expect(named).toEqual([...declared, [`\`${PLAYER_KEY.name}\``, '']])
  })

  it('name every exit code', () => {
    const named = rows(section('Operations')).slice(1).map(([code]) => Number(code))
    expect(named).toEqual(Object.values(EXIT_CODES))
  })
})
