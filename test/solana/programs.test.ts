// The real programs accept the instructions of the builders, sizes equal the computed ones, and the layouts parse the
// data of the programs.
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import * as token from '@solana/spl-token'
import { unpack } from '@solana/spl-token-metadata'
import { AddressLookupTableAccount, NonceAccount } from '@solana/web3.js'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  addressBytes,
  addressOf,
  LOOKUP_TABLE_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../src/solana/address.ts'
import { compileMessage } from '../../src/solana/compile.ts'
import { associatedTokenAddress } from '../../src/solana/derive.ts'
import { FormatError } from '../../src/solana/format-error.ts'
import { createAssociatedIdempotent } from '../../src/solana/instructions/associated-token.ts'
import { computeUnitLimit, computeUnitPrice } from '../../src/solana/instructions/compute-budget.ts'
import { createTable, extendTable, freezeTable } from '../../src/solana/instructions/lookup-table.ts'
import { memo } from '../../src/solana/instructions/memo.ts'
import { initializeMetadata, removeMetadataKey, updateMetadataField } from '../../src/solana/instructions/metadata.ts'
import * as extension from '../../src/solana/instructions/mint-extensions.ts'
import * as update from '../../src/solana/instructions/mint-updates.ts'
import { advanceNonce, initializeNonce, NONCE_SPACE } from '../../src/solana/instructions/nonce.ts'
import { assign, createAccountInstruction, transferLamports } from '../../src/solana/instructions/system.ts'
import * as life from '../../src/solana/instructions/token-account.ts'
import * as moving from '../../src/solana/instructions/token.ts'
import { assembleTransaction, type Instruction } from '../../src/solana/message.ts'
import { MINT_EXTENSIONS, type MintExtension } from '../../src/solana/mint-extensions.ts'
import { decodeMint, extensionNames, multiplierAt } from '../../src/solana/mint-layout.ts'
import { associatedAccountBytes, type MintMetadata, mintSize, plainAccountBytes } from '../../src/solana/mint-size.ts'
import { decodeLookupTable, decodeNonce } from '../../src/solana/system-layout.ts'
import { decodeTokenAccount } from '../../src/solana/token-layout.ts'
import { startVm, type Vm } from '../../src/localnet/vm.ts'
import { key } from './arbitraries.ts'
import { authorizeNonce, withdrawNonce } from './other-instructions.ts'

interface Party {
  readonly address: string
  readonly secret: KeyObject
}

