// Rotation of the master key on a store that can be cut off at any commit: with either key at a start, everything can
// be decrypted, and in the end only the new key is needed.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { orderRotation, readRotation } from '../../src/config/rotation-file.ts'
import { prepareDataDir } from '../../src/config/secrets.ts'
import { loadSettings } from '../../src/config/settings.ts'
import { generateKeypair } from '../../src/keys/keypair.ts'
import { openAccountKeys, type KeyRows, type OpenedKeys } from '../../src/keys/open.ts'
import { AUDIT_KEY } from '../../src/keys/service-keys.ts'
import { checkpointSigner } from '../../src/operations/admin/checkpoint-key.ts'
import { makePlayerKey, readPlayerKey } from '../../src/keys/players/key-file.ts'
import { MasterKey } from '../../src/keys/master-key.ts'
import { toEnvelope } from '../../src/engine/records/codec.ts'
import { account } from '../machines/records.ts'
import { openStore } from '../../snapshots/level-store.ts'
import type { Store } from '../../snapshots/store.ts'

const [OLD, NEW, OTHER] = [1, 2, 3].map((each) => Buffer.alloc(32, each)) as [Buffer, Buffer, Buffer]
const CLUSTER = 'CHAIN_DEVNET'
let dataDir: string
let log: { info: (fields: object, message: string) => void; warn: (fields: object, message: string) => void }
let logLines: string[]

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'holdfast-rotation-'))
  prepareDataDir(dataDir)
  logLines = []
  const say = (_fields: object, message: string): void => void logLines.push(message)
  log = { info: say, warn: say }
})
afterEach(() => rmSync(dataDir, { recursive: true }))

type Run = Omit<OpenedKeys, 'close'> & { readonly store: Store; close(): Promise<void> }

/** `null`: the key of the file. */
async function start(
  key: Buffer | null,
  cutAfter = Infinity,
  afterPage: () => Promise<void> = () => Promise.resolve(),
): Promise<Run> {
  const store = await openStore({ path: join(dataDir, 'store'), onFatal: (error) => void logLines.push(error.message) })
  let commits = 0
  const rows: KeyRows = {
    epoch: store.epoch,
    commit: (parts) => {
      commits += 1
      return commits > cutAfter ? Promise.reject(new Error('cut off')) : store.commit(parts)
    },
    settle: (...given) => store.settle(...given),
    fetch: (keys) => store.fetch(keys),
    async *load(tenant) {
      for await (const page of store.load(tenant)) {
        yield page
        await afterPage()
      }
    },
    tenants: () => store.tenants(),
    meta: (name) => store.meta(name),
    secret: (...place) => store.secret(...place),
  }
  const settings = loadSettings({
    HOLDFAST_DATA_DIR: dataDir,
    ...(key === null ? {} : { HOLDFAST_MASTER_KEY: key.toString('base64') }),
  })
  try {
    return { ...(await openAccountKeys(settings, rows, log)), store, close: () => store.close() }
  } catch (error) {
    await store.close()
    throw error
  }
}

const places = Array.from({ length: 3 }, (_, index) => {
  const pair = generateKeypair()
  return { pair, place: { tenant: 'ACME', cluster: CLUSTER, id: `id-${index}`, address: pair.address } }
})
const inFolder = { pair: generateKeypair(), id: 'in-folder' }
const folderPlace = { tenant: 'ACME', cluster: CLUSTER, id: inFolder.id, address: inFolder.pair.address }
const playerKeyPath = (): string => join(dataDir, 'players', 'P1.key')

/** With the names of its members, as an earlier release wrote it, or as this one does. */
function contextOf(id: string, address: string): object {
  const { organization, references, lamports } = account
  if (id === places[0]!.place.id) return { address, organization, references, lamports, keyLocation: ['DATABASE'] }
  const state = { kind: 'account', tenant: 'ACME', cluster: CLUSTER, id, revision: 1, value: 'active' } as const
  const context = toEnvelope({ ...state, context: { ...account, address } }).context as object
  expect(context).toBeInstanceOf(Array)
  return context
}

