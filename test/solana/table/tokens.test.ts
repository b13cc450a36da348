// The table parses the instructions of the token programs from the builders and the stock builders.
import fc from 'fast-check'
import * as token from '@solana/spl-token'
import { PublicKey } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../src/solana/address.ts'
import { associatedTokenAddress } from '../../../src/solana/derive.ts'
import { createAssociatedIdempotent } from '../../../src/solana/instructions/associated-token.ts'
import * as metadata from '../../../src/solana/instructions/metadata.ts'
import * as extension from '../../../src/solana/instructions/mint-extensions.ts'
import * as update from '../../../src/solana/instructions/mint-updates.ts'
import * as life from '../../../src/solana/instructions/token-account.ts'
import * as moving from '../../../src/solana/instructions/token.ts'
import { amount, anyAddress, fromWeb3, key } from '../arbitraries.ts'
import { bodyOf, effectOf } from '../classified.ts'
import { updateMetadataPointer } from '../other-instructions.ts'
import { four, text, run } from './arbitraries.ts'

const program = fc.constantFrom(TOKEN_PROGRAM, TOKEN_2022_PROGRAM)

const decimals = fc.nat(9)

describe('token programs', () => {
  it('parses transfers, mints and burns, checked or not', () => {
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

  it('parses a transfer with a fee, and the signers of a multisig', () => {
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

  it('parses the creation and the closing of mints and accounts', () => {
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

  it('parses associated accounts', () => {
    fc.assert(
      fc.property(four, program, ([payer, owner, mint], tokenProgram) => {
        const request = { payer, owner, mint, tokenProgram }
        const expected = {
          kind: 'createAssociated',
          ...request,
          account: associatedTokenAddress(owner, mint, tokenProgram),
        }
        const idempotent = createAssociatedIdempotent(request)
        expect(bodyOf(idempotent)).toEqual({ ...expected, idempotent: true })
        // Without a discriminator, or with 0, creating an account that exists fails.
        for (const data of [Uint8Array.of(), Uint8Array.of(0)])
          expect(bodyOf({ ...idempotent, data })).toEqual({ ...expected, idempotent: false })
      }),
      { numRuns: 20 },
    )
  })

  it('parses extensions', () => {
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
        const extensionEffect = (name: string, value: string | null) => ({
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
        expect(bodyOf(updateMetadataPointer(m, a, b))).toEqual(extensionEffect('METADATA_POINTER', b))
        expect(bodyOf(extension.initializeDefaultAccountState(m, 'FROZEN'))).toEqual(
          first('DEFAULT_ACCOUNT_STATE', null, 'FROZEN'),
        )
        expect(bodyOf(update.updateDefaultAccountState({ ...by, state: 'INITIALIZED' }))).toEqual(
          extensionEffect('DEFAULT_ACCOUNT_STATE', 'INITIALIZED'),
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
          extensionEffect('SCALED_UI_AMOUNT', String(multiplier)),
        )
        expect(bodyOf(extension.initializeTransferHook(m, a, b))).toEqual(first('TRANSFER_HOOK', a, b))
        expect(bodyOf(update.updateTransferHook({ ...by, hookProgram: null }))).toEqual(
          extensionEffect('TRANSFER_HOOK', null),
        )
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

  it('parses metadata', () => {
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
          initial: { symbol: two, uri: '', updateAuthority: a },
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