function party(): Party {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return { address: addressOf(Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url')), secret: privateKey }
}

const CLOCK = 'SysvarC1ock11111111111111111111111111111111'
const metadata: MintMetadata = {
  name: 'Näme',
  symbol: 'SYM',
  uri: 'https://example.org/x',
  additional: [['colour', 'blue']],
}

let vm: Vm
let payer: Party
let round = 0

beforeEach(() => {
  vm = startVm()
  payer = party()
  const wallet = {
    lamports: 10n ** 12n,
    owner: addressBytes(SYSTEM_PROGRAM),
    data: new Uint8Array(),
    executable: false,
  }
  vm.setAccount(addressBytes(payer.address), wallet)
})

/** Executes with the fee payer and these signers. */
function run(instructions: Instruction[], ...signers: Party[]): void {
  round++
  const blockhash = addressOf(Uint8Array.from({ length: 32 }, (_, i) => (i < 4 ? (round >> (8 * i)) & 255 : 1)))
  const message = compileMessage({ feePayer: payer.address, instructions, blockhash, version: 'V0' })
  const secrets = new Map([payer, ...signers].map((each) => [each.address, each.secret]))
  const signatures = message.signers.map((address) => sign(null, message.bytes, secrets.get(address)!))
  expect(vm.execute(assembleTransaction(message, signatures)).error).toBeNull()
}

function dataOf(address: string): Uint8Array {
  return vm.account(addressBytes(address))!.data
}

const info = (address: string) => {
  const account = vm.account(addressBytes(address))!
  return { data: Buffer.from(account.data), owner: key(addressOf(account.owner)), lamports: 1, executable: false }
}

const initialisers: Record<Exclude<MintExtension, 'TOKEN_METADATA'>, (mint: string) => Instruction> = {
  METADATA_POINTER: (mint) => extension.initializeMetadataPointer(mint, payer.address, mint),
  DEFAULT_ACCOUNT_STATE: (mint) => extension.initializeDefaultAccountState(mint, 'INITIALIZED'),
  PERMANENT_DELEGATE: (mint) => extension.initializePermanentDelegate(mint, payer.address),
  MINT_CLOSE: (mint) => extension.initializeMintCloseAuthority(mint, payer.address),
  PAUSABLE: (mint) => extension.initializePausable(mint, payer.address),
  SCALED_UI_AMOUNT: (mint) => extension.initializeScaledUiAmount(mint, payer.address, 1.5),
  TRANSFER_HOOK: (mint) => extension.initializeTransferHook(mint, payer.address, null),
  CONFIDENTIAL_TRANSFER: (mint) =>
    extension.initializeConfidentialTransfer(mint, {
      authority: payer.address,
      autoApproveNewAccounts: true,
      auditorKey: null,
    }),
  CONFIDENTIAL_MINT_BURN: (mint) =>
    extension.initializeConfidentialMintBurn(mint, new Uint8Array(32).fill(7), new Uint8Array(36)),
}

/** Every instruction of a new mint whose every authority is the fee payer. */
function newMint(mint: string, extensions: readonly MintExtension[], withMetadata?: MintMetadata): Instruction[] {
  const [size, names] = [mintSize(extensions, withMetadata), new Set(extensions)]
  if (withMetadata) names.add('METADATA_POINTER')
  names.delete('TOKEN_METADATA')
  const at = payer.address
  return [
    createAccountInstruction({
      payer: at,
      account: mint,
      lamports: vm.rentExemptLamports(size.finalBytes),
      space: size.allocationBytes,
      owner: TOKEN_2022_PROGRAM,
    }),
    ...[...names].map((name) => initialisers[name as keyof typeof initialisers](mint)),
    life.initializeMint({ program: TOKEN_2022_PROGRAM, mint, decimals: 2, mintAuthority: at, freezeAuthority: at }),
    ...(withMetadata ? [initializeMetadata({ mint, mintAuthority: at, updateAuthority: at, ...withMetadata })] : []),
    ...(withMetadata?.additional ?? []).map(([field, value]) => updateMetadataField(mint, at, { key: field }, value)),
  ]
}

describe('mints', () => {
  it('have all ten extensions at the computed sizes, and are parsed back', () => {
    const mint = party()
    const all = Object.keys(MINT_EXTENSIONS) as MintExtension[]
    run(newMint(mint.address, all, metadata), mint)
    expect(dataOf(mint.address).length).toBe(mintSize(all, metadata).finalBytes)
    const decoded = decodeMint(dataOf(mint.address), TOKEN_2022_PROGRAM)
    const by = payer.address
    expect(decoded).toMatchObject({
      version: 'TOKEN_2022',
      mintAuthority: by,
      supply: 0n,
      decimals: 2,
      freezeAuthority: by,
    })
    expect(extensionNames(decoded)).toEqual(all)
    expect(decoded.extensions).toEqual({
      metadataPointer: { authority: by, metadata: mint.address },
      metadata: { updateAuthority: by, mint: mint.address, ...metadata },
      defaultState: 'INITIALIZED',
      permanentDelegate: { delegate: by },
      close: { authority: by },
      pausable: { authority: by, paused: false },
      scaledUiAmount: { authority: by, multiplier: 1.5, newMultiplierEffectiveAt: 0n, newMultiplier: 1.5 },
      transferHook: { authority: by, program: null },
      confidentialTransfer: { authority: by },
    })
    const stock = token.unpackMint(key(mint.address), info(mint.address), key(TOKEN_2022_PROGRAM))
    const value = token.getExtensionData(token.ExtensionType.TokenMetadata, stock.tlvData)!
    expect(unpack(value)).toMatchObject({ name: metadata.name, symbol: metadata.symbol, uri: metadata.uri })
  })

  it('are accepted with any combination, at exactly the computed size', () => {
    const fixed = Object.keys(initialisers) as MintExtension[]
    const lengths = fc.option(fc.integer({ min: 0, max: 60 }), { nil: null })
    fc.assert(
      fc.property(fc.subarray(fixed), lengths, (chosen, uriLength) => {
        const extensions = chosen.filter(
          (name) => name !== 'CONFIDENTIAL_MINT_BURN' || chosen.includes('CONFIDENTIAL_TRANSFER'),
        )
        const text =
          uriLength === null ? undefined : { name: 'N', symbol: 'S', uri: 'u'.repeat(uriLength), additional: [] }
        const mint = party()
        run(newMint(mint.address, extensions, text), mint)
        expect(dataOf(mint.address).length).toBe(mintSize(extensions, text).finalBytes)
        const account = party()
        const types = decodeMint(dataOf(mint.address), TOKEN_2022_PROGRAM).extensionTypes
        const [plain, rent] = [plainAccountBytes(types), vm.rentExemptLamports(plainAccountBytes(types))]
        const at = {
          payer: payer.address,
          account: account.address,
          lamports: rent,
          space: plain,
          owner: TOKEN_2022_PROGRAM,
        }
        const associated = {
          payer: payer.address,
          owner: account.address,
          mint: mint.address,
          tokenProgram: TOKEN_2022_PROGRAM,
        }
        run(
          [
            createAccountInstruction(at),
            life.initializeAccount(TOKEN_2022_PROGRAM, account.address, mint.address, payer.address),
            createAssociatedIdempotent(associated),
          ],
          account,
        )
        const address = associatedTokenAddress(account.address, mint.address, TOKEN_2022_PROGRAM)
        expect(dataOf(address).length).toBe(associatedAccountBytes(types))
      }),
      { numRuns: 40 },
    )
  })

  it('skip the size of a multisig', () => {
    const mint = party()
    const text = { name: '', symbol: '', uri: 'u'.repeat(117 - 80), additional: [] }
    run(newMint(mint.address, [], text), mint)
    expect(dataOf(mint.address).length).toBe(357)
  })

  it('can be created in an account that was allocated before', () => {
    const mint = party()
    const { allocationBytes } = mintSize(['PAUSABLE'])
    const lamports = vm.rentExemptLamports(allocationBytes)
    run(
      [
        createAccountInstruction({
          payer: payer.address,
          account: mint.address,
          lamports,
          space: allocationBytes,
          owner: SYSTEM_PROGRAM,
        }),
      ],
      mint,
    )
    run([assign(mint.address, TOKEN_2022_PROGRAM), ...newMint(mint.address, ['PAUSABLE']).slice(1)], mint)
    expect(decodeMint(dataOf(mint.address), TOKEN_2022_PROGRAM).extensions.pausable?.paused).toBe(false)
  })

  it('obey their authorities', () => {
    const mint = party()
    const by = { mint: mint.address, authority: payer.address }
    run(
      newMint(
        mint.address,
        ['PAUSABLE', 'SCALED_UI_AMOUNT', 'DEFAULT_ACCOUNT_STATE', 'TRANSFER_HOOK', 'MINT_CLOSE'],
        metadata,
      ),
      mint,
    )
    run([
      update.pauseMint(by),
      update.updateMultiplier({ ...by, multiplier: 2.25, effectiveAt: 4_000_000_000n }),
      update.updateDefaultAccountState({ ...by, state: 'FROZEN' }),
      update.updateTransferHook({ ...by, hookProgram: TOKEN_PROGRAM }),
      removeMetadataKey(mint.address, payer.address, 'colour', false),
      updateMetadataField(mint.address, payer.address, { field: 'symbol' }, 'S'),
    ])
    const { extensions } = decodeMint(dataOf(mint.address), TOKEN_2022_PROGRAM)
    expect(extensions).toMatchObject({
      pausable: { paused: true },
      defaultState: 'FROZEN',
      transferHook: { program: TOKEN_PROGRAM },
      metadata: { symbol: 'S', additional: [] },
      scaledUiAmount: { multiplier: 1.5, newMultiplier: 2.25, newMultiplierEffectiveAt: 4_000_000_000n },
    })
    expect(multiplierAt(extensions.scaledUiAmount!, 3_999_999_999n)).toBe(1.5)
    expect(multiplierAt(extensions.scaledUiAmount!, 4_000_000_000n)).toBe(2.25)
    const onMint = { program: TOKEN_2022_PROGRAM, account: mint.address, authority: payer.address }
    run([update.resumeMint(by), life.setAuthority({ ...onMint, which: 'FREEZE_ACCOUNT', next: null })])
    expect(decodeMint(dataOf(mint.address), TOKEN_2022_PROGRAM).freezeAuthority).toBeNull()
    const refund = party().address
    run([life.closeTokenAccount({ ...onMint, destination: refund })])
    expect(vm.account(addressBytes(mint.address))).toBeNull()
  })
})

describe('token accounts', () => {
  it.each([TOKEN_PROGRAM, TOKEN_2022_PROGRAM])('can be transferred from, frozen and closed under %s', (program) => {
    const [mint, owner] = [party(), party()]
    const by = payer.address
    const space = 82
    run(
      [
        createAccountInstruction({
          payer: by,
          account: mint.address,
          lamports: vm.rentExemptLamports(space),
          space,
          owner: program,
        }),
        life.initializeMint({ program, mint: mint.address, decimals: 2, mintAuthority: by, freezeAuthority: by }),
        ...[by, owner.address].map((each) =>
          createAssociatedIdempotent({ payer: by, owner: each, mint: mint.address, tokenProgram: program }),
        ),
      ],
      mint,
    )
    const [ownPosition, otherPosition] = [by, owner.address].map((each) =>
      associatedTokenAddress(each, mint.address, program),
    ) as [string, string]
    const common = { program, mint: mint.address, decimals: 2 }
    run(
      [
        computeUnitLimit(200_000),
        computeUnitPrice(1n),
        memo('grüezi'),
        moving.mintToChecked({ ...common, destination: ownPosition, amount: 100n, authority: by }),
        moving.transferChecked({
          ...common,
          source: ownPosition,
          destination: otherPosition,
          amount: 30n,
          authority: by,
        }),
        moving.burnChecked({ ...common, source: otherPosition, amount: 10n, authority: owner.address }),
        life.freezeTokenAccount({ program, account: otherPosition, mint: mint.address, authority: by }),
      ],
      owner,
    )
    expect(decodeMint(dataOf(mint.address), program)).toMatchObject({
      supply: 90n,
      decimals: 2,
      extensionTypes: [],
      extensions: {},
    })
    const frozenAccount = decodeTokenAccount(dataOf(otherPosition), program)
    expect(frozenAccount).toMatchObject({ owner: owner.address, mint: mint.address, amount: 20n, state: 'FROZEN' })
    expect(frozenAccount).toMatchObject({ delegate: null, closeAuthority: null })
    const stock = token.unpackAccount(key(otherPosition), info(otherPosition), key(program))
    expect(stock).toMatchObject({ amount: 20n, isFrozen: true, isInitialized: true })
    run(
      [
        life.thawTokenAccount({ program, account: otherPosition, mint: mint.address, authority: by }),
        moving.burnChecked({ ...common, source: otherPosition, amount: 20n, authority: owner.address }),
        life.closeTokenAccount({
          program,
          account: otherPosition,
          destination: owner.address,
          authority: owner.address,
        }),
      ],
      owner,
    )
    expect(vm.account(addressBytes(otherPosition))).toBeNull()
    expect(() => decodeTokenAccount(dataOf(mint.address), program)).toThrow(FormatError)
    expect(() => decodeMint(dataOf(ownPosition), program)).toThrow(FormatError)
  })
})

describe('nonces and tables', () => {
  it('are parsed back', () => {
    const [nonce, authority] = [party(), party()]
    const lamports = vm.rentExemptLamports(NONCE_SPACE)
    run(
      [
        createAccountInstruction({
          payer: payer.address,
          account: nonce.address,
          lamports,
          space: NONCE_SPACE,
          owner: SYSTEM_PROGRAM,
        }),
        initializeNonce(nonce.address, authority.address),
        transferLamports(payer.address, authority.address, 10_000_000n),
      ],
      nonce,
    )
    const decoded = decodeNonce(dataOf(nonce.address), SYSTEM_PROGRAM)
    const stock = NonceAccount.fromAccountData(Buffer.from(dataOf(nonce.address)))
    expect(decoded).toEqual({ authority: authority.address, value: stock.nonce })
    run([advanceNonce(nonce.address, authority.address)], authority)
    expect(decodeNonce(dataOf(nonce.address), SYSTEM_PROGRAM).value).not.toBe(decoded.value)
    run([authorizeNonce(nonce.address, authority.address, payer.address)], authority)
    expect(decodeNonce(dataOf(nonce.address), SYSTEM_PROGRAM).authority).toBe(payer.address)
    // A partial withdrawal leaves the rent, so there must be more than that.
    run([transferLamports(payer.address, nonce.address, 77n)])
    run([withdrawNonce(nonce.address, payer.address, authority.address, 77n)])
    expect(vm.lamports(addressBytes(authority.address))).toBe(10_000_077n)

    const { instruction, table } = createTable({
      authority: payer.address,
      payer: payer.address,
      recentSlot: Buffer.from(dataOf(CLOCK)).readBigUInt64LE(0),
    })
    const addresses = [nonce.address, authority.address]
    run([instruction, extendTable({ table, authority: payer.address, payer: payer.address, addresses })])
    const state = decodeLookupTable(dataOf(table), LOOKUP_TABLE_PROGRAM)
    expect(state).toMatchObject({ authority: payer.address, deactivationSlot: null, addresses, lastExtendedStart: 0 })
    expect(AddressLookupTableAccount.deserialize(dataOf(table)).addresses.map((each) => each.toBase58())).toEqual(
      addresses,
    )
    run([freezeTable(table, payer.address)])
    expect(decodeLookupTable(dataOf(table), LOOKUP_TABLE_PROGRAM).authority).toBeNull()
  })
})
