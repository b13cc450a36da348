// The Postman collection: each endpoint once except the stream, in the format of version 2.1, as requests that reach
// the endpoint. `test/e2e/collection-run.test.ts` runs it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DANGEROUS_FOLDER, isDangerous } from '../../../src/http/pages/collection.ts'
import { STREAM_PATH } from '../../../src/http/events.ts'
import { startEcho, type RunningService } from '../service.ts'

interface Entry {
  readonly key: string
  readonly value: string
  readonly disabled?: boolean
}

interface Item {
  readonly name: string
  readonly request: {
    readonly method: string
    readonly header: readonly Entry[]
    readonly url: {
      readonly raw: string
      readonly path: readonly string[]
      readonly query?: readonly Entry[]
      readonly variable?: readonly Entry[]
    }
    readonly body?: { readonly mode: string; readonly raw: string }
  }
}

interface Collection {
  readonly info: { readonly name: string; readonly schema: string }
  readonly auth: { readonly bearer: readonly Entry[] }
  readonly variable: readonly Entry[]
  readonly item: readonly { readonly name: string; readonly item: readonly Item[] }[]
}

let service: RunningService
let collection: Collection
let requests: readonly Item['request'][]
beforeAll(async () => {
  service = await startEcho()
  collection = (await service.request('GET', '/collection.json')).body as Collection
  requests = collection.item.flatMap(({ item }) => item.map(({ request }) => request))
})
afterAll(async () => service[Symbol.asyncDispose]())

const isOn = ({ disabled }: Entry): boolean => disabled !== true

describe('the Postman collection', () => {
  it('contains every endpoint of the document once', async () => {
    const { paths } = (await service.request('GET', '/openapi.json')).body as {
      paths: Record<string, Record<string, object>>
    }
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const listedPaths = requests.map(
      ({ method, url }) => `${method} /${url.path.map((part) => part.replace(/^:(.+)/, '{$1}')).join('/')}`,
    )
    expect(listedPaths.sort()).toEqual(documented.filter((each) => each !== `GET ${STREAM_PATH}`).sort())
  })

  it('is of version 2.1, with variables for the key and the address', () => {
    expect(collection.info).toMatchObject({
      name: 'Holdfast',
      schema: expect.stringMatching(/v2\.1\.0\/collection\.json$/) as string,
    })
    expect(collection.variable.map(({ key }) => key)).toEqual(['url', 'apiKey'])
    expect(collection.auth.bearer).toMatchObject([{ key: 'token', value: '{{apiKey}}' }])
    for (const { name, item } of collection.item) expect(item.length, name).toBeGreaterThan(0)
    for (const { url } of requests) expect(url.raw).toBe(`{{url}}/${url.path.join('/')}`)
  })

  it('puts requests that stop, end or reveal something into a last folder, without a body', () => {
    const folder = collection.item.at(-1)!
    expect(folder.name).toBe(DANGEROUS_FOLDER)
    const paths = folder.item.map(({ request }) => `${request.method} /${request.url.path.join('/')}`)
    expect(paths).toEqual(
      expect.arrayContaining([
        'PATCH /api/v1/admin/freeze',
        'PATCH /api/v1/admin/lanes/suspend',
        'PATCH /api/v1/admin/api-keys/disable',
      ]),
    )
    for (const { request } of folder.item) expect(request.body?.raw, request.url.raw).toBe('')
    const bodies = collection.item
      .slice(0, -1)
      .flatMap(({ item }) => item)
      .filter(({ request }) => request.body !== undefined)
    for (const { request } of bodies) {
      expect(isDangerous(request.method, `/${request.url.path.join('/')}`), request.url.raw).toBe(false)
      expect(Object.keys(JSON.parse(request.body!.raw) as object).length, request.url.raw).toBeGreaterThan(0)
    }
  })

  it('sends valid requests: each reaches its endpoint, and no body is malformed', async () => {
    for (const { method, url, header, body } of requests) {
      const values = Object.fromEntries(
        (url.variable ?? []).map(({ key, value }) => [`:${key}`, value === '' ? crypto.randomUUID() : value]),
      )
      const path = url.path.map((part) => values[part] ?? part).join('/')
      const query = new URLSearchParams(
        Object.fromEntries((url.query ?? []).filter(isOn).map(({ key, value }) => [key, value])),
      ).toString()
      const headers = Object.fromEntries(header.filter(isOn).map(({ key, value }) => [key, value]))
      const response = await fetch(`${service.url}/${path}?${query}`, {
        method,
        headers: { ...headers, authorization: 'Bearer full' },
        ...(body === undefined ? {} : { body: body.raw }),
      })
      const text = await response.text()
      expect([404, 405, 413, 415], `${method} ${path}: ${text}`).not.toContain(response.status)
      if (body?.raw === '')
        expect([response.status, text], path).toEqual([400, expect.stringContaining('MALFORMED_JSON')])
      else
        expect(text, `${method} ${path}: ${body?.raw ?? ''}`).not.toMatch(
          /MALFORMED_(?:JSON|HEADER)|UNKNOWN_MEMBER|INVALID_TYPE/,
        )
    }
  })
})
