// Foreign instructions are refused by name, never by an exception, and never change what own instructions may do.
import fc from 'fast-check'
import * as token from '@solana/spl-token'
import { describe, expect, it } from 'vitest'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  LOOKUP_TABLE_PROGRAM,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../src/solana/address.ts'
import { advanceNonce, initializeNonce } from '../../../src/solana/instructions/nonce.ts'
import { assign, createAccountInstruction, transferLamports } from '../../../src/solana/instructions/system.ts'
import { initializeAccount, setAuthority } from '../../../src/solana/instructions/token-account.ts'
import { transferChecked } from '../../../src/solana/instructions/token.ts'
import { updateMetadataAuthority } from '../../../src/solana/instructions/metadata.ts'
import type { Instruction } from '../../../src/solana/message.ts'
import { TABLE, classify } from '../../../src/solana/table/classify.ts'
import { foreignRefusal } from '../../../src/solana/table/foreign.ts'
import { compileMessage } from '../../../src/solana/compile.ts'
import { addressNumber, fromWeb3, key, poolAddress } from '../arbitraries.ts'
import { effectOf, effectsOf, feePayer } from '../classified.ts'
import { allocate, authorizeNonce, withdrawNonce } from '../other-instructions.ts'

const [ownAddress, outside, another, mint, wallet] = [
  addressNumber(40),
  addressNumber(41),
  addressNumber(42),
  addressNumber(43),
  addressNumber(44),
]
const rules = {
  isManaged: (address: string) => address === ownAddress || address === feePayer,
  isFixed: (address: string) => address === wallet,
  allowedPrograms: new Set<string>(),
}
const PROGRAMS = [...TABLE.keys()]

function raw(program: string, data: readonly number[], accounts = 8): Instruction {
  const list = Array.from({ length: accounts }, (_, i) => ({
    address: addressNumber(i + 1),
    signer: i === 7,
    writable: true,
  }))
  return { program, accounts: list, data: Uint8Array.from(data) }
}

const refusalOf = (instruction: Instruction) => foreignRefusal(effectsOf(instruction), rules)

describe('hostile instructions', () => {
  it('never throw, with any program, data and accounts', () => {
    const accounts = fc.array(fc.record({ address: poolAddress, signer: fc.boolean(), writable: fc.boolean() }), {
      maxLength: 9,
    })
    const data = fc.oneof(
      fc.uint8Array({ maxLength: 120 }),
      fc
        .tuple(fc.nat(60), fc.nat(3), fc.uint8Array({ maxLength: 90 }))
        .map(([a, b, rest]) => Uint8Array.from([a, b, ...rest])),
      fc
        .tuple(fc.nat(14), fc.uint8Array({ maxLength: 110 }))
        .map(([a, rest]) => Uint8Array.from([a, 0, 0, 0, ...rest])),
    )
    fc.assert(
      fc.property(fc.constantFrom(...PROGRAMS), accounts, data, (program, list, bytes) => {
        const [effect] = effectsOf({ program, accounts: list, data: bytes })
        expect(effect?.programId).toBe(program)
        if (effect?.kind === 'refused') expect(effect.foreign).toBe('refused')
      }),
      { numRuns: 3000 },
    )
  })

  it('never throw when keys are missing', () => {
    const instruction = transferLamports(ownAddress, outside, 1n)
    const message = compileMessage({ feePayer, instructions: [instruction], blockhash: mint, version: 'V0' })
    expect(classify(message, [])[0]?.kind).toBe('refused')
    expect(classify(message, message.staticKeys.slice(0, 1))[0]?.kind).toBe('refused')
  })

  it('are accepted only as a whole: a byte less or more is refused', () => {
    const instructions = [
      transferLamports(ownAddress, outside, 5n),
      transferChecked({
        program: TOKEN_PROGRAM,
        source: ownAddress,
        mint,
        destination: outside,
        authority: another,
        amount: 5n,
        decimals: 2,
      }),
      setAuthority({
        program: TOKEN_2022_PROGRAM,
        account: mint,
        authority: ownAddress,
        which: 'MINT_TOKENS',
        next: outside,
      }),
      updateMetadataAuthority(mint, ownAddress, outside),
      authorizeNonce(outside, another, ownAddress),
    ]
    for (const instruction of instructions) {
      expect(effectsOf(instruction)[0]?.kind).not.toBe('refused')
      for (const data of [instruction.data.slice(0, -1), Uint8Array.from([...instruction.data, 0])]) {
        expect(effectOf('refused', { ...instruction, data }).reason).toBe('INSTRUCTION_MALFORMED')
      }
      const accounts = instruction.accounts.slice(0, -1)
      if (instruction.program !== TOKEN_PROGRAM)
        expect(effectOf('refused', { ...instruction, accounts }).kind).toBe('refused')
    }
  })

  it('have no second signer behind the authority of a nonce', () => {
    const hidden = { address: ownAddress, signer: true, writable: false }
    const all = [
      advanceNonce(outside, another),
      withdrawNonce(outside, another, mint, 5n),
      authorizeNonce(outside, another, mint),
    ]
    for (const instruction of all) {
      expect(effectOf('refused', { ...instruction, accounts: [...instruction.accounts, hidden] }).reason).toBe(
        'INSTRUCTION_MALFORMED',
      )
    }
    // The receiver may be a signer itself, and then the program would take its consent: it is listed.
    expect(effectOf('lamports', withdrawNonce(outside, another, feePayer, 5n)).signers).toEqual([feePayer, another])
  })
})