async function furnish(key: Buffer): Promise<string> {
  const run = await start(key)
  const { keys, store, webhookSecrets } = run
  const envelope = (kind: string, id: string, context: object) =>
    ({
      type: 'record',
      envelope: { kind, version: 1, revision: 1, tenant: 'ACME', cluster: CLUSTER, id, value: 'active', context },
    }) as const
  const inFolderKey = await keys.make({ location: 'SECRETS', privateKey: inFolder.pair.privateKeyText() })
  const rows = [
    ...places.map(({ pair, place }) => ({
      kind: 'account',
      ...place,
      row: keys.import(pair.privateKeyText()).seal(place),
    })),
    { kind: 'account', ...folderPlace, row: inFolderKey.seal(folderPlace) },
    {
      kind: 'webhook',
      id: 'hook',
      address: '',
      row: webhookSecrets.seal({ tenant: 'ACME', cluster: CLUSTER, id: 'hook' }, [{ secret: 'whsec_x', until: null }]),
    },
  ]
  const ops = rows.flatMap(({ kind, id, address, row }) => [
    envelope(kind, id, contextOf(id, address)),
    { type: 'secret', tenant: 'ACME', cluster: CLUSTER, id, row } as const,
  ])
  await store.commit([{ tenant: 'ACME', epoch: 1, ops }])
  await checkpointSigner(store, keys)
  prepareDataDir(join(dataDir, 'players'))
  const playerKey = makePlayerKey(new MasterKey(key), playerKeyPath()).toString('hex')
  await run.close()
  return playerKey
}

function expectAllOpen({ keys, store, webhookSecrets }: Run): void {
  for (const { place } of places) expect(keys.signerFor(place)?.address).toBe(place.address)
  expect(keys.signerFor(folderPlace)?.address).toBe(folderPlace.address)
  const hook = { tenant: 'ACME', cluster: CLUSTER, id: 'hook' }
  expect(webhookSecrets.open(hook, store.secret('ACME', CLUSTER, 'hook'))).toEqual([{ secret: 'whsec_x', until: null }])
  const { addressFact, ...audit } = AUDIT_KEY
  const address = store.meta(addressFact) as string
  expect(keys.signerFor({ ...audit, address })?.address).toBe(address)
}

test('can be interrupted anywhere and resumed with either key, and ends with the new key only', async () => {
  const playerKey = await furnish(OLD)
  expect(orderRotation(dataDir, OLD, NEW)).toBe(true)
  expect(orderRotation(dataDir, OLD, OTHER)).toBe(false)
  for (let cutAfter = 1; readRotation(dataDir)?.outcome === 'open'; cutAfter += 1) {
    expect(cutAfter).toBeLessThan(20)
    for (const key of [OLD, NEW]) {
      if (readRotation(dataDir)?.outcome !== 'open') break
      const run = await start(key, cutAfter)
      expectAllOpen(run)
      await run.rotation.run().catch((error: unknown) => expect(String(error)).toContain('cut off'))
      expectAllOpen(run)
      await run.close()
    }
  }
  expect(readRotation(dataDir)).toMatchObject({ outcome: 'done' })
  // A key that is a setting is written nowhere: beside the data it would open all of it.
  expect(readdirSync(dataDir).sort()).toEqual(['master.rotation', 'players', 'secrets', 'store'])
  const lateRun = await start(OLD)
  expectAllOpen(lateRun)
  expect(logLines.some((line) => line.includes('HOLDFAST_MASTER_KEY is to be the new one'))).toBe(true)
  await lateRun.close()
  const fresh = await start(NEW)
  expectAllOpen(fresh)
  expect(readPlayerKey(new MasterKey(NEW), playerKeyPath())?.toString('hex')).toBe(playerKey)
  await fresh.close()
  // From the first start with the new key on, the old one decrypts nothing, including the rotation file.
  expect(readRotation(dataDir)).toBeNull()
  await expect(start(OLD)).rejects.toThrow('HOLDFAST_MASTER_KEY is wrong')
  await expect(start(OTHER)).rejects.toThrow('HOLDFAST_MASTER_KEY is wrong')
})

