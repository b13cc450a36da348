// A served chain for the tests of the JSON-RPC server: the real bank in its own directory, free ports, and raw calls.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Keypair, SystemProgram, Transaction } from '@solana/web3.js'
import type { Connection, PublicKey } from '@solana/web3.js'
import { openBank } from '../../src/localnet/bank.ts'
import { startRpcServer } from '../../src/localnet/rpc/server.ts'
import { connectionTo } from '../connection.ts'

export interface RawAnswer {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
  readonly id: unknown
}

export interface ServedChain {
  readonly url: string
  readonly wsUrl: string
  readonly bank: Awaited<ReturnType<typeof openBank>>
  /** Errors of the server that are no refusals; an error here at the end of a test is a defect. */
  readonly unexpected: unknown[]
  connection(commitment?: 'processed' | 'confirmed' | 'finalized'): Connection
  call(method: string, params?: unknown): Promise<RawAnswer>
  result(method: string, params?: unknown): Promise<unknown>
  /** The raw text of an answer. */
  post(
    body: string | Uint8Array<ArrayBuffer>,
    headers?: Record<string, string>,
  ): Promise<{ status: number; text: string }>
  /** A funded keypair. */
  payer(lamports?: number): Promise<Keypair>
  close(): Promise<void>
}

export async function serveChain(
  options: { slotMs?: number; finalitySlots?: number; faults?: boolean } = {},
): Promise<ServedChain> {
  const dataDir = mkdtempSync(join(tmpdir(), 'localnet-'))
  const faults = options.faults ?? false
  const bank = await openBank({
    dataDir,
    slotMs: options.slotMs ?? 50,
    finalitySlots: options.finalitySlots ?? 1,
    faults,
    fatal: (error) => {
      throw error
    },
  })
  const unexpected: unknown[] = []
  const server = await startRpcServer({
    bank,
    host: '127.0.0.1',
    port: 0,
    faults,
    unexpected: (error) => unexpected.push(error),
  })
  const url = `http://127.0.0.1:${server.rpcPort}`
  const wsUrl = `ws://127.0.0.1:${server.wsPort}`

  const post: ServedChain['post'] = async (body, headers = { 'content-type': 'application/json' }) => {
    const response = await fetch(url, { method: 'POST', headers, body })
    return { status: response.status, text: await response.text() }
  }
  const call: ServedChain['call'] = async (method, params) => {
    const { text } = await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
    return JSON.parse(text) as RawAnswer
  }
  const connection: ServedChain['connection'] = (commitment = 'confirmed') =>
    connectionTo(url, { commitment, wsEndpoint: wsUrl })
  return {
    url,
    wsUrl,
    bank,
    unexpected,
    connection,
    call,
    post,
    result: async (method, params) => {
      const answer = await call(method, params)
      if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.code} ${answer.error.message}`)
      return answer.result
    },
    payer: async (lamports = 100_000_000_000) => {
      const keypair = Keypair.generate()
      await bank.airdrop(keypair.publicKey.toBytes(), BigInt(lamports))
      return keypair
    },
    close: async () => {
      await server.close()
      await bank.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** A signed transfer, as the bytes a client sends. */
export async function signedTransfer(
  chain: ServedChain,
  from: Keypair,
  to: PublicKey,
  lamports: number,
): Promise<Buffer> {
  const transaction = new Transaction({ feePayer: from.publicKey, ...(await chain.connection().getLatestBlockhash()) })
  transaction.add(SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to, lamports }))
  transaction.sign(from)
  return transaction.serialize()
}

/** The member at `path` of a parsed answer; undefined if it does not exist. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  let current = value
  for (const step of path)
    current =
      typeof current === 'object' && current !== null ? (current as Record<string | number, unknown>)[step] : undefined
  return current
}

/**
 * Waits until `probe` answers something other than null, undefined or false. The bound is that of something that never
 * happens, not of something that is slow: a machine may stop for a while.
 */
export async function eventually<T>(
  probe: () => Promise<T | null | undefined | false> | T | null | undefined | false,
): Promise<T> {
  for (const deadline = performance.now() + 120_000; ;) {
    const result = await probe()
    if (result !== null && result !== undefined && result !== false) return result
    if (performance.now() > deadline) throw new Error('it never came true')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
