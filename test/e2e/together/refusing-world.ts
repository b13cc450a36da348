// Lookups of nothing, the problems they are refused with, and the world in which they are refused.
import { expect } from 'vitest'
import type { Method } from '../client.ts'
import { startWorld, type World } from '../harness.ts'
import type { Ids } from '../models.ts'

/** Code and pointer of each problem, in order. */
type Expected = readonly (readonly [code: string, pointer: string])[]

interface Refused {
  readonly errors: readonly { readonly code: string; readonly pointer?: string }[]
}

export const unknown = (tag: string): object => ({ offchainId: `00000000-0000-4000-8000-0000000000${hex(tag)}` })
const hex = (tag: string): string => tag.charCodeAt(0).toString(16)
export const account = (pointer: string): readonly [string, string] => ['ACCOUNT_NOT_FOUND', `/itemData/${pointer}`]
export const instrument = (pointer: string): readonly [string, string] => [
  'INSTRUMENT_NOT_FOUND',
  `/itemData/${pointer}`,
]
export const position = (pointer: string): readonly [string, string] => ['POSITION_NOT_FOUND', `/itemData/${pointer}`]
export const key = (pointer: string): readonly [string, string] => ['API_KEY_NOT_FOUND', `/itemData/${pointer}`]
export const organization = (pointer: string): readonly [string, string] => [
  'ORGANIZATION_NOT_FOUND',
  `/itemData/${pointer}`,
]
export const held = (tag: string): object => ({ owner: unknown(tag), financialInstrument: unknown(tag) })
export const PAST = '2020-01-01T00:00:00Z'

/** Records that the bodies can name. */
export interface Named {
  readonly wallet: Ids
  readonly mint: Ids
  readonly spl: Ids
}

export interface Case {
  readonly name: string
  readonly path: string
  readonly body: (named: Named) => object
  readonly expected: Expected
  readonly method?: Method
  readonly status?: number
  readonly config?: object
}

export class RefusingWorld {
  readonly world: World
  readonly named: Named

  private constructor(world: World, named: Named) {
    this.world = world
    this.named = named
  }

  static async start(): Promise<RefusingWorld> {
    const world = await startWorld()
    const { records, api } = world
    await records.feePayer()
    const wallet = await records.funded()
    const mint = await records.instrument('TOKEN_2022', wallet, { freezeAuthority: wallet, closingAuthority: wallet })
    const spl = await records.instrument('SPL', wallet, { mintAccount: { offchainReferences: { code: 'spl' } } })
    await records.position(wallet, mint, 1_000n)
    await records.position(wallet, spl, 1_000n)
    const addresses = [listed(wallet), listed(mint)]
    const first = { externalReference: 'first', name: 'First', status: 'ALLOWED', addresses }
    await api.ok(201, 'POST', '/counterparties', first)
    return new RefusingWorld(world, { wallet, mint, spl })
  }

  /** The problems with which the body is refused. */
  async refusals({ method = 'POST', path, body, config, status = 400 }: Case): Promise<Expected> {
    const options = config === undefined ? {} : { config }
    const answer = await this.world.api.send<Refused>(method, path, body(this.named), options)
    expect(answer.status, JSON.stringify(answer.body)).toBe(status)
    return answer.body.errors.map(({ code, pointer = '' }) => [code, pointer] as const)
  }

  /** As `refusals`, of any body. */
  async refusalsOf(path: string, body: object): Promise<Expected> {
    const answer = await this.world.api.post<Refused>(path, body)
    return answer.body.errors.map(({ code, pointer = '' }) => [code, pointer] as const)
  }
}

export function listed({ onchainId }: Ids): object {
  return { onchainId, label: 'x' }
}