test('seals new keys under the new key meanwhile, and neither key is in the clear', async () => {
  await furnish(OLD)
  const run = await start(OLD)
  orderRotation(dataDir, OLD, NEW)
  const rotating = run.rotation.run()
  const pair = generateKeypair()
  const place = { tenant: 'ACME', cluster: CLUSTER, id: 'meanwhile', address: pair.address }
  expect(run.keys.import(pair.privateKeyText()).seal(place)).toMatchObject({ masterKeyId: new MasterKey(NEW).id })
  const text = readFileSync(join(dataDir, 'master.rotation'), 'latin1')
  for (const key of [OLD, NEW])
    for (const form of ['hex', 'base64', 'latin1'] as const) expect(text).not.toContain(key.toString(form))
  await rotating
  await run.close()
})

test('keeps the old key if a row cannot be opened, and names the row', async () => {
  await furnish(OLD)
  writeFileSync(
    join(dataDir, 'secrets', 'in-folder.json'),
    readFileSync(join(dataDir, 'secrets', 'in-folder.json'), 'utf8').replace(/"dek":"..../, '"dek":"AAAA'),
  )
  orderRotation(dataDir, OLD, NEW)
  const run = await start(OLD)
  await expect(run.rotation.run()).rejects.toThrow('in-folder')
  await run.close()
  expect(readRotation(dataDir)?.outcome).toBe('open')
  await (await start(OLD)).close()
})

test('refuses a rotation ordered with another key', async () => {
  await furnish(OLD)
  orderRotation(dataDir, OTHER, NEW)
  const run = await start(OLD)
  await run.rotation.run()
  expect(readRotation(dataDir)?.outcome).toBe('refused')
  expectAllOpen(run)
  await run.close()
})

test('replaces a key that is in a file', async () => {
  writeFileSync(join(dataDir, 'master.key'), `${OLD.toString('base64')}\n`, { mode: 0o600 })
  await furnish(OLD)
  orderRotation(dataDir, OLD, NEW)
  const run = await start(null)
  await run.rotation.run()
  expect(readFileSync(join(dataDir, 'master.key'), 'utf8').trim()).toBe(NEW.toString('base64'))
  await run.close()
  const after = await start(null)
  expectAllOpen(after)
  await after.close()
  expect(readdirSync(dataDir).sort()).toEqual(['master.key', 'players', 'secrets', 'store'])
})

test('does not bring back a signing secret that is replaced meanwhile', async () => {
  await furnish(OLD)
  orderRotation(dataDir, OLD, NEW)
  const hook = { tenant: 'ACME', cluster: CLUSTER, id: 'hook' }
  const replacement = [{ secret: 'whsec_y', until: null }]
  let replaced = false
  const run = await start(OLD, Infinity, async () => {
    if (replaced || readRotation(dataDir)?.outcome !== 'open') return
    replaced = true
    const row = run.webhookSecrets.seal(hook, replacement)
    await run.store.commit([{ tenant: 'ACME', epoch: 1, ops: [{ type: 'secret', ...hook, row }] }])
  })
  await run.rotation.run()
  expect(replaced).toBe(true)
  expect(run.webhookSecrets.open(hook, run.store.secret('ACME', CLUSTER, 'hook'))).toEqual(replacement)
  await run.close()
})

test('starts on the next turn after it is ordered, once, and not for a while after it failed', async () => {
  await furnish(OLD)
  const run = await start(OLD, 2)
  logLines = []
  run.rotation.turn()
  await run.rotation.settled()
  expect(logLines).toEqual([])
  orderRotation(dataDir, OLD, NEW)
  run.rotation.turn()
  run.rotation.turn()
  await run.rotation.settled()
  const BEGUN = 'the master key is being rotated: new secrets are sealed under the new key'
  const FAILED = 'the master key could not be rotated yet: the previous key is still needed'
  expect(logLines).toEqual([BEGUN, FAILED])
  run.rotation.turn()
  await run.rotation.settled()
  expect(logLines).toEqual([BEGUN, FAILED])
  await run.close()
  const next = await start(OLD)
  next.rotation.turn()
  await next.rotation.settled()
  expect(readRotation(dataDir)).toMatchObject({ outcome: 'done' })
  expectAllOpen(next)
  await next.close()
})
