// Instruments over HTTP: requests that no mint can satisfy are refused, and nothing is signed.
import { Keypair } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import type { Method } from '../client.ts'
import type { Instrument, Problems } from '../models.ts'
import { programOf } from '../onchain.ts'
import { withInstrumentWorld, world, feePayer, authority, create } from './instrument-world.ts'

withInstrumentWorld()

describe('refusals', () => {
  const refuses = (code: string, body: object) => world.api.refuses(400, code, 'POST', '/financial-instruments', body)

  it('rejects extensions and custom metadata for SPL', async () => {
    const body = { mintAccount: {}, version: 'SPL', mintAuthority: authority }
    const members = {
      permanentDelegateAuthority: authority,
      closingAuthority: authority,
      pausableAuthority: authority,
      scaledUiAmountAuthority: authority,
      transferHookAuthority: authority,
      confidentialTransferAuthority: authority,
    }
    for (const [member, value] of Object.entries(members)) {
      expect(await refuses('TOKEN_2022_REQUIRED', { ...body, [member]: value })).toMatchObject({
        pointer: `/itemData/${member}`,
      })
    }
    await refuses('TOKEN_2022_REQUIRED', { ...body, onchainData: { simpleCustomMetadata: { a: 'b' } } })
    await refuses('TOKEN_2022_REQUIRED', { ...body, freezeAuthority: authority, defaultPositionState: 'FROZEN' })
    for (const paused of [true, false])
      expect(await refuses('TOKEN_2022_REQUIRED', { ...body, paused })).toMatchObject({ pointer: '/itemData/paused' })
  })

  it('names the account of an update that is not the authority, also if nothing changes on chain', async () => {
    const other = await world.records.account()
    const mintAccount = await world.records.instrument('TOKEN_2022', authority, {
      freezeAuthority: authority,
      closingAuthority: authority,
      pausableAuthority: authority,
      scaledUiAmountAuthority: authority,
      transferHookAuthority: authority,
    })
    const update = { mintAccount, offchainData: { description: 'unchanged on chain' } }
    const members = {
      updateAuthority: {},
      freezeAuthority: {},
      currentClosingAuthority: { newClosingAuthority: authority },
      currentPausableAuthority: { newPausableAuthority: authority },
      currentScaledUiAmountAuthority: { scaledUiAmountMultiplier: 1 },
      currentTransferHookAuthority: { newTransferHookAuthority: authority },
    }
    for (const [member, change] of Object.entries(members)) {
      const body = { ...update, ...change, [member]: other }
      const problem = await world.api.refuses(400, 'LOOKUP_MISMATCH', 'PATCH', '/financial-instruments', body)
      expect(problem.pointer).toBe(`/itemData/${member}`)
      await world.api.ok(200, 'PATCH', '/financial-instruments', { ...body, [member]: authority })
    }
  })

  it('reports all members at once that the version, or another member, rules out', async () => {
    const base = { mintAccount: {}, mintAuthority: authority }
    const problems = async (code: string, body: object, method: Method = 'POST') => {
      const { status, body: answer } = await world.api.send<Problems>(method, '/financial-instruments', body)
      expect(status).toBe(400)
      expect(new Set(answer.errors?.map((error) => error.code))).toEqual(new Set([code]))
      return (answer.errors ?? []).map(({ pointer }) => pointer?.replace('/itemData/', '')).sort()
    }
    const spl = { closingAuthority: authority, onchainData: { simpleCustomMetadata: { a: 'b' } }, paused: false }
    expect(await problems('TOKEN_2022_REQUIRED', { ...base, version: 'SPL', ...spl })).toEqual([
      'closingAuthority',
      'onchainData/simpleCustomMetadata',
      'paused',
    ])
    const alone = { defaultPositionState: 'FROZEN', scaledUiAmountMultiplier: 2, paused: true }
    const needs = ['freezeAuthority', 'pausableAuthority', 'scaledUiAmountAuthority']
    const changes = { newClosingAuthority: authority, paused: true, scaledUiAmountMultiplier: 2 }
    for (const [version, code] of [
      ['SPL', 'TOKEN_2022_REQUIRED'],
      ['TOKEN_2022', 'EXTENSION_MISSING'],
    ] as const) {
      const mintAccount = await world.records.instrument(version, authority)
      expect(await problems(code, { mintAccount, ...changes }, 'PATCH')).toEqual(Object.keys(changes))
    }
    expect(await problems('REQUIRED', { ...base, version: 'TOKEN_2022', ...alone })).toEqual(needs)
  })

  it('requires the version of the given account, which must match the request', async () => {
    for (const [version, other] of [
      ['SPL', 'TOKEN_2022'],
      ['TOKEN_2022', 'SPL'],
    ] as const) {
      for (const members of [{}, { version }]) {
        const { newFinancialInstrument: instrument } = await create({
          mintAccount: { tokenVersion: version },
          mintAuthority: authority,
          ...members,
        })
        expect((await world.chain.account(instrument.onchainId))?.owner.equals(programOf(version))).toBe(true)
        expect(await world.records.instrumentRecord(instrument)).toMatchObject({ version })
      }
      const problem = await refuses('ALIAS_CONFLICT', {
        mintAccount: { tokenVersion: other },
        mintAuthority: authority,
        version,
      })
      expect(problem).toMatchObject({ pointer: '/itemData/mintAccount/tokenVersion' })
    }
    const { newFinancialInstrument: silent } = await create({ mintAccount: {}, mintAuthority: authority })
    expect(await world.records.instrumentRecord(silent)).toMatchObject({ version: 'SPL' })
    const { newFinancialInstrument: paused } = await create({
      mintAccount: { tokenVersion: 'TOKEN_2022' },
      mintAuthority: authority,
      pausableAuthority: authority,
      onchainData: { simpleCustomMetadata: { a: 'b' } },
    })
    expect(await world.records.instrumentRecord(paused)).toMatchObject({ version: 'TOKEN_2022', paused: false })
  })

  it('requires the members that an extension needs', async () => {
    const body = { mintAccount: {}, version: 'TOKEN_2022', mintAuthority: authority }
    await refuses('REQUIRED', { ...body, defaultPositionState: 'FROZEN' })
    await refuses('REQUIRED', { ...body, confidentialMintBurnAuthority: authority })
    await refuses('REQUIRED', { ...body, scaledUiAmountMultiplier: 2 })
    await refuses('REQUIRED', { version: 'SPL', mintAuthority: authority })
    await refuses('MUTUALLY_EXCLUSIVE', { ...body, existingMintAccount: authority })
    await refuses('ACCOUNT_NOT_FOUND', {
      ...body,
      mintAuthority: { onchainId: Keypair.generate().publicKey.toBase58() },
    })
  })

  it('refuses what exceeds a transaction before anything is signed', async () => {
    const before = await world.chain.lamports(feePayer.onchainId)
    const simpleCustomMetadata = { text: 'x'.repeat(900) }
    const problem = await refuses('TRANSACTION_TOO_LARGE', {
      mintAccount: {},
      version: 'TOKEN_2022',
      mintAuthority: authority,
      onchainData: { name: 'Big', symbol: 'BIG', simpleCustomMetadata },
    })
    expect(problem.message).toMatch(/\d{4} bytes/)
    expect(await world.chain.lamports(feePayer.onchainId)).toBe(before)
    await world.records.accountsEqualChain(feePayer)
  })

  it('answers 404 for a record that is no instrument', async () => {
    const expectMissing = (lookup: object) =>
      world.api.refuses(404, 'INSTRUMENT_NOT_FOUND', 'POST', '/financial-instruments/single', lookup)
    await expectMissing({ onchainId: Keypair.generate().publicKey.toBase58() })
    await expectMissing({ offchainId: authority.offchainId })
    const offchainReferences = { code: 'gold', type: 'FUNDS_TOKEN' }
    await create({ mintAccount: { offchainReferences }, version: 'SPL', mintAuthority: authority })
    const instrument = await world.api.read<Instrument>('/financial-instruments/single', {
      offchainReferences: { code: 'gold' },
    })
    expect(instrument.version).toBe('SPL')
  })
})
