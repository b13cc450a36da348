// One process with two threads and two cells on LevelDB: payments within cells and across them, a fee payer in another
// cell, switches, and SIGKILL under load; then back to one cell.
import { randomUUID } from 'node:crypto'
import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PublicKey } from '@solana/web3.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { startCommand } from '../config/command-line.ts'
import { apiOf, type Answer, type Ref } from './api.ts'
import { run } from './process.ts'
import { ALWAYS, setFaults } from '../chain-faults.ts'
import { newDataDir, startService } from './service.ts'
import {
  repeatUntilDecided,
  runCommand,
  FEE,
  holdfast,
  insist,
  lamportsOf,
  openFixture,
  pay,
  SETTINGS,
  startThreads,
  THREADS,
  untilReserved,
  type Payment,
  type Tenant,
  type Threads,
  type Fixture,
} from './threads-fixture.ts'
import { until } from './until.ts'

const ROUNDS = 3
const SIZE = 60
const LAMPORTS = 1_000_000

let fixture: Fixture
let service: Threads

const codeOf = ({ status, body }: Awaited<ReturnType<typeof pay>>): string =>
  `${status} ${(body['errors'] as readonly { code: string }[] | undefined)?.[0]?.code ?? ''}`
const decisionAt = async (url: string, payment: Payment): Promise<string> => codeOf(await insist(() => url, payment))
/** The state of the transaction in its own cell. */
async function stateOf(from: Tenant, answer: Answer): Promise<unknown> {
  const { offchainId } = answer.body
  return (await apiOf(service.urls[0]!, from.key).get('/transactions/single', { offchainId }))['status']
}
const onChain = ({ onchainId }: Ref) => service.connection.getBalance(new PublicKey(onchainId), 'confirmed')
const payment = (from: Tenant, to: Ref): Payment => ({ key: randomUUID(), from, to, lamports: LAMPORTS })

async function booksEqualChain(key: string, account: Ref): Promise<void> {
  for (const url of service.urls)
    await until(
      async () => (await lamportsOf(apiOf(url, key), account)) === (await onChain(account)) || undefined,
      'the books are equal to the chain',
    )
}

beforeAll(async () => {
  fixture = await openFixture()
  const { dataDir } = fixture
  expect((await holdfast(dataDir, 'cells', 'move', 'ACME', 'red')).stderr).toContain('there is no cell red')
  await runCommand(dataDir, 'cells', 'create', 'red')
  await runCommand(dataDir, 'cells', 'move', 'ACME', 'red')
  expect(JSON.parse(await runCommand(dataDir, 'cells', 'list', '--json'))).toEqual({
    cells: [
      { cell: 'main', tenants: 2 },
      { cell: 'red', tenants: 1 },
    ],
  })
  service = await startThreads(dataDir)
})

