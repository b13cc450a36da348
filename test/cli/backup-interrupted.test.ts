// What happens to the service while the command reads back the backup decides whether there is one, and the message
// says what it was: the end of the service, or a rotation of the master key. The first key alone is no rotation.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { writeBackup } from '../../snapshots/backup/write.ts'
import { openStore } from '../../snapshots/level-store.ts'
import { copyFrames } from '../../src/engine/backup/copy.ts'
import { openOwnerSocket, type OwnerSocket } from '../../src/http/owner-socket.ts'
import { startCommand, type Ended } from '../config/command-line.ts'
import { TENANT } from '../engine/engine-fixture.ts'

let dataDir: string
let store: Awaited<ReturnType<typeof openStore>>
let socket: OwnerSocket | undefined
const file = (): string => join(dataDir, 'x.hfb')

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'holdfast-interrupted-'))
  store = await openStore({ path: join(dataDir, 'store'), onFatal: () => undefined })
})
afterEach(async () => {
  socket?.close()
  await store.close()
  rmSync(dataDir, { recursive: true, force: true })
})

/** @param later id of the master key at the end of the backup; none: the service has ended */
async function backupWith(before: string | null, later?: string): Promise<Ended> {
  if (before !== null)
    await store.commit([{ tenant: TENANT, epoch: 1, ops: [{ type: 'meta', name: 'masterKeyCheck', value: before }] }])
  const path = join(dataDir, 'service.sock')
  const parts = { store, release: '1', clusters: [], chainIncluded: false, secrets: dataDir, players: dataDir }
  socket = await openOwnerSocket(
    path,
    {
      async *'/backup'() {
        yield* writeBackup(copyFrames({ ...parts, now: () => Date.now() }), { kind: 'none' })
      },
      async *'/standing'() {
        yield await Promise.resolve(JSON.stringify({ masterKeyId: later }))
      },
    },
    {
      info() {
        if (later === undefined) socket?.close()
      },
      warn: () => undefined,
    },
  )
  return await startCommand(['backup', file(), '--data-dir', dataDir], {}).ended
}

it('a backup whose service stopped is not written, and no rotation is the reason', async () => {
  const { code, stderr } = await backupWith('one')
  expect([code, stderr]).toEqual([69, 'holdfast: the service stopped during the backup: repeat it\n'])
  expect(existsSync(file())).toBe(false)
})

it('a backup that a rotation of the master key overtook is not written', async () => {
  const { code, stderr } = await backupWith('one', 'other')
  expect([code, stderr]).toEqual([69, expect.stringContaining('the master key is being rotated') as string])
  expect(existsSync(file())).toBe(false)
})

it.each([
  ['no key was sealed before', null],
  ['the key is the same', 'one'],
])('a backup is written if %s', async (_, before) => {
  expect(await backupWith(before, 'one')).toMatchObject({ code: 0, stderr: '' })
})
