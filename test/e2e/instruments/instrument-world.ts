// A service with a fee payer and an authority, for the tests that create instruments.
import { afterAll, beforeAll } from 'vitest'
import { startWorld, type World } from '../harness.ts'
import type { Ids, Instrument, NewInstrument } from '../models.ts'

export let world: World
export let feePayer: Ids
export let authority: Ids

export const create = (itemData: object): Promise<NewInstrument> =>
  world.api.ok<NewInstrument>(201, 'POST', '/financial-instruments', itemData)

export const details = ({ offchainId }: Ids): Promise<Instrument> =>
  world.api.read<Instrument>('/financial-instruments/single', { offchainId })

/** Registers the hooks that set up the exports of this file for the tests, and clean up. */
export function withInstrumentWorld(): void {
  beforeAll(async () => {
    world = await startWorld()
    feePayer = await world.records.feePayer()
    authority = await world.records.account({
      offchainReferences: { code: 'AUTHORITY', type: 'TOKEN_MANAGEMENT_AUTHORITY' },
    })
  })
  afterAll(() => world.stop())
}
