// A backup of a service under load contains everything acknowledged before it began, and a service can continue from
// it; an incomplete one is refused by the real command line, which leaves nothing behind.
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { PublicKey } from '@solana/web3.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../snapshots/backup/database.ts'
import type { BackupRow } from '../../snapshots/backup/rows.ts'
import type { AuditVerification } from '../../src/cli/audit-report.ts'
import type { BackupReport } from '../../src/cli/backup.ts'
import type { RestoreReport } from '../../src/cli/restore.ts'
import type { VerifyReport } from '../../src/cli/verify.ts'
import { booksOf } from '../crash/audit.ts'
import { until } from '../crash/until.ts'
import { startCommand, type Ended } from '../config/command-line.ts'
import { randomOf } from '../crash/random.ts'
import { newDataDir, startService, type Service } from '../crash/service.ts'
import { refOf } from '../crash/api.ts'
import { idOf, settle, type Setup } from '../crash/setup.ts'
import { anyTransfer, ask, insist, insistAll, isDone, transactionOf, type Transfer } from '../crash/transfer.ts'

const scratch = newDataDir()
const place = (name: string): string => join(scratch, name)
const file = place('under-load.hfb')
const sealedFile = place('sealed.hfb')
const passphrase = place('passphrase')
const random = randomOf(7)

let service: Service
let setup: Setup
let acknowledged: Transfer[]
let backupReport: BackupReport
/** An account whose key is a file. */
let keptAccount: string

async function holdfast(words: readonly string[], environment: Record<string, string> = {}): Promise<Ended> {
  return await startCommand(words, environment).ended
}

async function reportOf<Report>(
  words: readonly string[],
  code = 0,
  environment: Record<string, string> = {},
): Promise<Report> {
  const result = await holdfast([...words, '--json'], environment)
  expect(result.code, `${result.stdout}${result.stderr}`).toBe(code)
  return JSON.parse(result.stdout) as Report
}

const answerOf = ({ answers }: Transfer) => answers.find(({ status }) => status === 201)?.body['onchainId']

/**
 * What was under way when the backup was made is looked up on chain first, and the chain, copied after the store, has
 * transfers that the store knows nothing of: the books are set right in rounds.
 */
async function isAtRest(at: Service): Promise<boolean> {
  const { items } = (await at.api.query('/transactions/bulk/compact', { itemQuery: { limit: 1_000 } })) as unknown as {
    items: readonly { readonly status: string }[]
  }
  if (items.some(({ status }) => ['SIGNED', 'SUBMITTED', 'PROCESSED'].includes(status))) return false
  for (const { onchainId } of setup.positions.flat()) {
    const { value } = await at.connection.getTokenAccountBalance(new PublicKey(onchainId), 'confirmed')
    if ((await booksOf(at, onchainId)).balance !== Number(value.amount)) return false
  }
  for (const feePayer of setup.feePayers) {
    const { offchain } = (await at.api.get('/accounts/single', idOf(feePayer))) as {
      offchain: { lamportsBalance: number }
    }
    if (offchain.lamportsBalance !== (await at.connection.getBalance(new PublicKey(feePayer.onchainId), 'confirmed')))
      return false
  }
  return true
}

beforeAll(async () => {
  writeFileSync(passphrase, 'correct horse battery staple\n')
  service = await startService({ dataDir: place('first') })
  setup = await settle(service)
  keptAccount = refOf(
    await service.api.make('/accounts', { privateKeyDetails: { location: ['SECRETS'] } }),
    'newAccount',
  ).offchainId
  acknowledged = Array.from({ length: 30 }, (_, n) => anyTransfer(setup, random, `before ${n}`))
  await insistAll(service, acknowledged, 10)

  let loading = true
  let sentCount = 0
  const load = Array.from({ length: 8 }, async () => {
    for (; loading; sentCount += 1)
      await ask(service, anyTransfer(setup, random, `during ${sentCount}`)).catch(() => undefined)
  })
  backupReport = await reportOf<BackupReport>(['backup', file, '--data-dir', place('first')])
  await reportOf<BackupReport>(['backup', sealedFile, '--data-dir', place('first'), '--passphrase-file', passphrase])
  loading = false
  await Promise.all(load)
  expect(sentCount).toBeGreaterThan(0)
})

