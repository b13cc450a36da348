// The Postman collection that is served: each endpoint once, in the shape of version 2.1, as requests that reach the endpoint.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startEcho, type RunningService } from './service.ts'

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
  it('holds every endpoint of the document once', async () => {
    const { paths } = (await service.request('GET', '/openapi.json')).body as { paths: Record<string, Record<string, object>> }
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const held = requests.map(({ method, url }) => `${method} /${url.path.map((part) => part.replace(/^:(.+)/, '{$1}')).join('/')}`)
    expect(held.sort()).toEqual(documented.sort())
  })

  it('is of version 2.1, with a key and a place to fill in', () => {
    expect(collection.info).toMatchObject({ name: 'Holdfast', schema: expect.stringMatching(/v2\.1\.0\/collection\.json$/) as string })
    expect(collection.variable.map(({ key }) => key)).toEqual(['url', 'apiKey'])
    expect(collection.auth.bearer).toMatchObject([{ key: 'token', value: '{{apiKey}}' }])
    for (const { name, item } of collection.item) expect(item.length, name).toBeGreaterThan(0)
    for (const { url } of requests) expect(url.raw).toBe(`{{url}}/${url.path.join('/')}`)
  })

  it('asks what the service understands: every request reaches its endpoint, and no body is malformed', async () => {
    for (const { method, url, header, body } of requests) {
      if (url.raw.endsWith('/stream')) continue
      const values = Object.fromEntries(
        (url.variable ?? []).map(({ key, value }) => [`:${key}`, value === '' ? crypto.randomUUID() : value]),
      )
      const path = url.path.map((part) => values[part] ?? part).join('/')
      const query = new URLSearchParams(Object.fromEntries((url.query ?? []).filter(isOn).map(({ key, value }) => [key, value]))).toString()
      const headers = Object.fromEntries(header.filter(isOn).map(({ key, value }) => [key, value]))
      const response = await fetch(`${service.url}/${path}?${query}`, {
        method,
        headers: { ...headers, authorization: 'Bearer full' },
        ...(body === undefined ? {} : { body: body.raw }),
      })
      const text = await response.text()
      expect([404, 405, 413, 415], `${method} ${path}: ${text}`).not.toContain(response.status)
      expect(text, `${method} ${path}: ${body?.raw ?? ''}`).not.toMatch(/MALFORMED_(?:JSON|HEADER)|UNKNOWN_MEMBER|INVALID_TYPE/)
    }
  })
})
