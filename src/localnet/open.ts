// Opens a data directory: loads the chain's identity, its slots, accounts and newest transactions from disk into memory
// and into a new engine. A start continues after every slot that the last run may have opened, so no slot or blockhash
// is used twice.

import { hash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { Accounts, asBuffer, storedAccount, type StoredAccount } from './accounts.ts'
import { decodeKey, encodeBase58 } from './base58.ts'
import { chunkOf, Commit, numberKey, locationOf, PREFIX, readBlockRow, type BlockRow } from './commit.ts'
import { FAUCET_LAMPORTS, newGenesis, parseGenesis, signerOf, type Genesis } from './genesis.ts'
import { GivenError, readGiven, type PreloadedState } from './given.ts'
import { History } from './history.ts'
import { Ledger } from './ledger.ts'
import { MESSAGE_BLOCKS, Recent, STATUS_SLOTS } from './recent.ts'
import { heightIn, readSegment, Segments, timeIn, type Segment } from './segments.ts'
import { SYSVAR_OWNER } from './sysvars.ts'
import type { Surroundings } from './surroundings.ts'
import { RESERVED_SLOTS } from './timeline.ts'
import { startVm, type Vm } from './vm.ts'

const GENESIS_KEY = Buffer.from('mgenesis')
/**
 * Slots searched for messages that could run again: the life of a blockhash, and slots that removed forks may have
 * skipped.
 */
const RECENT_SLOTS = 1000
const SYSTEM_OWNER = new Uint8Array(32)

/** Owners of the engine's bundled accounts: programs and native mints. */
const BUNDLED_OWNERS = [
  'NativeLoader1111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
]

/**
 * The engine has version 4 of the memo program at the address of version 3, which is compatible. Clients since
 * September 2026 call it at its own address.
 */
const MEMO_V3 = decodeKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')!
const MEMO_V4 = decodeKey('Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH')!

export interface OpenedChain {
  readonly genesis: Genesis
  readonly ledger: Ledger
  readonly vm: Vm
  readonly accounts: Accounts
  readonly sysvars: readonly StoredAccount[]
  readonly segments: Segments
  readonly openSlot: number
  readonly history: History
  readonly recent: Recent
  readonly lastChunk: number
  readonly transactionCount: number
}

export interface OpenOptions {
  readonly dataDir: string
  readonly slotMs: number
  readonly around: Surroundings
  readonly fatal: (error: unknown) => void
  /** See `redo.ts`. */
  readonly archiveLine?: string | undefined
  /** The new run begins at the time of the clock, even if blocks of an earlier run are later. */
  readonly putsBackTime?: boolean
  readonly given?: PreloadedState | undefined
}

const keyAfterPrefix = (key: Buffer): string => key.toString('latin1', 1)
const slotAfterPrefix = (key: Buffer): number => key.readUIntBE(1, 6)

function addNewestMemo(vm: Vm, accounts: Accounts): void {
  const bundled = accounts.get(MEMO_V3.toString('latin1'))
  if (bundled === null) return
  const newest = storedAccount(MEMO_V4.toString('latin1'), bundled, 0)
  vm.setAccount(MEMO_V4, newest)
  accounts.set(newest.key, newest)
}

async function loadAccounts(ledger: Ledger, vm: Vm, accounts: Accounts): Promise<void> {
  const programs: StoredAccount[] = []
  for await (const [key, row] of ledger.rows(PREFIX.account)) {
    const value = {
      lamports: row.readBigUInt64LE(0),
      owner: row.subarray(17, 49),
      data: row.subarray(49),
      executable: row[16] === 1,
    }
    const account = storedAccount(keyAfterPrefix(key), value, row.readDoubleLE(8))
    accounts.set(account.key, account)
    // The engine compiles a program when it receives its account, and needs the program data account by then.
    if (account.executable) programs.push(account)
    else vm.setAccount(Buffer.from(account.key, 'latin1'), account)
  }
  for (const account of programs) vm.setAccount(Buffer.from(account.key, 'latin1'), account)
  for await (const [key, row] of ledger.rows(PREFIX.head)) {
    const address = keyAfterPrefix(key)
    accounts.setHead(address, Math.max(row.readDoubleLE(0), accounts.headOf(address)))
  }
}

async function install(given: PreloadedState | undefined, vm: Vm, accounts: Accounts, start: Commit): Promise<void> {
  if (given === undefined) return
  for (const { key, account, isProgram } of await readGiven(given, (length) => vm.rentExemptLamports(length))) {
    const before = accounts.get(key)
    const isSame = before !== null && before.executable && Buffer.compare(before.data, account.data) === 0
    if (isProgram ? isSame : before !== null) continue
    const after = storedAccount(key, account, accounts.headOf(key), before)
    try {
      vm.setAccount(Buffer.from(key, 'latin1'), after)
    } catch (error) {
      throw new GivenError(
        `the engine refuses ${encodeBase58(Buffer.from(key, 'latin1'))}: ${(error as Error).message}`,
      )
    }
    accounts.set(key, after)
    start.account(key, before, after)
  }
}

interface NewRun {
  readonly slotMs: number
  readonly nowMs: number
  readonly seed: string
  readonly putsBackTime: boolean
}

/** Segments for a new run: slots that were reserved but not reached become empty blocks, none later than the clock. */
function segmentsAfter(last: Segment, busySlot: number, { slotMs, nowMs, seed, putsBackTime }: NewRun): Segment[] {
  const segments: Segment[] = []
  let current = last
  if (last.stepMs > 0) {
    const fromClock = last.firstSlot + Math.ceil((nowMs - last.timeMs) / last.stepMs) + 1
    const slot = Math.max(fromClock, last.firstSlot + 1, busySlot + 1)
    if (slot <= last.limit) {
      const timeMs = Math.max(nowMs, timeIn(last, slot - 1) * 1000)
      current = { ...last, firstSlot: slot, firstHeight: heightIn(last, slot), parentSlot: slot - 1, timeMs, stepMs: 0 }
      segments.push(current)
    }
  }
  const firstSlot = last.limit + 1
  segments.push({
    firstSlot,
    firstHeight: heightIn(current, firstSlot),
    parentSlot: last.limit,
    timeMs: putsBackTime ? nowMs : Math.max(nowMs, timeIn(current, last.limit) * 1000),
    stepMs: slotMs,
    seed,
    limit: firstSlot + RESERVED_SLOTS,
  })
  return segments
}

async function loadRecent(ledger: Ledger, history: History, segments: Segments, openSlot: number): Promise<Recent> {
  const recent = new Recent()
  const from = numberKey(PREFIX.block, Math.max(0, openSlot - RECENT_SLOTS))
  const heightOf = (slot: number): number => heightIn(segments.of(slot) ?? segments.last, slot)
  for await (const [key, value] of ledger.rows(PREFIX.block, from)) {
    const slot = slotAfterPrefix(key)
    // Keeps the same rows that memory would still contain without a restart.
    if (slot < openSlot - STATUS_SLOTS && heightOf(slot) < heightOf(openSlot) - MESSAGE_BLOCKS) continue
    for (const row of history.ofBlock(readBlockRow(slot, value)) ?? []) {
      const { error, location } = row
      recent.add(
        row.signature,
        hash('sha256', row.messageBytes, 'binary'),
        { slot, error, location },
        { height: heightOf(slot), paid: null },
      )
    }
  }
  return recent
}

function firstSegment(timeMs: number, stepMs: number, seed: string): Segment {
  return { firstSlot: 0, firstHeight: 0, parentSlot: 0, timeMs, stepMs, seed, limit: RESERVED_SLOTS }
}

function faucetAccount({ faucetSeed }: Genesis): StoredAccount {
  return storedAccount(
    signerOf(Buffer.from(faucetSeed, 'hex')).publicKey.toString('latin1'),
    { lamports: FAUCET_LAMPORTS, owner: SYSTEM_OWNER, data: new Uint8Array(0), executable: false },
    0,
  )
}

/** Opens or creates the chain in `dataDir`. Rejects when another process locks it. */
export async function openChain(options: OpenOptions): Promise<OpenedChain> {
  const { dataDir, slotMs, around } = options
  const { now, soon, openDatabase } = around
  if (openDatabase === undefined) await mkdir(dataDir, { recursive: true })
  const ledger = await Ledger.open({
    dataDir,
    fatal: options.fatal,
    soon,
    now,
    line: options.archiveLine,
    ...(openDatabase === undefined ? {} : { openDatabase }),
  })
  const vm = startVm()
  const accounts = new Accounts()
  const bundledOf = (owners: readonly Uint8Array[]): StoredAccount[] =>
    vm.bundled(owners).map(({ address, account }) => storedAccount(asBuffer(address).toString('latin1'), account, 0))
  for (const account of bundledOf(BUNDLED_OWNERS.map((owner) => decodeKey(owner)!))) accounts.set(account.key, account)
  addNewestMemo(vm, accounts)

  const start = new Commit()
  const stored = ledger.get(GENESIS_KEY)
  const genesis = stored ? parseGenesis(stored) : newGenesis(now(), around.randomBytes)
  const segments = new Segments([])
  const seed = around.randomBytes(32).toString('latin1')
  let lastBlock: BlockRow | null = null
  if (stored) {
    await loadAccounts(ledger, vm, accounts)
    for await (const [, value] of ledger.rows(PREFIX.segment)) segments.add(readSegment(value))
    const row = await ledger.lastRow(PREFIX.block)
    lastBlock = row && readBlockRow(slotAfterPrefix(row[0]), row[1])
    const run = { slotMs, nowMs: now(), seed, putsBackTime: options.putsBackTime ?? false }
    for (const segment of segmentsAfter(segments.last, lastBlock?.slot ?? 0, run)) {
      segments.add(segment)
      start.segment(segment)
    }
  } else {
    const first = firstSegment(now(), slotMs, seed)
    segments.add(first)
    start.segment(first)
    const faucet = faucetAccount(genesis)
    accounts.set(faucet.key, faucet)
    vm.setAccount(Buffer.from(faucet.key, 'latin1'), faucet)
    start.account(faucet.key, null, faucet)
    start.meta(GENESIS_KEY, Buffer.from(JSON.stringify(genesis)))
  }
  try {
    await install(options.given, vm, accounts, start)
  } catch (error) {
    await ledger.close()
    throw error
  }
  await ledger.write(start)
  const openSlot = Math.max(1, segments.last.firstSlot)
  const lastChunkRow = await ledger.lastRow(PREFIX.chunk)
  const lastChunk = lastChunkRow ? slotAfterPrefix(lastChunkRow[0]) : 0
  const history = new History(ledger, locationOf(lastChunk + 1, 0) - 1)
  const recent = await loadRecent(ledger, history, segments, openSlot)
  return {
    genesis,
    ledger,
    vm,
    accounts,
    sysvars: bundledOf([SYSVAR_OWNER]),
    segments,
    openSlot,
    history,
    recent,
    lastChunk: chunkOf(history.durable),
    transactionCount: lastBlock?.total ?? 0,
  }
}