describe('a backup taken under load', () => {
  it('is one private file with a table of contents and without either key in the clear', () => {
    expect(backupReport).toMatchObject({
      running: true,
      encrypted: false,
      chainIncluded: true,
      bytes: statSync(file).size,
    })
    expect(backupReport.rows).toBeGreaterThan(100)
    expect(backupReport.chainRows).toBeGreaterThan(50)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const bytes = readFileSync(file)
    for (const name of ['master.key', 'bootstrap.key']) {
      const key = readFileSync(join(place('first'), name), 'utf8').trim()
      expect(bytes.includes(key)).toBe(false)
      expect(bytes.includes(Buffer.from(key, 'base64'))).toBe(false)
    }
    expect(readdirSync(scratch).filter((name) => name.startsWith('under-load'))).toEqual(['under-load.hfb'])
  })

  it('can be restored, and the restored service answers every earlier request as before', async () => {
    expect(await service.stop()).toBe(0)
    const masterKey = readFileSync(join(place('first'), 'master.key'), 'utf8').trim()
    const restoreReport = await reportOf<RestoreReport>(['restore', file, '--data-dir', place('second')], 0, {
      HOLDFAST_MASTER_KEY: masterKey,
    })
    expect(restoreReport).toMatchObject({
      rows: backupReport.rows,
      chainRows: backupReport.chainRows,
      verified: { whole: true, masterKey: 'ok', problems: [] },
    })
    expect(restoreReport.verified.clusters).toMatchObject([{ cluster: 'CHAIN_DEVNET' }])
    expect(restoreReport.verified.clusters[0]).not.toHaveProperty('notCompared')
    expect(readdirSync(place('second')).sort()).toEqual(['chain', 'secrets', 'store'])
    expect(readdirSync(join(place('second'), 'secrets'))).toEqual([`${keptAccount}.json`])
    expect(backupReport.files).toBe(1)

    for (const name of ['master.key', 'bootstrap.key'])
      copyFileSync(join(place('first'), name), join(place('second'), name))
    const second = await startService({ dataDir: place('second') })
    for (const transfer of acknowledged) {
      const before = answerOf(transfer)
      const replay = await ask(second, transfer)
      expect(replay).toMatchObject({ status: 201, replayed: true, body: { onchainId: before } })
      expect(transactionOf(transfer).onchainId).toBe(before)
    }
    const next = anyTransfer(setup, () => 1, 'after the restore')
    expect(isDone(next, await insist(second, next))).toBe(true)
    await until(
      async () => (await isAtRest(second)) || undefined,
      'nothing is under way, and the books say what the chain says',
    )
    expect(await second.stop()).toBe(0)

    const report = await reportOf<VerifyReport>(['verify', place('second')])
    expect(report).toMatchObject({ whole: true, masterKey: 'ok' })
    expect(report.clusters.every(({ differences }) => differences.length === 0)).toBe(true)
    expect(report.auditRows).toBeGreaterThan(0)
  })

  it('of a stopped service contains the same data', async () => {
    const backup = await reportOf<BackupReport>(['backup', place('stopped.hfb'), '--data-dir', place('second')])
    expect(backup).toMatchObject({
      running: false,
      genesisHashes: backupReport.genesisHashes,
      masterKeyId: backupReport.masterKeyId,
    })
    const report = await reportOf<VerifyReport>(['verify', place('stopped.hfb')])
    expect(report).toMatchObject({ whole: true, problems: [] })
  })
})

describe('a restore', () => {
  const target = place('third')
  const expectRefusal = async (words: readonly string[], code: number, saying: string): Promise<void> => {
    const result = await holdfast(['restore', ...words, '--data-dir', target])
    expect(result).toMatchObject({ code, stdout: '' })
    expect(result.stderr).toContain(saying)
    expect(existsSync(target)).toBe(false)
    expect(readdirSync(scratch).filter((name) => name.startsWith('.'))).toEqual([])
  }
  const changeFile = (name: string, change: (bytes: Buffer) => Buffer): string => {
    writeFileSync(place(name), change(readFileSync(file)))
    return place(name)
  }

  it('refuses a damaged, truncated or missing file', async () => {
    const flipped = changeFile('flipped.hfb', (bytes) => {
      bytes[bytes.length >> 1]! ^= 1
      return bytes
    })
    await expectRefusal([flipped], 65, 'damaged')
    await expectRefusal([changeFile('cut.hfb', (bytes) => bytes.subarray(0, bytes.length - 40))], 65, 'ends too early')
    await expectRefusal([place('nothing.hfb')], 69, 'cannot be read')
  })

  it('refuses an encrypted file without a passphrase, or with a wrong one', async () => {
    await expectRefusal([sealedFile], 65, 'needs its passphrase')
    writeFileSync(place('other'), 'another\n')
    await expectRefusal([sealedFile, '--passphrase-file', place('other')], 65, 'does not open')
  })

  it('fills an empty directory that cannot be replaced, as a mount cannot', async () => {
    const folder = place('volume')
    mkdirSync(join(folder, 'data'), { recursive: true, mode: 0o700 })
    const { ino } = statSync(join(folder, 'data'))
    // Nothing can be created or removed beside it, except by root.
    chmodSync(folder, 0o500)
    const restored = await holdfast(['restore', file, '--data-dir', join(folder, 'data')])
    chmodSync(folder, 0o700)
    expect(restored).toMatchObject({ code: 0, stderr: '' })
    expect(statSync(join(folder, 'data')).ino).toBe(ino)
    expect(readdirSync(folder)).toEqual(['data'])
    expect(readdirSync(join(folder, 'data')).sort()).toEqual(['chain', 'secrets', 'store'])
  })

  it('that fails leaves an empty directory empty', async () => {
    mkdirSync(place('still-empty'))
    expect(await holdfast(['restore', sealedFile, '--data-dir', place('still-empty')])).toMatchObject({ code: 65 })
    expect(readdirSync(place('still-empty'))).toEqual([])
  })

  it('that was killed before its last step leaves no directory that a service starts on', async () => {
    const dataDir = place('killed')
    mkdirSync(join(dataDir, 'secrets'), { recursive: true, mode: 0o700 })
    mkdirSync(join(dataDir, '.restore-abc123', 'store'), { recursive: true })
    const { code, stderr } = await startCommand(['serve'], { HOLDFAST_DATA_DIR: dataDir, HOLDFAST_PORT: '0' }).ended
    expect([code, stderr]).toEqual([65, expect.stringContaining('a restore that has not finished') as string])
    expect(readdirSync(dataDir).sort()).toEqual(['.restore-abc123', 'secrets'])
  })

  it('refuses a directory that is not empty', async () => {
    const result = await holdfast(['restore', file, '--data-dir', place('first')])
    expect(result.code).toBe(73)
    expect(result.stderr).toContain('not empty')
  })
})

