// Logos by copyFromUri: fetched from a real server under the outbound rules, stored, served to keys that may read the
// instrument, replaced and removed.
import { once as event } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { once } from '../client.ts'
import { startWorld, type World } from '../harness.ts'
import type { Ids, NewInstrument } from '../models.ts'

const PNG = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(2_000, 7)])
const WEBP = Buffer.concat([Buffer.from('RIFF'), Buffer.alloc(4), Buffer.from('WEBP'), Buffer.alloc(90, 3)])

let world: World
let authority: Ids
let server: Server
let host: string
const requestedPaths: string[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? ''
    requestedPaths.push(path)
    const send = (type: string, body: Buffer | string, status = 200) =>
      response.writeHead(status, { 'content-type': type }).end(body)
    if (path === '/gold.png') send('image/png; charset=binary', PNG)
    else if (path === '/other.webp') send('image/webp', WEBP)
    else if (path === '/moved') response.writeHead(302, { location: '/gold.png' }).end()
    else if (path === '/round') response.writeHead(302, { location: '/round' }).end()
    else if (path === '/inside')
      response.writeHead(302, { location: `http://127.0.0.1:${Number(host.split(':')[1]) + 1}/gold.png` }).end()
    else if (path === '/page.png') send('image/png', '<html></html>')
    else if (path === '/drawing.svg') send('image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>')
    else if (path === '/large.png') send('image/png', Buffer.concat([PNG, Buffer.alloc(1_100_000)]))
    else if (path === '/headers') send('image/png', JSON.stringify(request.headers))
    else send('text/plain', 'no', 404)
  })
  server.listen(0, '127.0.0.1')
  await event(server, 'listening')
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  world = await startWorld({ HOLDFAST_OUTBOUND_ALLOW: host })
  authority = await world.records.account()
  await world.records.feePayer()
})

afterAll(async () => {
  await world.stop()
  server.closeAllConnections()
  server.close()
})

const PATH = '/financial-instruments'
const create = (logo: object, options = {}): Promise<NewInstrument> =>
  world.api.ok<NewInstrument>(
    201,
    'POST',
    PATH,
    { mintAccount: {}, mintAuthority: authority, offchainData: { logo } },
    options,
  )
const refuses = async (code: string, copyFromUri: string, more: object = {}): Promise<string> => {
  const offchainData = { logo: { copyFromUri, ...more } }
  return (await world.api.refuses(400, code, 'POST', PATH, { mintAccount: {}, mintAuthority: authority, offchainData }))
    .message
}
const fetchLogo = (offchainId: string, bearer = world.api.bearer) =>
  fetch(`${world.url}/api/v1${PATH}/${offchainId}/logo`, { headers: bearer === '' ? {} : { authorization: bearer } })

describe('a logo', () => {
  it('is copied once, and served as a file to keys that may read the instrument', async () => {
    const options = { headers: once('with a logo') }
    const { newFinancialInstrument: ids } = await create({ copyFromUri: `http://${host}/gold.png` }, options)
    expect((await create({ copyFromUri: `http://${host}/gold.png` }, options)).newFinancialInstrument).toEqual(ids)
    expect(requestedPaths.filter((path) => path === '/gold.png')).toHaveLength(1)
    const record = await world.records.instrumentRecord(ids)
    expect(record.offchainData).toMatchObject({
      logo: { copyFromUri: `http://${host}/gold.png`, fileName: 'gold.png', contentType: 'image/png', type: 'LOGO' },
    })

    const answer = await fetchLogo(ids.offchainId)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'; sandbox")
    expect(Buffer.from(await answer.arrayBuffer()).equals(PNG)).toBe(true)

    expect((await fetchLogo(ids.offchainId, '')).status).toBe(401)
    expect((await fetchLogo('not-a-uuid')).status).toBe(404)
    expect((await fetchLogo(authority.offchainId)).status).toBe(404)
    expect((await fetchLogo(ids.offchainId, await keyOf('strangers', 'VIEWER'))).status).toBe(404)
    expect((await fetchLogo(ids.offchainId, await keyOf('blind', undefined, ['ACCOUNTS_READ']))).status).toBe(403)
  })

  it('may be fetched through a redirect, is replaced by an update and removed by null', async () => {
    const { newFinancialInstrument: ids } = await create({
      copyFromUri: `http://${host}/moved`,
      fileName: 'Goldbarren Ω.png',
    })
    expect((await fetchLogo(ids.offchainId)).headers.get('content-disposition')).toBe(
      `inline; filename*=UTF-8''${encodeURIComponent('Goldbarren Ω.png')}`,
    )
    const update = (logo: object | null) =>
      world.api.ok(200, 'PATCH', PATH, { mintAccount: { offchainId: ids.offchainId }, offchainData: { logo } })
    await update({ copyFromUri: `http://${host}/other.webp`, contentType: 'image/webp' })
    const answer = await fetchLogo(ids.offchainId)
    expect(answer.headers.get('content-type')).toBe('image/webp')
    expect(Buffer.from(await answer.arrayBuffer()).equals(WEBP)).toBe(true)
    await update(null)
    expect((await fetchLogo(ids.offchainId)).status).toBe(404)
    expect((await world.records.instrumentRecord(ids)).offchainData).toMatchObject({ logo: null })
    // Without a copyFromUri the logo is a description only.
    await update({ fileName: 'elsewhere.png' })
    expect((await fetchLogo(ids.offchainId)).status).toBe(404)
  })

  it('is a passive image format, of one MiB at most', async () => {
    await refuses('LOGO_TYPE', `http://${host}/page.png`)
    await refuses('LOGO_TYPE', `http://${host}/drawing.svg`)
    await refuses('LOGO_TYPE', `http://${host}/gold.png`, { contentType: 'image/jpeg' })
    expect(await refuses('LOGO_UNAVAILABLE', `http://${host}/large.png`)).toContain('1048576')
    expect(await refuses('LOGO_UNAVAILABLE', `http://${host}/nothing`)).toContain('404')
    expect(await refuses('LOGO_UNAVAILABLE', `http://${host}/round`)).toContain('redirected')
  })
})

describe('a logo is not fetched from', () => {
  it.each([
    'http://127.0.0.1:1/a.png',
    'http://2130706433/a.png',
    'http://0x7f.1/a.png',
    'http://[::1]/a.png',
    'http://[::ffff:127.0.0.1]/a.png',
    'https://127.0.0.1/a.png',
    'https://localhost/a.png',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/a.png',
    'file:///etc/passwd',
    'ftp://example.org/a.png',
    'data:image/png;base64,AA',
    'nonsense',
    'https://user:secret@example.org/a.png',
    'http://example.org/a.png',
    'https://[fd00::1]/a.png',
    'https://localhost./a.png',
  ])('%s', async (uri) => {
    const message = await refuses('OUTBOUND_NOT_ALLOWED', uri)
    expect(message).not.toMatch(/\d+\.\d+\.\d+\.\d+/)
  })

  it('a redirect to a forbidden address', async () => {
    await refuses('OUTBOUND_NOT_ALLOWED', `http://${host}/inside`)
  })
})

async function keyOf(externalId: string, bundle?: string, roles?: readonly string[]): Promise<string> {
  await world.api.ok(201, 'POST', '/admin/organizations', { externalId, name: externalId })
  const body = { organizationExternalId: externalId, name: 'key', ...(roles === undefined ? { bundle } : { roles }) }
  const { apiKey } = await world.api.ok<{ apiKey: string }>(201, 'POST', '/admin/api-keys', body)
  return `Bearer ${apiKey}`
}
