// An archive beside a backup: a restore to a point contains everything acknowledged before it and nothing after it,
// including records, keys and the embedded chain, over a crash of the service; and an incomplete or foreign archive is
// refused by name.
import { randomBytes } from 'node:crypto'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { DoctorCheck } from '../../src/cli/doctor.ts'
import type { RestoreReport } from '../../src/cli/restore.ts'
import { startCommand, type Ended } from '../config/command-line.ts'
import { refOf, type Ref } from '../crash/api.ts'
import { randomOf } from '../crash/random.ts'
import { newDataDir, startService, type Service } from '../crash/service.ts'
import { settle, type Setup } from '../crash/setup.ts'
import { anyTransfer, ask, finalStatus, insistAll, transactionOf, type Transfer } from '../crash/transfer.ts'
import { until } from '../crash/until.ts'

const scratch = newDataDir()
const place = (name: string): string => join(scratch, name)
const dir = place('archive')
const key = randomBytes(32).toString('base64')
const settings = { ARCHIVE_DIR: dir, ARCHIVE_KEY: key }
const SECRETS = { privateKeyDetails: { location: ['SECRETS'] } }
const random = randomOf(11)

let service: Service
let setup: Setup
let before: Transfer[]
let after: Transfer[]
/** Accounts whose keys are files, created after the backup. */
const keptRefs: Ref[] = []
let point: number
let masterKey: string

const holdfast = (words: readonly string[], environment: Record<string, string> = {}): Promise<Ended> =>
  startCommand(words, { HOLDFAST_ARCHIVE_KEY: key, HOLDFAST_MASTER_KEY: masterKey, ...environment }).ended

async function restore(name: string, words: readonly string[] = [], file = 'base.hfb'): Promise<RestoreReport> {
  const result = await holdfast([
    'restore',
    place(file),
    '--data-dir',
    place(name),
    '--archive',
    dir,
    '--json',
    ...words,
  ])
  expect(result).toMatchObject({ code: 0, stderr: '' })
  return JSON.parse(result.stdout) as RestoreReport
}

async function finishTransfers(transfers: readonly Transfer[]): Promise<Transfer[]> {
  await insistAll(service, transfers, 10)
  await Promise.all(transfers.map((transfer) => finalStatus(service, transactionOf(transfer))))
  return [...transfers]
}

async function withKey(): Promise<void> {
  keptRefs.push(refOf(await service.api.make('/accounts', SECRETS), 'newAccount'))
}

async function lagIsOver(): Promise<void> {
  await until(async () => {
    const { stdout } = await holdfast(['doctor', '--json', '--data-dir', place('first'), '--least-balance', '0'])
    const { checks } = JSON.parse(stdout) as { checks: DoctorCheck[] }
    const archive = checks.find(({ check }) => check === 'archive')
    expect(archive).toMatchObject({ verdict: 'ok' })
    return archive!.says.includes('is up to date') ? true : undefined
  }, 'the archive has everything')
}

beforeAll(async () => {
  service = await startService({ dataDir: place('first'), settings })
  masterKey = readFileSync(join(place('first'), 'master.key'), 'utf8').trim()
  setup = await settle(service)
  let loading = true
  const load = (name: string): Promise<void>[] =>
    Array.from({ length: 4 }, async (_, hand) => {
      for (let n = 0; loading; n += 1)
        await ask(service, anyTransfer(setup, random, `${name} ${hand} ${n}`)).catch(() => undefined)
    })
  const first = load('first')
  expect(await holdfast(['backup', place('base.hfb'), '--data-dir', place('first')])).toMatchObject({ code: 0 })
  loading = false
  await Promise.all(first)
  // So that the file from before the kill contains what a replay needs.
  await lagIsOver()
  loading = true
  const second = load('second')
  await withKey()
  before = await finishTransfers(Array.from({ length: 10 }, (_, n) => anyTransfer(setup, random, `before ${n}`)))
  await service.killBoth()
  loading = false
  await Promise.all(second)
  service = await startService({ dataDir: place('first'), settings })
  await withKey()
  before.push(
    ...(await finishTransfers(
      Array.from({ length: 10 }, (_, n) => anyTransfer(setup, random, `after the crash ${n}`)),
    )),
  )
  await lagIsOver()
  // Transactions that were open at the kill have ended as well.
  await until(async () => {
    const open = {
      fieldName: 'status',
      filterValues: [{ filterType: 'IN', valuesString: ['SIGNED', 'SUBMITTED', 'PROCESSED', 'CONFIRMED'] }],
    }
    const { count } = await service.api.query('/transactions/bulk/identifiers', {
      itemQuery: { filter: [open], limit: 0 },
    })
    return count === 0 || undefined
  }, 'no transaction is open')
  point = Date.now()
  await new Promise((resolve) => setTimeout(resolve, 5))
  after = await finishTransfers(Array.from({ length: 10 }, (_, n) => anyTransfer(setup, random, `after ${n}`)))
  expect(await service.stop()).toBe(0)
})