describe('two threads with one cell each', () => {
  it('both serve every tenant, and pay within and across cells with the fee payer of one', async () => {
    const { acme, bank, payer } = fixture
    expect(service.urls.length).toBe(2)
    const before = await onChain(payer)
    const payments = [payment(acme, acme.destination), payment(acme, bank.destination), payment(bank, acme.destination)]
    for (const url of service.urls)
      for (const each of payments) expect(await decisionAt(url, { ...each, key: each.key + url })).toBe('201 ')
    expect(before - (await onChain(payer))).toBe(payments.length * service.urls.length * FEE)
    expect(await onChain(acme.destination)).toBe(4_000_000)
    for (const { key, source, destination } of [acme, bank]) {
      await booksEqualChain(key, source)
      await booksEqualChain(key, destination)
    }
    await booksEqualChain(fixture.systemKey, payer)
  })

  it('refuse what SYSTEM has switched off in every cell once the switch is answered', async () => {
    const { acme, bank, systemKey } = fixture
    for (const [at, url] of service.urls.entries()) {
      const system = apiOf(url, systemKey)
      const response = await repeatUntilDecided(() => system.send('PATCH', '/admin/freeze', {}))
      expect(response.status, JSON.stringify(response.body)).toBe(200)
      const other = service.urls[1 - at]!
      // Everything is frozen, including the fee payer of SYSTEM.
      for (const tenant of [acme, bank])
        expect(await decisionAt(other, payment(tenant, acme.destination))).toBe('400 FEE_PAYER_REQUIRED')
      expect((await repeatUntilDecided(() => system.send('PATCH', '/admin/unfreeze', {}))).status).toBe(200)
      for (const tenant of [acme, bank]) expect(await decisionAt(other, payment(tenant, acme.destination))).toBe('201 ')
    }
  })

  it('let SYSTEM act on records of another cell without naming the organization', async () => {
    const { acme, bank, systemKey } = fixture
    for (const url of service.urls) {
      const system = apiOf(url, systemKey)
      const account = { onchainId: acme.source.onchainId }
      expect((await repeatUntilDecided(() => system.send('PATCH', '/admin/freeze', { account }))).status).toBe(200)
      for (const each of service.urls)
        expect(await decisionAt(each, payment(acme, bank.destination))).toMatch(/^40[03] .*FROZEN/)
      expect((await repeatUntilDecided(() => system.send('PATCH', '/admin/unfreeze', { account }))).status).toBe(200)
      expect(await decisionAt(url, payment(acme, bank.destination))).toBe('201 ')
      const headers = { 'idempotency-key': randomUUID() }
      const itemData = { externalId: 'ACME', name: `ACME by ${url}` }
      const first = await system.send('PATCH', '/admin/organizations', itemData, { headers })
      const replay = await system.send('PATCH', '/admin/organizations', itemData, { headers })
      expect([first.status, replay.status, replay.replayed, replay.body]).toEqual([200, 200, true, first.body])
    }
  })

  it(`execute each payment of ${ROUNDS} bursts of ${SIZE} once, with a kill in every burst`, async () => {
    const { acme, bank, payer, dataDir } = fixture
    const pairs = [
      [acme, acme.destination],
      [acme, bank.destination],
      [bank, acme.destination],
      [bank, bank.destination],
    ] as const
    for (const { key, source } of [acme, bank]) await booksEqualChain(key, source)
    const before = {
      payer: await onChain(payer),
      acme: await onChain(acme.destination),
      bank: await onChain(bank.destination),
    }
    let replayed = 0
    const answers: [Tenant, Answer][] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      let answerCount = 0
      let release = (): void => undefined
      const gate = new Promise<void>((resolve) => (release = resolve))
      const all = Array.from({ length: SIZE }, async (_, at) => {
        const [from, to] = pairs[at % pairs.length]!
        await (at < SIZE - pairs.length ? sleep(at * 15) : gate)
        const answer = await insist(() => service.urls[at % 2]!, payment(from, to))
        answerCount += 1
        if (answer.replayed) replayed += 1
        expect(codeOf(answer)).toBe('201 ')
        answers.push([from, answer])
      })
      await until(() => answerCount > 5 + round || undefined, 'some are answered')
      // The last ones are durable and unanswered at the kill, even if all others have been answered by then.
      await setFaults(service.rpcUrl, { dropRequests: { sendTransaction: ALWAYS } })
      release()
      for (const tenant of [acme, bank]) await untilReserved(service.urls[0]!, tenant, 2 * LAMPORTS)
      await service.killBoth()
      service = await startThreads(dataDir)
      await Promise.all(all)
    }
    expect(replayed, 'payments that were durable when their answer was lost').toBeGreaterThan(0)
    const each = (ROUNDS * SIZE) / 2
    for (const [from, answer] of answers)
      await until(
        async () => (await stateOf(from, answer)) === 'FINALIZED' || undefined,
        () => `a payment is not final: ${JSON.stringify(answer.body)}`,
      )
    expect((await onChain(acme.destination)) - before.acme).toBe(each * LAMPORTS)
    expect((await onChain(bank.destination)) - before.bank).toBe(each * LAMPORTS)
    expect(before.payer - (await onChain(payer))).toBe(ROUNDS * SIZE * FEE)
    for (const { key, source, destination } of [acme, bank]) {
      await booksEqualChain(key, source)
      await booksEqualChain(key, destination)
    }
    await booksEqualChain(fixture.systemKey, payer)
  })
})

