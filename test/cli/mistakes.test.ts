// Mistakes of an operator at the command line, each with the exit code and the sentence that name it: files that are
// not there, servers that are another, output that cannot be written, and commands that are stopped.
import { mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateApiKey } from '../../src/keys/api-key.ts'
import { builtMain, startCommand, type Ended } from '../config/command-line.ts'
import { apiOf } from '../crash/api.ts'
import { startProcess, type ServiceProcess } from './service-process.ts'

const scratch = mkdtempSync(join(tmpdir(), 'holdfast-mistakes-'))
const at = (name: string): string => join(scratch, name)
let service: ServiceProcess

const holdfast = (words: readonly string[], more: Record<string, string> = {}): Promise<Ended> =>
  startCommand(words, { ...service.fixture.environment, ...more }).ended

beforeAll(async () => {
  service = await startProcess()
  mkdirSync(at('folder.csv'))
  writeFileSync(at('accounts.csv'), 'offchainReferences.code,canPayFees\nONE,false\nTWO,\n')
  writeFileSync(at('other.key'), `${generateApiKey().apiKey}\n`)
  writeFileSync(at('two-lines.key'), 'not\na key\n')
  expect(await holdfast(['backup', at('whole.hfb')])).toMatchObject({ code: 0 })
})

afterAll(async () => {
  await service[Symbol.asyncDispose]()
  rmSync(scratch, { recursive: true, force: true })
})

/** The one line that the command prints before it ends with `code`. */
async function refused(words: readonly string[], code: number, more: Record<string, string> = {}): Promise<string> {
  const ended = await holdfast(words, more)
  expect({ ...ended, lines: ended.stderr.trim().split('\n').length }, words.join(' ')).toMatchObject({ code, lines: 1 })
  expect(ended.stdout).toBe('')
  return ended.stderr
}

describe('a file that is not there, or is a folder', { concurrent: true }, () => {
  it.each([
    ['import', 'accounts'],
    ['import', 'counterparties'],
  ])('is named by %s %s', async (...words) => {
    expect(await refused([...words, at('none.csv')], 69)).toContain(`${at('none.csv')} cannot be read`)
    expect(await refused([...words, at('folder.csv')], 65)).toContain(`${at('folder.csv')} is a folder`)
  })

  it('is named by restore, which leaves nothing behind', async () => {
    expect(await refused(['restore', at('none.hfb'), '--data-dir', at('new')], 69)).toContain('cannot be read')
    expect(await refused(['restore', at('folder.csv'), '--data-dir', at('new')], 65)).toContain('is a folder')
    expect(readdirSync(scratch).filter((name) => name.includes('new'))).toEqual([])
  })

  it('is named as the data directory, by every command that opens one', async () => {
    const file = at('accounts.csv')
    const commands = [['verify'], ['audit', 'verify'], ['export', '--records'], ['backup', at('x.hfb')]]
    for (const words of [...commands, ['clock', 'reset'], ['sandbox', 'reset', '--yes'], ['keys', 'rotate-master']])
      expect(await refused([...words, '--data-dir', file], 65), words.join(' ')).toContain('must be a directory')
  })

  it('that has no store is refused by a rotation of the master key, which makes none', async () => {
    const empty = at('empty')
    mkdirSync(empty)
    const keys = {
      HOLDFAST_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
      HOLDFAST_MASTER_KEY_NEXT: Buffer.alloc(32, 2).toString('base64'),
    }
    const { code, stdout, stderr } = await startCommand(['keys', 'rotate-master', '--data-dir', empty], keys).ended
    expect([code, stdout]).toEqual([69, ''])
    expect(stderr).toContain(`${empty} contains no store`)
    expect(readdirSync(empty)).toEqual([])
  })

  it('is no place for a backup', async () => {
    expect(await refused(['backup', join(at('accounts.csv'), 'x.hfb')], 73)).toContain('is not a folder')
  })
})

describe('a server that is not Holdfast', () => {
  it('is not taken for one that has done the work', async () => {
    // The embedded chain answers each POST with 200.
    const there = ['--url', service.rpcUrl]
    for (const words of [
      ['import', 'accounts', at('accounts.csv')],
      ['keys', 'list'],
      ['orgs', 'create', 'X', '--name', 'X'],
    ])
      expect(await refused([...words, ...there], 69)).toContain(`what answers at ${service.rpcUrl} is not Holdfast`)
  })

  it('is not asked for if the URL is none', async () => {
    for (const url of ['nonsense', 'ftp://127.0.0.1', 'http://'])
      expect(await refused(['keys', 'list', '--url', url], 64)).toContain('must be a URL')
  })
})

