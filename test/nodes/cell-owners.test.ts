// Requests to the owner of a key in another cell, over real connections to a server in place of the owner.
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CellOwners } from '../../src/service/cell-owners.ts'
import { Refusal } from '../../src/contract/refusal.ts'
import type { CellLocation } from '../../src/nodes/cell-gateway.ts'
import { Hops } from '../../src/nodes/hop.ts'
import { NOT_TAKEN, Seals } from '../../src/nodes/seal.ts'
import type { CountersignQuestion } from '../../src/operations/transactions/countersign/question.ts'
import { systemClock } from '../../src/time/clock.ts'

const QUESTION = { owner: 'ACME' } as CountersignQuestion
const CONSENTS: RequestListener = (_request, response) => response.end(JSON.stringify({ signatures: [] }))

let server: Server
let hops: Hops
let url: string
/** The answers of the node, one after the other; the last one repeatedly. */
let answers: RequestListener[]
let questionCount: number
/** The locations of the cell, one after the other; the last one repeatedly. */
let places: CellLocation[]
let logged: string[]
let owners: CellOwners

const at = (epoch: number, to = url): CellLocation => ({ at: 'elsewhere', node: 'b', url: to, epoch })

beforeEach(async () => {
  questionCount = 0
  logged = []
  server = createServer((request, response) => {
    questionCount += 1
    const next = answers.length > 1 ? answers.shift()! : answers[0]!
    next(request, response)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  hops = new Hops()
  const where = (): CellLocation => places[0]!
  const refresh = (): Promise<void> => {
    if (places.length > 1) places.shift()
    return Promise.resolve()
  }
  owners = new CellOwners({
    node: 'a',
    cellOf: () =>
      Promise.resolve({
        gateway: { ownerLeftMs: 2_500, where, enter: () => null, refresh },
        runtime: { current: null },
      }),
    hops,
    seals: new Seals('secret of the nodes', () => systemClock.now()),
    clock: systemClock,
    log: { error: (_fields, message) => void logged.push(message) },
  })
})
afterEach(async () => {
  hops.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

/** The code of the refusal and the time of a retry, or `consented`. */
async function consent(): Promise<string> {
  try {
    await owners.consent(QUESTION)
    return 'consented'
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return `${error.status} ${error.problems[0]!.code} ${error.retryAfterSeconds}`
  }
}

const notTaken =
  (why: string): RequestListener =>
  (_request, response) =>
    response.writeHead(503, { [NOT_TAKEN]: why }).end('{}')

describe('a question to the owner of a key in another cell', () => {
  it('waits while the cell briefly has no owner, and while its owner does not accept it', async () => {
    places = [{ at: 'nowhere', isMoving: true, retryAfterMs: 1_000 }, at(1), at(2)]
    answers = [notTaken('moving'), CONSENTS]
    expect([await consent(), questionCount]).toEqual(['consented', 2])
  })

  it('is refused at once if the owner is down', async () => {
    places = [{ at: 'nowhere', isMoving: false, retryAfterMs: 3_200 }]
    answers = [CONSENTS]
    expect([await consent(), questionCount]).toEqual(['503 TENANT_UNAVAILABLE 4', 0])
  })

  it('is refused for the rest of the lease if the owner cannot be reached', async () => {
    answers = [CONSENTS]
    await new Promise((resolve) => server.close(resolve))
    places = [at(1), at(1)]
    expect(await consent()).toBe('503 TENANT_UNAVAILABLE 3')
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  })

  it.each([
    ['misdirected', 'HOLDFAST_NODE_URL'],
    ['refused', 'HOLDFAST_NODE_SECRET'],
  ])('is sent once if it was %s, and the failure is logged', async (why, setting) => {
    places = [at(1)]
    answers = [notTaken(why), CONSENTS]
    expect([await consent(), questionCount]).toEqual(['503 TENANT_UNAVAILABLE 1', 1])
    expect(logged).toMatchObject([expect.stringContaining(setting)])
  })

  it('about consent can be repeated without an answer; about signatures, the outcome is unknown', async () => {
    places = [at(1)]
    answers = [(request) => request.socket.destroy()]
    expect([await consent(), questionCount]).toEqual(['503 TENANT_UNAVAILABLE 1', 1])
    await expect(owners.countersign(QUESTION)).rejects.toThrow('the node b did not answer')
    await expect(owners.countersign(QUESTION)).rejects.not.toBeInstanceOf(Refusal)
  })
})