describe('a data directory with two cells', () => {
  it('is refused by its commands while the service runs, and by the commands that support only one cell', async () => {
    const { dataDir } = fixture
    const file = join(newDataDir(), 'backup.hfb')
    const commands = [
      ['backup', file],
      ['verify'],
      ['export', '--records'],
      ['cells', 'create', 'blue'],
      ['cells', 'list'],
    ]
    for (const words of commands) {
      const { code, stdout, stderr } = await holdfast(dataDir, ...words)
      expect([words[0], code, stdout, stderr]).toEqual([words[0], 75, '', expect.stringContaining('stop it first')])
    }
    expect(existsSync(file)).toBe(false)
    const another = run({ dataDir, settings: THREADS })
    expect(await another.ended).toBe(75)
    expect(await service.stop()).toBe(0)
    for (const words of [
      ['keys', 'rotate-master'],
      ['clock', 'reset'],
      ['sandbox', 'reset', '--yes'],
    ]) {
      const { code, stderr } = await holdfast(dataDir, ...words)
      expect([words[0], code, stderr]).toEqual([words[0], 78, expect.stringContaining('works with one cell only')])
    }
  })

  it('is exported, verified and backed up as a whole, and restored into one cell', async () => {
    const { acme, bank, dataDir } = fixture
    const exported = await runCommand(dataDir, 'export', '--records')
    for (const { source } of [acme, bank]) expect(exported).toContain(source.offchainId)
    const file = join(newDataDir(), 'backup.hfb')
    await runCommand(dataDir, 'verify')
    await runCommand(dataDir, 'backup', file)
    const restoredDir = join(newDataDir(), 'restored')
    const masterKey = join(dataDir, 'master.key')
    const { code, stderr } = await startCommand(['restore', file], {
      HOLDFAST_DATA_DIR: restoredDir,
      HOLDFAST_PLAYERS: '',
      HOLDFAST_MASTER_KEY_FILE: masterKey,
    }).ended
    expect(code, stderr).toBe(0)
    expect(await runCommand(restoredDir, 'export', '--records')).toBe(exported)
    copyFileSync(masterKey, join(restoredDir, 'master.key'))
    copyFileSync(join(dataDir, 'bootstrap.key'), join(restoredDir, 'bootstrap.key'))
    const alone = await startService({ dataDir: restoredDir, settings: SETTINGS })
    for (const from of [acme, bank]) expect(codeOf(await pay(alone.url, payment(from, acme.destination)))).toBe('201 ')
    expect(await alone.stop()).toBe(0)
    await runCommand(restoredDir, 'verify')
  })

  it('is refused by a service with one thread until all tenants are in the cell main', async () => {
    const { acme, dataDir } = fixture
    const program = run({ dataDir, settings: SETTINGS })
    expect(await program.ended).toBe(78)
    expect(program.lines.join('\n')).toContain('the cell red has tenants, as ACME')
    expect((await holdfast(dataDir, 'cells', 'move', 'SYSTEM', 'red')).code).toBe(64)
    await runCommand(dataDir, 'cells', 'move', 'ACME', 'main')
    const alone = await startService({ dataDir, settings: SETTINGS })
    expect(existsSync(join(dataDir, 'cells'))).toBe(false)
    expect(codeOf(await pay(alone.url, payment(acme, acme.destination)))).toBe('201 ')
    expect(await alone.stop()).toBe(0)
    await runCommand(dataDir, 'verify')
  })
})