describe('verify of a backup file', () => {
  it('reads an encrypted backup, and reports open transactions as possible differences from the chain', async () => {
    const result = await holdfast(['verify', sealedFile, '--passphrase-file', passphrase, '--json'])
    const report = JSON.parse(result.stdout) as VerifyReport
    expect(report).toMatchObject({ whole: true, problems: [] })
    expect(result.code).toBe(report.clusters.some(({ differences }) => differences.length > 0) ? 1 : 0)
  })
})

describe('audit verify of a backup file', () => {
  it('checks the audit log alone, and the balances against the chain with the option for it', async () => {
    const audited = async (...more: readonly string[]) => {
      const { code, stdout } = await holdfast([
        'audit',
        'verify',
        sealedFile,
        '--passphrase-file',
        passphrase,
        '--json',
        ...more,
      ])
      return { code, report: JSON.parse(stdout) as AuditVerification }
    }
    const alone = await audited()
    expect(alone).toMatchObject({ code: 0, report: { ok: true } })
    expect(alone.report).not.toHaveProperty('clusters')
    const { code, report } = await audited('--balances')
    expect(report.ok).toBe(true)
    expect(report.clusters?.map(({ cluster, accounts, notCompared }) => [cluster, accounts > 0, notCompared])).toEqual([
      ['CHAIN_DEVNET', true, undefined],
    ])
    expect(code).toBe(report.clusters!.some(({ differences }) => differences.length > 0) ? 1 : 0)
  })
})

describe('verify of a data directory', () => {
  it('names damaged and missing rows, and exits with 65', async () => {
    const dataDir = place('second')
    const store = await openDatabase(join(dataDir, 'store'), { make: false })
    const rows: BackupRow[] = []
    for await (const row of store.rows()) rows.push(row)
    const record = rows.find(
      ([key, value]) => key.toString().startsWith('r!') && value.toString().startsWith('["position"'),
    )!
    const payload = rows.find(([key]) => key.toString().startsWith('p!'))!
    await store.put(
      [
        [record[0], record[1].subarray(0, record[1].length - 2)],
        [payload[0], Buffer.from('null')],
        [Buffer.from('z!what'), Buffer.from('1')],
      ],
      {
        sync: true,
      },
    )
    await store.close()
    rmSync(join(dataDir, 'secrets', `${keptAccount}.json`))
    writeFileSync(join(dataDir, 'master.key'), `${randomBytes(32).toString('base64')}\n`)
    const { problems, whole } = await reportOf<VerifyReport>(['verify', dataDir], 65)
    expect(whole).toBe(false)
    for (const key of [
      record[0].toString(),
      'z!what',
      `key of account ${keptAccount}`,
      'master key is not the key that seals',
      payload[0].toString().split('!')[3]!,
    ]) {
      expect(problems.some((problem) => problem.includes(key))).toBe(true)
    }

    const backup = await holdfast(['backup', place('damaged.hfb'), '--data-dir', dataDir])
    expect([backup.code, backup.stderr]).toEqual([65, expect.stringContaining('z!what')])
    expect(backup.stderr).toContain(record[0].toString())
    expect(readdirSync(scratch).filter((name) => name.startsWith('damaged'))).toEqual([])
  })

  it('is refused for a directory in use by a service, and for a missing directory', async () => {
    const database = await openDatabase(join(place('first'), 'store'), { make: false })
    expect((await holdfast(['verify', place('first')])).code).toBe(75)
    await database.close()
    expect((await holdfast(['verify', '--data-dir', place('nowhere')])).code).toBe(69)
  })
})
