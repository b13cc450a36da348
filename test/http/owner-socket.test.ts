// The socket of the owner answers each request, also one whose address cannot be parsed, and serves the next.
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openOwnerSocket } from '../../src/http/owner-socket.ts'

const dir = mkdtempSync(join(tmpdir(), 'holdfast-owner-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const statusOf = (socketPath: string, path: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request({ socketPath, path }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode))
    })
      .once('error', reject)
      .end()
  })

it('answers 404 to an address that is none', async () => {
  const path = join(dir, 'service.sock')
  const known = async function* (): AsyncGenerator<string, void, undefined> {
    yield await Promise.resolve('known')
  }
  const log = { info: () => undefined, warn: () => undefined }
  const socket = await openOwnerSocket(path, { '/known': known }, log)
  for (const address of ['//', '//[', 'http://', '/known/', '/'])
    expect(await statusOf(path, address), address).toBe(404)
  expect(await statusOf(path, '/known?x=//')).toBe(200)
  socket.close()
})
