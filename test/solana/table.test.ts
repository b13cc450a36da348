// The table reads back what the builders (equal to the stock ones) and the stock builders write.
import fc from 'fast-check'
import * as token from '@solana/spl-token'
import { PublicKey, SystemProgram } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM, ZERO_ADDRESS } from '../../src/solana/address.ts'
import { associatedTokenAddress } from '../../src/solana/derive.ts'
import { createAssociated, createAssociatedIdempotent } from '../../src/solana/instructions/associated-token.ts'
import { computeUnitLimit, computeUnitPrice } from '../../src/solana/instructions/compute-budget.ts'
import * as table from '../../src/solana/instructions/lookup-table.ts'
import { memo } from '../../src/solana/instructions/memo.ts'
import * as metadata from '../../src/solana/instructions/metadata.ts'
import * as extension from '../../src/solana/instructions/mint-extensions.ts'
import * as update from '../../src/solana/instructions/mint-updates.ts'
import * as nonce from '../../src/solana/instructions/nonce.ts'
import * as system from '../../src/solana/instructions/system.ts'
import * as life from '../../src/solana/instructions/token-account.ts'
import * as moving from '../../src/solana/instructions/token.ts'
import { amount, anyAddress, fromWeb3, key } from './arbitraries.ts'
import { bodyOf, effectOf, effectsOf, feePayer } from './classified.ts'

const program = fc.constantFrom(TOKEN_PROGRAM, TOKEN_2022_PROGRAM)
/** Different from each other, from programs and from the fee payer. */
const four = fc
  .uniqueArray(
    anyAddress.filter((each) => each !== ZERO_ADDRESS),
    { minLength: 4, maxLength: 4 },
  )
  .map((list) => list as [string, string, string, string])
const decimals = fc.nat(9)
const text = fc.string({ unit: 'grapheme', maxLength: 30 })
const run = { numRuns: 60 }

describe('system', () => {
  it('says who loses lamports to whom by whose consent', () => {
    fc.assert(
      fc.property(four, amount, ([a, b, c, owner], lamports) => {
        expect(bodyOf(system.transferLamports(a, b, lamports))).toEqual({
          kind: 'lamports',
          from: a,
          to: b,
          lamports,
          signer: a,
        })
        const seeded = {
          fromPubkey: key(a),
          basePubkey: key(c),
          toPubkey: key(b),
          lamports,
          seed: 'seed',
          programId: key(owner),
        }
        expect(bodyOf(fromWeb3(SystemProgram.transfer(seeded)))).toEqual({
          kind: 'lamports',
          from: a,
          to: b,
          lamports,
          signer: c,
        })
        expect(bodyOf(nonce.withdrawNonce(a, c, b, lamports))).toEqual({
          kind: 'lamports',
          from: a,
          to: b,
          lamports,
          signer: c,
        })
      }),
      run,
    )
  })

  it('says who pays for a new account and whose it will be', () => {
    fc.assert(
      fc.property(four, fc.nat(10_000_000), ([a, b, c, owner], space) => {
        const [lamports, size] = [BigInt(space) * 7n, BigInt(space)]
        expect(bodyOf(system.createAccount({ payer: a, account: b, lamports, space, owner }))).toEqual({
          kind: 'create',
          payer: a,
          account: b,
          lamports,
          space: size,
          owner,
          base: null,
        })
        const seeded = SystemProgram.createAccountWithSeed({
          fromPubkey: key(a),
          newAccountPubkey: key(b),
          basePubkey: key(c),
          seed: 'a seed',
          lamports: space * 7,
          space,
          programId: key(owner),
        })
        expect(bodyOf(fromWeb3(seeded))).toEqual({
          kind: 'create',
          payer: a,
          account: b,
          lamports,
          space: size,
          owner,
          base: c,
        })
        expect(bodyOf(system.allocate(a, space))).toEqual({ kind: 'allocate', account: a, space: size, base: null })
        const allocated = SystemProgram.allocate({
          accountPubkey: key(a),
          basePubkey: key(c),
          seed: 's',
          space,
          programId: key(owner),
        })
        expect(bodyOf(fromWeb3(allocated))).toEqual({ kind: 'allocate', account: a, space: size, base: c })
        expect(bodyOf(system.assign(a, owner))).toEqual({ kind: 'assign', account: a, owner, base: null })
        const assigned = SystemProgram.assign({
          accountPubkey: key(a),
          basePubkey: key(c),
          seed: 's',
          programId: key(owner),
        })
        expect(bodyOf(fromWeb3(assigned))).toEqual({ kind: 'assign', account: a, owner, base: c })
      }),
      run,
    )
  })

  it('reads nonces', () => {
    fc.assert(
      fc.property(four, ([a, b, c]) => {
        expect(bodyOf(nonce.advanceNonce(a, b))).toEqual({ kind: 'nonceAdvance', nonce: a, authority: b })
        expect(bodyOf(nonce.initializeNonce(a, b))).toEqual({ kind: 'nonceInitialize', nonce: a, authority: b })
        expect(bodyOf(nonce.authorizeNonce(a, b, c))).toEqual({
          kind: 'nonceAuthorize',
          nonce: a,
          authority: b,
          next: c,
        })
      }),
      run,
    )
  })
})