describe('the archive', () => {
  it('consists of private files, one line per row, without any key in the clear', () => {
    const names = readdirSync(dir)
    expect(new Set(names.map((name) => name.slice(0, 'holdfast-'.length + 16))).size).toBe(1)
    expect(names.length).toBeGreaterThanOrEqual(2)
    for (const name of names) {
      expect(statSync(join(dir, name)).mode & 0o777).toBe(0o600)
      const bytes = readFileSync(join(dir, name))
      expect(bytes.includes(masterKey)).toBe(false)
      // Encrypted, it reveals nothing of the records.
      expect(bytes.includes(setup.owners[0]!.onchainId)).toBe(false)
    }
  })
})

describe('a restore to a point in time', () => {
  it('contains every commit acknowledged before the point, none after it, and passes verify', async () => {
    const report = await restore('second', ['--until', new Date(point).toISOString()])
    expect(report.replayed!.batches).toBeGreaterThan(20)
    expect(report.verified).toMatchObject({ whole: true, masterKey: 'ok', problems: [] })
    expect(report.verified.clusters).toMatchObject([{ cluster: 'CHAIN_DEVNET', differences: [], openTransactions: 0 }])
    copyFileSync(join(place('first'), 'bootstrap.key'), join(place('second'), 'bootstrap.key'))
    copyFileSync(join(place('first'), 'master.key'), join(place('second'), 'master.key'))
    const second = await startService({ dataDir: place('second') })
    const onchain = async (transfers: readonly Transfer[]): Promise<boolean[]> => {
      const signatures = transfers.map((transfer) => transactionOf(transfer).onchainId)
      const { value } = await second.connection.getSignatureStatuses(signatures, { searchTransactionHistory: true })
      return value.map((status) => status !== null)
    }
    expect(new Set(await onchain(before))).toEqual(new Set([true]))
    expect(new Set(await onchain(after))).toEqual(new Set([false]))
    for (const transfer of before) {
      const { onchainId } = transactionOf(transfer)
      expect(await ask(second, transfer)).toMatchObject({ status: 201, replayed: true, body: { onchainId } })
    }
    for (const transfer of after) {
      const { offchainId } = transactionOf(transfer)
      const answer = await second.api.send('POST', '/transactions/single', { offchainId })
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ code: 'TRANSACTION_NOT_FOUND' }] } })
    }
    for (const account of keptRefs) {
      const exported = await second.api.get('/accounts/single/private-key', account)
      expect(exported['privateKeyDetails']).toMatchObject({ location: ['SECRETS'], publickKey: account.onchainId })
    }
    expect(await second.stop()).toBe(0)
  })

  it('up to an event includes the whole unit of work that wrote the event', async () => {
    const fullReport = await restore('third')
    const { SYSTEM: last } = fullReport.verified.lastEvents as { SYSTEM: number }
    const report = await restore('fourth', ['--until', `SYSTEM:${last - 4}`])
    expect(report.verified).toMatchObject({ whole: true })
    expect(report.verified.lastEvents['SYSTEM']).toBeGreaterThanOrEqual(last - 4)
    expect(report.replayed!.sequence).toBeLessThan(fullReport.replayed!.sequence)
    for (const name of ['bootstrap.key', 'master.key'])
      copyFileSync(join(place('first'), name), join(place('third'), name))
  })

  it('up to the last event of the backup is the backup, and an earlier event is refused', async () => {
    const { stdout } = await holdfast(['restore', place('base.hfb'), '--data-dir', place('base'), '--json'])
    const { SYSTEM: last } = (JSON.parse(stdout) as RestoreReport).verified.lastEvents as { SYSTEM: number }
    const report = await restore('sixth', ['--until', `SYSTEM:${last}`])
    expect(report.replayed).toMatchObject({ batches: 0 })
    expect(report.verified).toMatchObject({ whole: true, lastEvents: { SYSTEM: last } })
    for (const event of [1, 1 + (last >> 1)]) {
      const words = ['--data-dir', place('seventh'), '--archive', dir, '--until', `SYSTEM:${event}`]
      const { code, stderr } = await holdfast(['restore', place('base.hfb'), ...words])
      expect([code, stderr]).toEqual([65, expect.stringMatching(/contains event \d+ of SYSTEM, .*an earlier backup/)])
    }
    expect(existsSync(place('seventh'))).toBe(false)
  })
})