describe('an API key', () => {
  it('that the service does not accept ends an import at once', async () => {
    const words = ['import', 'accounts', at('accounts.csv'), '--api-key-file']
    expect(await refused([...words, at('other.key')], 1)).toContain('does not accept the API key: CREDENTIALS_INVALID')
    expect(await refused([...words, at('two-lines.key')], 64)).toContain(`${at('two-lines.key')} contains no API key`)
    expect(await refused([...words, at('none.key')], 64)).toContain(`${at('none.key')} cannot be read`)
  })

  it('of the audit log that is malformed is not taken for a change of the log', async () => {
    const { code, stderr } = await holdfast(['audit', 'verify', at('whole.hfb'), '--public-key', 'abc'])
    expect({ code, stderr }).toEqual({
      code: 64,
      stderr: expect.stringContaining('a public key of 32 bytes') as string,
    })
  })
})

describe('output that cannot be written', () => {
  const run = (words: readonly string[], stdout: number): Promise<{ code: number | null; stderr: string }> =>
    new Promise((resolve) => {
      const env = { ...process.env, ...service.fixture.environment }
      const child = spawn(process.execPath, [builtMain(), ...words], { env, stdio: ['ignore', stdout, 'pipe'] })
      let stderr = ''
      child.stderr!.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
      child.once('close', (code) => resolve({ code, stderr }))
    })

  it.runIf(process.platform === 'linux')('fails the command: an API key is printed once', async () => {
    const full = openSync('/dev/full', 'w')
    for (const words of [
      ['keys', 'create', '--org', 'SYSTEM', '--name', 'lost', '--bundle', 'VIEWER'],
      ['export', '--records'],
    ])
      expect(await run(words, full)).toEqual({
        code: 74,
        stderr: expect.stringMatching(/^holdfast: the output could not be written: ENOSPC.*\n$/) as string,
      })
  })

  it.each([
    ['backup', ['backup', 'large.hfb'], 'large.hfb cannot be written'],
    ['restore', ['restore', 'whole.hfb', '--data-dir', 'restored'], '.restored-'],
  ])('is named by %s, which leaves nothing of it behind', (_command, words, named) => {
    const before = readdirSync(scratch)
    const program = ['--norc', '-c', 'ulimit -f 1; exec "$@"', 'bash', process.execPath, builtMain(), ...words]
    const env = { ...process.env, ...service.fixture.environment }
    const { status, stderr } = spawnSync('bash', program, { cwd: scratch, env, encoding: 'utf8' })
    expect([status, stderr]).toEqual([74, expect.stringContaining(named)])
    expect(readdirSync(scratch)).toEqual(before)
  })

  it('does not end a command whose reader has seen enough', async () => {
    const { child, ended } = startCommand(['tour'], service.fixture.environment)
    child.stdout.destroy()
    expect(await ended).toMatchObject({ stderr: '', code: 0 })
  })
})

describe('--after', () => {
  it('of records, which have no sequence, is refused', async () => {
    expect(await refused(['export', '--records', '--after', '5'], 64)).toContain('--after')
  })
})

describe('a command that a signal ends', () => {
  /** A backup that does not end: the command has made its copy, and waits for the rest. */
  async function stopped(words: readonly string[], signal: 'SIGINT' | 'SIGTERM'): Promise<string[]> {
    const temp = mkdtempSync(at('temp-'))
    const fifo = join(temp, 'endless')
    execFileSync('mkfifo', [fifo])
    const environment = { ...service.fixture.environment, TMPDIR: temp }
    const { child, ended } = startCommand(
      words.map((word) => word.replace('FIFO', fifo).replace('TEMP', temp)),
      environment,
    )
    const writer = openSync(fifo, 'r+')
    writeFileSync(writer, readFileSync(at('whole.hfb')).subarray(0, 100))
    while (readdirSync(temp).length < 2 && child.exitCode === null)
      await new Promise((resolve) => setTimeout(resolve, 20))
    child.kill(signal)
    await ended
    expect(child.signalCode).toBe(signal)
    return readdirSync(temp)
  }

  it.each([
    ['verify', ['verify', 'FIFO'], 'SIGINT'],
    ['audit verify', ['audit', 'verify', 'FIFO'], 'SIGTERM'],
    ['restore', ['restore', 'FIFO', '--data-dir', 'TEMP/new'], 'SIGTERM'],
  ] as const)('%s leaves no copy of a backup behind', async (_, words, signal) => {
    expect(await stopped(words, signal)).toEqual(['endless'])
  })
})

