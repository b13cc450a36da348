// The only file that uses the engine (LiteSVM, its raw-byte interface). The engine's own blockhash check and history
// are off: the bank provides both. Pass only parsed input: the engine aborts the process on malformed bytes and wrong
// lengths.

import { createRequire } from 'node:module'
import type * as Engine from 'litesvm/dist/internal.js'
import type { InnerInstructionSet } from './contract.ts'
import { encodeBase58 } from './base58.ts'
import type { EngineError } from './errors.ts'

// CommonJS without an exports map: loaded by `require`, so that no bundler or loader rewrites it.
const engine = createRequire(import.meta.url)('litesvm/dist/internal.js') as typeof Engine

/** An account as the engine holds it. `owner` and `data` are copies. */
export interface VmAccount {
  readonly lamports: bigint
  readonly owner: Uint8Array
  readonly data: Uint8Array
  readonly executable: boolean
}

export interface VmResult {
  readonly error: EngineError | null
  readonly logs: readonly string[]
  readonly computeUnits: bigint
  readonly inner: readonly InnerInstructionSet[]
  readonly returnData: { readonly programId: string; readonly data: Uint8Array } | null
}

export interface VmSimulation extends VmResult {
  /** State after a successful simulation; null for a failed one. */
  readonly after: ReadonlyMap<string, VmAccount> | null
}

export interface VmClock {
  readonly slot: number
  readonly epoch: number
  /** Unix seconds. */
  readonly epochStart: number
  readonly time: number
}

export interface Vm {
  execute(bytes: Uint8Array): VmResult
  /** Does not check signatures. */
  simulate(bytes: Uint8Array): VmSimulation
  /** `address` must have 32 bytes. Null for an account that does not exist or has no lamports. */
  account(address: Uint8Array): VmAccount | null
  /** Only the lamports, at a fifth of the cost. */
  lamports(address: Uint8Array): bigint
  setAccount(address: Uint8Array, account: VmAccount): void
  setClock(clock: VmClock): void
  rentExemptLamports(dataLength: number): bigint
  /** Every account of these owners in the engine: at the start, the bundled programs, sysvars and native mints. */
  bundled(owners: readonly Uint8Array[]): readonly { readonly address: Uint8Array; readonly account: VmAccount }[]
}

function errorOf(failed: Engine.FailedTransactionMetadata): EngineError {
  const error = failed.err()
  if (typeof error === 'number') return error
  if (error instanceof engine.TransactionErrorInstructionError) {
    const inner = error.err()
    if (typeof inner === 'number') return { kind: 'instruction', index: error.index, error: inner }
    if (inner instanceof engine.InstructionErrorCustom)
      return { kind: 'instruction', index: error.index, error: { custom: inner.code } }
    return { kind: 'instruction', index: error.index, error: { borsh: inner.msg } }
  }
  if (error instanceof engine.TransactionErrorDuplicateInstruction)
    return { kind: 'DuplicateInstruction', index: error.index }
  const isRent = error instanceof engine.TransactionErrorInsufficientFundsForRent
  return {
    kind: isRent ? 'InsufficientFundsForRent' : 'ProgramExecutionTemporarilyRestricted',
    accountIndex: error.accountIndex,
  }
}

function innerOf(meta: Engine.TransactionMetadata): InnerInstructionSet[] {
  const sets: InnerInstructionSet[] = []
  const all = meta.innerInstructions()
  for (let index = 0; index < all.length; index += 1) {
    const list = all[index]!
    if (list.length === 0) continue
    const instructions = list.map((inner) => {
      const compiled = inner.instruction()
      const accounts = [...compiled.accounts()]
      return {
        programIdIndex: compiled.programIdIndex(),
        accounts,
        data: compiled.data(),
        stackHeight: inner.stackHeight(),
      }
    })
    sets.push({ index, instructions })
  }
  return sets
}

function resultOf(meta: Engine.TransactionMetadata, error: EngineError | null): VmResult {
  const logs = meta.logs()
  // Return data is announced in the log; checking the log is cheaper than requesting it.
  const returned = logs.some((line) => line.startsWith('Program return: ') || line === 'Log truncated')
    ? meta.returnData()
    : null
  const data = returned?.data()
  return {
    error,
    logs,
    computeUnits: meta.computeUnitsConsumed(),
    inner: innerOf(meta),
    returnData: returned && data && data.length > 0 ? { programId: encodeBase58(returned.programId()), data } : null,
  }
}

function accountOf(account: Engine.Account | null): VmAccount | null {
  if (!account) return null
  const lamports = account.lamports()
  if (lamports === 0n) return null
  return { lamports, owner: account.owner(), data: account.data(), executable: account.executable() }
}

/** A new engine with the bundled programs and native mints; takes about 10 ms. */
export function startVm(): Vm {
  const svm = new engine.LiteSvm()
  svm.setTransactionHistory(0n)
  svm.setBlockhashCheck(false)
  svm.setEpochSchedule(new engine.EpochSchedule(432_000n, 432_000n, false, 0n, 0n))
  svm.withNativeMints()
  return {
    execute(bytes) {
      const result = svm.sendVersionedTransaction(bytes)
      if (result instanceof engine.FailedTransactionMetadata) return resultOf(result.meta(), errorOf(result))
      return resultOf(result, null)
    },

    simulate(bytes) {
      svm.setSigverify(false)
      try {
        const result = svm.simulateVersionedTransaction(bytes)
        if (result instanceof engine.FailedTransactionMetadata)
          return { ...resultOf(result.meta(), errorOf(result)), after: null }
        const after = new Map<string, VmAccount>()
        for (const entry of result.postAccounts()) {
          const account = accountOf(entry.account())
          if (account) after.set(Buffer.from(entry.address).toString('latin1'), account)
        }
        return { ...resultOf(result.meta(), null), after }
      } finally {
        svm.setSigverify(true)
      }
    },

    account: (address) => accountOf(svm.getAccount(address)),
    lamports: (address) => svm.getBalance(address) ?? 0n,

    setAccount(address, account) {
      svm.setAccount(
        address,
        new engine.Account(account.lamports, account.data, account.owner, account.executable, 0xffff_ffff_ffff_ffffn),
      )
    },

    setClock({ slot, epoch, epochStart, time }) {
      svm.setClock(new engine.Clock(BigInt(slot), BigInt(epochStart), BigInt(epoch), BigInt(epoch + 1), BigInt(time)))
    },

    rentExemptLamports: (dataLength) => svm.minimumBalanceForRentExemption(BigInt(dataLength)),

    bundled: (owners) =>
      owners.flatMap((owner) =>
        svm.getProgramAccounts(owner).flatMap((entry) => {
          const account = accountOf(entry.account())
          return account ? [{ address: entry.address, account }] : []
        }),
      ),
  }
}