describe('refused instructions', () => {
  const namedInstructions: [string, string, number[]][] = [
    [SYSTEM_PROGRAM, 'CREATE_ACCOUNT_ALLOW_PREFUND', [13, 0, 0, 0]],
    [SYSTEM_PROGRAM, 'UNKNOWN_63000000', [99, 0, 0, 0]],
    [TOKEN_PROGRAM, 'BATCH', [255, 3, 9]],
    [TOKEN_2022_PROGRAM, 'BATCH', [255, 3, 9]],
    [TOKEN_PROGRAM, 'WITHDRAW_EXCESS_LAMPORTS', [38]],
    [TOKEN_2022_PROGRAM, 'WITHDRAW_EXCESS_LAMPORTS', [38]],
    [TOKEN_PROGRAM, 'UNWRAP_LAMPORTS', [45, 0]],
    [TOKEN_2022_PROGRAM, 'UNWRAP_LAMPORTS', [45, 0]],
    [TOKEN_PROGRAM, 'UNKNOWN_24', [0x24]],
    [TOKEN_2022_PROGRAM, 'REALLOCATE', [29, 1, 0]],
    [TOKEN_2022_PROGRAM, 'CREATE_NATIVE_MINT', [31]],
    [TOKEN_2022_PROGRAM, 'MEMO_TRANSFER', [30, 0]],
    [TOKEN_2022_PROGRAM, 'CPI_GUARD', [34, 0]],
    [TOKEN_2022_PROGRAM, 'CONFIDENTIAL_TRANSFER', [27, 5]],
    [TOKEN_2022_PROGRAM, 'CONFIDENTIAL_MINT_BURN', [42, 3]],
    [TOKEN_2022_PROGRAM, 'TRANSFER_FEE', [26, 3]],
    [TOKEN_2022_PROGRAM, 'UNKNOWN_d2010203', [210, 1, 2, 3]],
    [TOKEN_2022_PROGRAM, 'UNKNOWN_2f', [47]],
    [ASSOCIATED_TOKEN_PROGRAM, 'RECOVER_NESTED', [2]],
    [ASSOCIATED_TOKEN_PROGRAM, 'UNKNOWN_03', [3]],
    [LOOKUP_TABLE_PROGRAM, 'UNKNOWN_05000000', [5, 0, 0, 0]],
    [COMPUTE_BUDGET_PROGRAM, 'REQUEST_UNITS', [0, 1, 0, 0, 0, 0, 0, 0, 0]],
    [COMPUTE_BUDGET_PROGRAM, 'UNKNOWN_09', [9]],
  ]

  it.each(namedInstructions)('%s %s', (program, name, data) => {
    const effect = effectOf('refused', raw(program, data))
    expect(effect).toMatchObject({ reason: 'INSTRUCTION_NOT_IN_TABLE', program, name, type: name })
    expect(refusalOf(raw(program, data))).toEqual(effect)
  })

  it('include other programs unless the organization allows them', () => {
    const instruction = raw(addressNumber(77), [1])
    const effects = effectsOf(instruction)
    expect(effects[0]).toMatchObject({ kind: 'refused', reason: 'PROGRAM_NOT_ALLOWED', program: addressNumber(77) })
    expect(foreignRefusal(effects, rules)).toBe(effects[0])
    expect(foreignRefusal(effects, { ...rules, allowedPrograms: new Set([addressNumber(77)]) })).toBeNull()
    const batch = effectsOf(raw(TOKEN_PROGRAM, [255]))
    expect(foreignRefusal(batch, { ...rules, allowedPrograms: new Set([TOKEN_PROGRAM]) })).toBe(batch[0])
  })

  it('include a memo that is not UTF-8', () => {
    expect(effectOf('refused', raw(MEMO_PROGRAM, [0xff, 0xfe])).name).toBe('MEMO')
  })
})