const lines = (name: string, rows: readonly string[]): string => {
  writeFileSync(at(name), `${rows.join('\n')}\n`)
  return at(name)
}

describe('the operation of a batch', () => {
  const importBatch = (file: string, ...words: readonly string[]): Promise<Ended> =>
    holdfast(['import', 'batch', file, ...words])

  it('is that of every row of the file, or of the option', async () => {
    const csv = lines('batch.csv', [
      'operation,offchainReferences.code',
      'CREATE_ACCOUNT,BATCH-1',
      'CREATE_ACCOUNT,BATCH-2',
    ])
    expect(await importBatch(csv)).toMatchObject({ code: 0, stdout: '2 of 2 items are done\n' })
    // The same file is the same batch, in both forms of the command.
    const again = await importBatch(csv, '--operation', 'CREATE_ACCOUNT')
    expect([again.code, again.stdout.includes('was imported before')]).toEqual([0, true])
    const jsonl = lines('batch.jsonl', ['{"operation":"CREATE_ACCOUNT","comments":"one"}'])
    expect(await importBatch(jsonl)).toMatchObject({ code: 0, stdout: '1 of 1 items are done\n' })
    const bare = lines('bare.jsonl', ['{"comments":"two"}'])
    expect(await importBatch(bare, '--operation', 'CREATE_ACCOUNT')).toMatchObject({ code: 0 })
  })

  it('that is missing, or not the same everywhere, is named with file, line and rule', async () => {
    const some = lines('some-rows.csv', ['operation,comments', 'CREATE_ACCOUNT,one', ',two'])
    const mixed = lines('mixed.csv', ['operation,comments', 'FREEZE,one', 'FREEZE,two', 'UNFREEZE,three'])
    const none = lines('no-operation.jsonl', ['', '{"comments":"one"}'])
    const number = lines('number.jsonl', ['{"operation":7}'])
    const one = lines('one.csv', ['operation,comments', 'FREEZE,one'])
    for (const [words, message] of [
      [[none], `${none}: line 2: \`operation\` is required in every row, or --operation`],
      [[some], `${some}: line 3: \`operation\` is required in every row, or --operation`],
      [[mixed], `${mixed}: line 4: \`operation\` is UNFREEZE, and FREEZE in line 2: a batch has one operation`],
      [[number], `${number}: line 1: \`operation\` must be a string`],
      [
        [one, '--operation', 'BURN'],
        `${one}: line 2: \`operation\` is FREEZE, and --operation is BURN: both must agree`,
      ],
      [
        [mixed, '--operation', 'FREEZE'],
        `${mixed}: line 4: \`operation\` is UNFREEZE, and --operation is FREEZE: both must agree`,
      ],
    ] as const)
      expect(await refused(['import', 'batch', ...words], 64)).toContain(message)
  })
})

describe('counterparties', () => {
  it('without an address are listed if the cell is empty, and refused without the column', async () => {
    const listed = lines('some.csv', ['name,status,address,label', 'None yet,REVIEW,,', 'Also none,BLOCKED,,'])
    expect(await holdfast(['import', 'counterparties', listed])).toMatchObject({
      code: 0,
      stdout: '2 of 2 items are done\n',
    })
    const forgotten = lines('none.csv', ['name,status', 'Forgotten,BLOCKED'])
    const refused = await holdfast(['import', 'counterparties', forgotten])
    expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('line 2: addresses: REQUIRED') as string })
  })

  it('that wait for the approval of a policy are not done before it', async () => {
    const key = readFileSync(join(service.fixture.dataDir, 'bootstrap.key'), 'utf8').trim()
    const api = apiOf(service.url, key)
    const made = (name: string): Promise<{ keyId: string; apiKey: string }> =>
      api.make('/admin/api-keys', { organizationExternalId: 'SYSTEM', name, bundle: 'ADMIN' }) as never
    const { keyId, apiKey } = await made('approver')
    await api.make('/approval-policies', {
      operations: ['COUNTERPARTIES'],
      approvers: [keyId],
      requiredApproversCount: 1,
    })
    const file = lines('waits.csv', ['name,status,address', 'Waits,ALLOWED,'])
    const waiting = await holdfast(['import', 'counterparties', file])
    const [, change] = /^line 2: PENDING: .*pending change ([0-9a-f-]{36})\n0 of 1 items are done\n$/.exec(
      waiting.stdout,
    )!
    expect(waiting.code).toBe(1)
    await apiOf(service.url, apiKey).make('/pending-changes/approve', { offchainId: change })
    const again = await holdfast(['import', 'counterparties', file])
    expect(again).toMatchObject({ code: 0, stdout: '1 of 1 items are done\n' })
  })
})