describe('the replay of an archive is refused', () => {
  const target = place('never')
  const expectRefusal = async (
    saying: string | RegExp,
    words: readonly string[],
    environment = {},
    file = 'base.hfb',
    code = 65,
  ): Promise<void> => {
    const result = await holdfast(['restore', place(file), '--data-dir', target, ...words], environment)
    expect(result.stderr).toMatch(saying)
    expect(result).toMatchObject({ code, stdout: '' })
    expect(existsSync(target)).toBe(false)
    expect(readdirSync(scratch).filter((name) => name.startsWith('.'))).toEqual([])
  }
  /** A damaged copy of the archive. */
  const spoilt = (name: string, spoil: (files: string[]) => void): string[] => {
    cpSync(dir, place(name), { recursive: true })
    spoil(
      readdirSync(place(name))
        .sort()
        .map((file) => join(place(name), file)),
    )
    return ['--archive', place(name)]
  }
  const flip = (path: string): void => {
    const bytes = readFileSync(path)
    bytes[bytes.length >> 1]! ^= 1
    writeFileSync(path, bytes)
  }

  it('if a file is damaged, truncated or missing', async () => {
    await expectRefusal(
      /damaged/,
      spoilt('flipped', (files) => flip(files.at(-1)!)),
    )
    await expectRefusal(
      /batches \d+ to \d+ .*are missing from the archive \(.*damaged/,
      spoilt('torn', ([first]) => flip(first!)),
    )
    const truncate = ([first]: string[]): void =>
      writeFileSync(first!, readFileSync(first!).subarray(0, statSync(first!).size >> 1))
    await expectRefusal(/batches \d+ to \d+ .*are missing/, spoilt('cut', truncate))
    await expectRefusal(
      /starts after the backup/,
      spoilt('headless', ([first]) => rmSync(first!)),
    )
  })

  it('without its key, or with another key', async () => {
    const other = randomBytes(32).toString('base64')
    await expectRefusal(/does not open/, ['--archive', dir], { HOLDFAST_ARCHIVE_KEY: other })
    const result = await startCommand(['restore', place('base.hfb'), '--data-dir', target, '--archive', dir], {}).ended
    expect(result).toMatchObject({ code: 65, stderr: expect.stringContaining('needs its key') as string })
  })

  it('for a point before the backup or after the end of the archive', async () => {
    await expectRefusal(/use an earlier backup/, ['--archive', dir, '--until', '2020-01-01T00:00:00Z'])
    await expectRefusal(/does not reach .*: it ends with batch \d+ of 20/, [
      '--archive',
      dir,
      '--until',
      '2099-01-01T00:00:00Z',
    ])
    await expectRefusal(/does not reach event 999999 of SYSTEM/, ['--archive', dir, '--until', 'SYSTEM:999999'])
    await expectRefusal(
      /a time with a time zone/,
      ['--archive', dir, '--until', '2026-11-22T10:30:15'],
      {},
      'base.hfb',
      64,
    )
    await expectRefusal(/requires an archive/, ['--until', '2099-01-01T00:00:00Z'], {}, 'base.hfb', 64)
  })

  it('for a backup of another store, or of a store without an archive', async () => {
    mkdirSync(place('empty'))
    await expectRefusal(/contains no archive/, ['--archive', place('empty')])
    // The restored store has a new history: first without an archive, then with its own.
    expect(await holdfast(['backup', place('none.hfb'), '--data-dir', place('third')])).toMatchObject({ code: 0 })
    await expectRefusal(/made without an archive/, ['--archive', dir], {}, 'none.hfb')
    const others = spoilt('others', () => undefined)
    const other = await startService({ dataDir: place('third'), settings })
    expect(await holdfast(['backup', place('other.hfb'), '--data-dir', place('third')])).toMatchObject({ code: 0 })
    expect(await other.stop()).toBe(0)
    await restore('fifth', [], 'other.hfb')
    // Nothing was written since the archive began, so the backup has no change with a time in the archive.
    await expectRefusal(/use an earlier backup/, ['--archive', dir, '--until', '2020-01-01T00:00:00Z'], {}, 'other.hfb')
    await expectRefusal(/does not contain archive [0-9a-f]{16}, .*it contains [0-9a-f]{16}$/m, others, {}, 'other.hfb')
  })
})