describe('rights over managed accounts', () => {
  const rights = (account: string, authority: string): Instruction[] => [
    setAuthority({ program: TOKEN_PROGRAM, account, authority, which: 'ACCOUNT_OWNER', next: another }),
    setAuthority({ program: TOKEN_2022_PROGRAM, account, authority, which: 'PERMANENT_DELEGATE', next: null }),
    fromWeb3(token.createApproveInstruction(key(account), key(another), key(authority), 1n)),
    fromWeb3(token.createApproveCheckedInstruction(key(account), key(mint), key(another), key(authority), 1n, 0)),
    updateMetadataAuthority(account, authority, another),
    authorizeNonce(account, authority, another),
  ]

  it('cannot be granted by a foreign transaction, but by one of the service', () => {
    for (const instruction of [
      ...rights(ownAddress, outside),
      ...rights(outside, ownAddress),
      assign(ownAddress, outside),
      allocate(ownAddress, 10),
    ]) {
      const effects = effectsOf(instruction)
      expect(effects[0]?.kind).not.toBe('refused')
      expect(foreignRefusal(effects, rules)).toBe(effects[0])
    }
  })

  it('14.2: instructions that turn a wallet into another type are refused by name', () => {
    const make = (account: string, owner: string, space: number): Instruction =>
      createAccountInstruction({ payer: outside, account, lamports: 5n, space, owner })
    const taking = (account: string): Instruction[] => [
      make(account, TOKEN_PROGRAM, 165),
      make(account, SYSTEM_PROGRAM, 80),
      assign(account, another),
      allocate(account, 80),
      initializeAccount(TOKEN_PROGRAM, account, mint, another),
      initializeNonce(account, another),
    ]
    for (const instruction of taking(wallet)) {
      const effects = effectsOf(instruction)
      expect(foreignRefusal(effects, rules)).toBe(effects[0])
    }
    for (const instruction of [...taking(outside), make(wallet, SYSTEM_PROGRAM, 0)])
      expect(refusalOf(instruction)).toBeNull()
  })

  it('of other owners are not checked', () => {
    for (const instruction of [...rights(outside, another), assign(outside, another), allocate(outside, 10)]) {
      expect(refusalOf(instruction)).toBeNull()
    }
  })

  it('covered by limits are left to the limits', () => {
    expect(refusalOf(transferLamports(ownAddress, outside, 5n))).toBeNull()
    expect(refusalOf(withdrawNonce(ownAddress, ownAddress, outside, 5n))).toBeNull()
  })
})