describe('token programs', () => {
  it('reads what is moved, minted and burnt, checked or not', () => {
    fc.assert(
      fc.property(four, program, amount, decimals, ([a, b, m, o], id, raw, d) => {
        const common = { program: id, mint: m, amount: raw, decimals: d, authority: o }
        const k = key(id)
        expect(bodyOf(moving.transferChecked({ ...common, source: a, destination: b }))).toEqual({
          kind: 'tokens',
          program: id,
          from: a,
          to: b,
          mint: m,
          amount: raw,
          authority: o,
          decimals: d,
          further: [],
        })
        expect(bodyOf(fromWeb3(token.createTransferInstruction(key(a), key(b), key(o), raw, [], k)))).toEqual({
          kind: 'tokens',
          program: id,
          from: a,
          to: b,
          mint: null,
          amount: raw,
          authority: o,
          decimals: null,
          further: [],
        })
        expect(bodyOf(moving.mintToChecked({ ...common, destination: b }))).toEqual({
          kind: 'mint',
          program: id,
          mint: m,
          to: b,
          amount: raw,
          authority: o,
          decimals: d,
        })
        expect(bodyOf(fromWeb3(token.createMintToInstruction(key(m), key(b), key(o), raw, [], k)))).toEqual({
          kind: 'mint',
          program: id,
          mint: m,
          to: b,
          amount: raw,
          authority: o,
          decimals: null,
        })
        expect(bodyOf(moving.burnChecked({ ...common, source: a }))).toEqual({
          kind: 'burn',
          program: id,
          mint: m,
          from: a,
          amount: raw,
          authority: o,
          decimals: d,
        })
        expect(bodyOf(fromWeb3(token.createBurnInstruction(key(a), key(m), key(o), raw, [], k)))).toEqual({
          kind: 'burn',
          program: id,
          mint: m,
          from: a,
          amount: raw,
          authority: o,
          decimals: null,
        })
      }),
      run,
    )
  })

  it('reads a transfer with a fee, and the signers of a multisig', () => {
    const anyMembers = fc.uniqueArray(anyAddress, { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(four, amount, decimals, anyMembers, ([a, b, m, o], raw, d, members) => {
        const signers = members.map((each) => new PublicKey(each))
        const parties = [key(a), key(m), key(b), key(o)] as const
        const withFee = token.createTransferCheckedWithFeeInstruction(
          ...parties,
          raw,
          d,
          3n,
          signers,
          key(TOKEN_2022_PROGRAM),
        )
        const effect = effectOf('tokens', fromWeb3(withFee))
        expect(effect).toMatchObject({
          from: a,
          to: b,
          mint: m,
          amount: raw,
          authority: o,
          type: 'TRANSFER_CHECKED_WITH_FEE',
        })
        expect(effect.signers).toEqual(members)
      }),
      run,
    )
  })

  it('reads the life of mints and accounts', () => {
    fc.assert(
      fc.property(four, program, decimals, fc.boolean(), ([a, b, m, o], id, d, frozen) => {
        const on = { program: id, account: a, authority: o }
        expect(bodyOf(life.closeTokenAccount({ ...on, destination: b }))).toEqual({
          kind: 'close',
          ...on,
          destination: b,
        })
        expect(bodyOf(life.freezeTokenAccount({ ...on, mint: m }))).toEqual({ kind: 'freeze', ...on, mint: m })
        expect(bodyOf(life.thawTokenAccount({ ...on, mint: m }))).toEqual({ kind: 'thaw', ...on, mint: m })
        const freezeAuthority = frozen ? b : null
        const freezeKey = freezeAuthority === null ? null : key(freezeAuthority)
        const mint = { kind: 'initializeMint', program: id, mint: m, decimals: d, mintAuthority: o, freezeAuthority }
        expect(
          bodyOf(life.initializeMint({ program: id, mint: m, decimals: d, mintAuthority: o, freezeAuthority })),
        ).toEqual(mint)
        expect(bodyOf(fromWeb3(token.createInitializeMintInstruction(key(m), d, key(o), freezeKey, key(id))))).toEqual(
          mint,
        )
        const account = { kind: 'initializeAccount', program: id, account: a, mint: m, owner: o }
        expect(bodyOf(life.initializeAccount(id, a, m, o))).toEqual(account)
        expect(bodyOf(fromWeb3(token.createInitializeAccountInstruction(key(a), key(m), key(o), key(id))))).toEqual(
          account,
        )
        expect(bodyOf(fromWeb3(token.createInitializeAccount2Instruction(key(a), key(m), key(o), key(id))))).toEqual(
          account,
        )
        for (const which of Object.keys(life.AUTHORITY_TYPES) as life.AuthorityType[]) {
          const change = { ...on, which, next: freezeAuthority }
          expect(bodyOf(life.setAuthority(change))).toEqual({ kind: 'authority', ...change })
        }
        const approval = { kind: 'approve', ...on, delegate: b, amount: 7n }
        expect(bodyOf(fromWeb3(token.createApproveInstruction(key(a), key(b), key(o), 7n, [], key(id))))).toEqual({
          ...approval,
          mint: null,
        })
        expect(
          bodyOf(fromWeb3(token.createApproveCheckedInstruction(key(a), key(m), key(b), key(o), 7n, d, [], key(id)))),
        ).toEqual({ ...approval, mint: m })
      }),
      { numRuns: 30 },
    )
  })

  it('reads associated accounts', () => {
    fc.assert(
      fc.property(four, program, ([payer, owner, mint], tokenProgram) => {
        const request = { payer, owner, mint, tokenProgram }
        const expected = {
          kind: 'createAssociated',
          ...request,
          account: associatedTokenAddress(owner, mint, tokenProgram),
        }
        expect(bodyOf(createAssociated(request))).toEqual({ ...expected, idempotent: false })
        expect(bodyOf({ ...createAssociated(request), data: new Uint8Array() })).toEqual({
          ...expected,
          idempotent: false,
        })
        expect(bodyOf(createAssociatedIdempotent(request))).toEqual({ ...expected, idempotent: true })
      }),
      { numRuns: 20 },
    )
  })

  it('reads extensions', () => {
    fc.assert(
      fc.property(four, fc.double({ min: 0.001, noNaN: true }), ([m, a, b], multiplier) => {
        const first = (name: string, authority: string | null, value: string | null) => ({
          kind: 'extension',
          mint: m,
          name,
          action: 'initialize',
          authority,
          value,
        })
        const later = (name: string, value: string | null) => ({
          kind: 'extension',
          mint: m,
          name,
          action: 'update',
          authority: a,
          value,
        })
        const by = { mint: m, authority: a }
        expect(bodyOf(extension.initializeMetadataPointer(m, a, m))).toEqual(first('METADATA_POINTER', a, m))
        expect(bodyOf(extension.initializeMetadataPointer(m, null, null))).toEqual(
          first('METADATA_POINTER', null, null),
        )
        expect(bodyOf(update.updateMetadataPointer({ ...by, metadata: b }))).toEqual(later('METADATA_POINTER', b))
        expect(bodyOf(extension.initializeDefaultAccountState(m, 'FROZEN'))).toEqual(
          first('DEFAULT_ACCOUNT_STATE', null, 'FROZEN'),
        )
        expect(bodyOf(update.updateDefaultAccountState({ ...by, state: 'INITIALIZED' }))).toEqual(
          later('DEFAULT_ACCOUNT_STATE', 'INITIALIZED'),
        )
        expect(bodyOf(extension.initializePermanentDelegate(m, a))).toEqual(first('PERMANENT_DELEGATE', a, null))
        expect(bodyOf(extension.initializeMintCloseAuthority(m, a))).toEqual(first('MINT_CLOSE', a, null))
        expect(bodyOf(extension.initializeMintCloseAuthority(m, null))).toEqual(first('MINT_CLOSE', null, null))
        expect(bodyOf(extension.initializePausable(m, a))).toEqual(first('PAUSABLE', a, null))
        expect(bodyOf(update.pauseMint(by))).toEqual({ kind: 'pause', ...by })
        expect(bodyOf(update.resumeMint(by))).toEqual({ kind: 'resume', ...by })
        expect(bodyOf(extension.initializeScaledUiAmount(m, a, multiplier))).toEqual(
          first('SCALED_UI_AMOUNT', a, String(multiplier)),
        )
        expect(bodyOf(update.updateMultiplier({ ...by, multiplier, effectiveAt: -1n }))).toEqual(
          later('SCALED_UI_AMOUNT', String(multiplier)),
        )
        expect(bodyOf(extension.initializeTransferHook(m, a, b))).toEqual(first('TRANSFER_HOOK', a, b))
        expect(bodyOf(update.updateTransferHook({ ...by, hookProgram: null }))).toEqual(later('TRANSFER_HOOK', null))
        const confidential = { authority: a, autoApproveNewAccounts: true, auditorKey: null }
        expect(bodyOf(extension.initializeConfidentialTransfer(m, confidential))).toEqual(
          first('CONFIDENTIAL_TRANSFER', a, null),
        )
        expect(bodyOf(extension.initializeConfidentialMintBurn(m, new Uint8Array(32), new Uint8Array(36)))).toEqual(
          first('CONFIDENTIAL_MINT_BURN', null, null),
        )
      }),
      run,
    )
  })

  it('reads metadata', () => {
    fc.assert(
      fc.property(four, text, text, ([m, a, b], one, two) => {
        const base = { kind: 'metadata', mint: m }
        const fresh = { mint: m, mintAuthority: b, updateAuthority: a, name: one, symbol: two, uri: '' }
        expect(bodyOf(metadata.initializeMetadata(fresh))).toEqual({
          ...base,
          action: 'initialize',
          authority: b,
          field: null,
          key: null,
          value: one,
        })
        expect(bodyOf(metadata.updateMetadataField(m, a, { field: 'symbol' }, two))).toEqual({
          ...base,
          action: 'updateField',
          authority: a,
          field: 'symbol',
          key: null,
          value: two,
        })
        expect(bodyOf(metadata.updateMetadataField(m, a, { key: one }, two))).toEqual({
          ...base,
          action: 'updateField',
          authority: a,
          field: null,
          key: one,
          value: two,
        })
        expect(bodyOf(metadata.removeMetadataKey(m, a, one, true))).toEqual({
          ...base,
          action: 'removeKey',
          authority: a,
          field: null,
          key: one,
          value: null,
        })
        expect(bodyOf(metadata.updateMetadataAuthority(m, a, null))).toEqual({
          kind: 'authority',
          program: TOKEN_2022_PROGRAM,
          account: m,
          which: 'METADATA_UPDATE',
          authority: a,
          next: null,
        })
      }),
      run,
    )
  })
})

describe('lookup tables, compute budget, memo', () => {
  it('reads tables with what they cost and give back', () => {
    fc.assert(
      fc.property(four, fc.array(anyAddress, { minLength: 1, maxLength: 20 }), ([a, b, t], addresses) => {
        const made = table.createTable({ authority: a, payer: b, recentSlot: 9n })
        const none = { payer: null, recipient: null, growthBytes: 0, addresses: [] }
        expect(bodyOf(made.instruction)).toEqual({
          kind: 'table',
          action: 'create',
          table: made.table,
          authority: a,
          ...none,
          payer: b,
          growthBytes: 56,
        })
        const base = { kind: 'table', table: t, authority: a, ...none }
        const extended = table.extendTable({ table: t, authority: a, payer: b, addresses })
        const growth = { action: 'extend', growthBytes: 32 * addresses.length, addresses }
        expect(bodyOf(extended)).toEqual({ ...base, ...growth, payer: b })
        expect(bodyOf({ ...extended, accounts: extended.accounts.slice(0, 2) })).toEqual({ ...base, ...growth })
        expect(bodyOf(table.freezeTable(t, a))).toEqual({ ...base, action: 'freeze' })
        expect(bodyOf(table.deactivateTable(t, a))).toEqual({ ...base, action: 'deactivate' })
        expect(bodyOf(table.closeTable(t, a, b))).toEqual({ ...base, action: 'close', recipient: b })
      }),
      { numRuns: 20 },
    )
  })

  it('reads budget and memo, and gives every effect its place', () => {
    fc.assert(
      fc.property(four, fc.nat(1_400_000), amount, text, ([a, b], units, microLamports, words) => {
        const budget = [computeUnitLimit(units), computeUnitPrice(microLamports)]
        const effects = effectsOf(...budget, memo(words, [a]), system.transferLamports(a, b, 1n))
        expect(effects).toMatchObject([
          { kind: 'computeLimit', units, index: 0, type: 'SET_COMPUTE_UNIT_LIMIT', signers: [] },
          { kind: 'computePrice', microLamports, index: 1, type: 'SET_COMPUTE_UNIT_PRICE', signers: [] },
          { kind: 'memo', text: words, index: 2, type: 'MEMO', signers: [a] },
          { kind: 'lamports', index: 3, type: 'TRANSFER', programId: SYSTEM_PROGRAM, signers: [a] },
        ])
        expect(effectOf('lamports', system.transferLamports(feePayer, b, 1n)).signers).toEqual([feePayer])
      }),
      run,
    )
  })
})
