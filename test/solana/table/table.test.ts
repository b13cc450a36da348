// The table parses the instructions of the builders (equal to the stock ones) and of the stock builders.
import fc from 'fast-check'
import { SystemProgram } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { SYSTEM_PROGRAM } from '../../../src/solana/address.ts'
import { computeUnitLimit, computeUnitPrice } from '../../../src/solana/instructions/compute-budget.ts'
import * as table from '../../../src/solana/instructions/lookup-table.ts'
import { memo } from '../../../src/solana/instructions/memo.ts'
import * as nonce from '../../../src/solana/instructions/nonce.ts'
import * as system from '../../../src/solana/instructions/system.ts'
import { amount, anyAddress, fromWeb3, key } from '../arbitraries.ts'
import { bodyOf, effectOf, effectsOf, feePayer } from '../classified.ts'
import { allocate, authorizeNonce, withdrawNonce } from '../other-instructions.ts'
import { four, text, run } from './arbitraries.ts'

describe('system', () => {
  it('finds debits of lamports with destination and authority', () => {
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
        expect(bodyOf(withdrawNonce(a, c, b, lamports))).toEqual({
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

  it('finds the payer and the owner of a new account', () => {
    fc.assert(
      fc.property(four, fc.nat(10_000_000), ([a, b, c, owner], space) => {
        const [lamports, size] = [BigInt(space) * 7n, BigInt(space)]
        expect(bodyOf(system.createAccountInstruction({ payer: a, account: b, lamports, space, owner }))).toEqual({
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
        expect(bodyOf(allocate(a, space))).toEqual({ kind: 'allocate', account: a, space: size, base: null })
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

  it('parses nonce instructions', () => {
    fc.assert(
      fc.property(four, ([a, b, c]) => {
        expect(bodyOf(nonce.advanceNonce(a, b))).toEqual({ kind: 'nonceAdvance', nonce: a, authority: b })
        expect(bodyOf(nonce.initializeNonce(a, b))).toEqual({ kind: 'nonceInitialize', nonce: a, authority: b })
        expect(bodyOf(authorizeNonce(a, b, c))).toEqual({
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

describe('lookup tables, compute budget, memo', () => {
  it('parses table instructions with their rent', () => {
    fc.assert(
      fc.property(four, fc.array(anyAddress, { minLength: 1, maxLength: 20 }), ([a, b, t], addresses) => {
        const creation = table.createTable({ authority: a, payer: b, recentSlot: 9n })
        const noEffect = { payer: null, recipient: null, growthBytes: 0, addresses: [] }
        expect(bodyOf(creation.instruction)).toEqual({
          kind: 'table',
          action: 'create',
          table: creation.table,
          authority: a,
          ...noEffect,
          payer: b,
          growthBytes: 56,
        })
        const base = { kind: 'table', table: t, authority: a, ...noEffect }
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

  it('parses budget and memo, and numbers each effect', () => {
    fc.assert(
      fc.property(four, fc.nat(1_400_000), amount, text, ([a, b], units, microLamports, words) => {
        const budget = [computeUnitLimit(units), computeUnitPrice(microLamports)]
        const signedMemo = { ...memo(words), accounts: [{ address: a, signer: true, writable: false }] }
        const effects = effectsOf(...budget, signedMemo, system.transferLamports(a, b, 1n))
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
