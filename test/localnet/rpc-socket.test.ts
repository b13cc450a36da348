// Subscriptions through web3.js, and raw where the order of messages matters.

import { Keypair, SystemProgram } from '@solana/web3.js'
import type { PublicKey } from '@solana/web3.js'
import bs58 from 'bs58'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { at, eventually, serveChain, signedTransfer } from './rpc-chain.ts'
import type { ServedChain } from './rpc-chain.ts'

let chain: ServedChain
let payer: Keypair
const open: RawSocket[] = []

beforeAll(async () => {
  chain = await serveChain({ slotMs: 100 })
  payer = await chain.payer()
})
afterEach(() => {
  for (const socket of open.splice(0)) socket.socket.terminate()
})
afterAll(async () => {
  expect(chain.unexpected).toEqual([])
  await chain.close()
})

interface RawSocket {
  readonly socket: WebSocket
  /** All received messages, in order. */
  readonly messages: unknown[]
  ask(method: string, params: unknown[]): Promise<unknown>
  notifications(method: string): unknown[]
}

let lastId = 0

async function connect(): Promise<RawSocket> {
  const socket = new WebSocket(chain.wsUrl)
  const messages: unknown[] = []
  socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString('utf8'))))
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))
  const raw: RawSocket = {
    socket,
    messages,
    ask: (method, params) => {
      const id = (lastId += 1)
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
      return eventually(() => messages.find((message) => at(message, 'id') === id))
    },
    notifications: (method) =>
      messages.filter((message) => at(message, 'method') === method).map((message) => at(message, 'params', 'result')),
  }
  open.push(raw)
  return raw
}

const address = (): PublicKey => Keypair.generate().publicKey
const signatureOf = (bytes: Buffer): string => bs58.encode(bytes.subarray(1, 65))

async function transfer(to: PublicKey, lamports: number): Promise<string> {
  const bytes = await signedTransfer(chain, payer, to, lamports)
  return String(await chain.result('sendTransaction', [bytes.toString('base64'), { encoding: 'base64' }]))
}

describe('through web3.js', () => {
  it('confirms a transaction by its signature', async () => {
    const connection = chain.connection()
    const bytes = await signedTransfer(chain, payer, address(), 1_000_000)
    const notified = new Promise((resolve) =>
      connection.onSignature(signatureOf(bytes), (result, context) => resolve({ result, context }), 'finalized'),
    )
    const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash()
    const signature = await connection.sendRawTransaction(bytes)
    const confirmed = await connection.confirmTransaction({ signature, blockhash, lastValidBlockHeight }, 'confirmed')
    expect(confirmed.value.err).toBeNull()
    expect(await notified).toMatchObject({ result: { err: null }, context: { slot: expect.any(Number) as number } })
  })

  it('notifies of accounts, programs, logs, slots and roots', async () => {
    const connection = chain.connection()
    const to = address()
    const notified = { account: 0, program: 0, logs: '', slot: 0, root: 0 }
    const ids = [
      connection.onAccountChange(to, (account) => (notified.account = account.lamports), { commitment: 'confirmed' }),
      connection.onProgramAccountChange(
        SystemProgram.programId,
        (keyed) => {
          if (keyed.accountId.equals(to)) notified.program = keyed.accountInfo.lamports
        },
        { commitment: 'confirmed' },
      ),
      connection.onLogs(to, (logs) => (notified.logs = logs.signature), 'confirmed'),
      connection.onSlotChange((slot) => (notified.slot = slot.slot)),
      connection.onRootChange((root) => (notified.root = root)),
    ]
    await eventually(() => notified.slot > 0 && notified.root > 0)
    const signature = await transfer(to, 2_000_000)
    await eventually(
      () => notified.account === 2_000_000 && notified.program === 2_000_000 && notified.logs === signature,
    )
    await connection.removeAccountChangeListener(ids[0]!)
    await connection.removeProgramAccountChangeListener(ids[1]!)
    await connection.removeOnLogsListener(ids[2]!)
    await connection.removeSlotChangeListener(ids[3]!)
    await connection.removeRootChangeListener(ids[4]!)
  })
})

describe('on the wire', () => {
  it('notifies of a signature once, after it was received, and then removes the subscription', async () => {
    const socket = await connect()
    const bytes = await signedTransfer(chain, payer, address(), 1_000_001)
    const config = { commitment: 'confirmed', enableReceivedNotification: true }
    const id = at(await socket.ask('signatureSubscribe', [signatureOf(bytes), config]), 'result')
    await chain.result('sendTransaction', [bytes.toString('base64'), { encoding: 'base64' }])
    await eventually(() => socket.notifications('signatureNotification').length === 2)
    expect(socket.notifications('signatureNotification').map((result) => at(result, 'value'))).toEqual([
      'receivedSignature',
      { err: null },
    ])
    expect(at(await socket.ask('signatureUnsubscribe', [id]), 'error', 'code')).toBe(-32602)
  })

  it('answers before it notifies, also for a landed transaction', async () => {
    const socket = await connect()
    const signature = await transfer(address(), 1_000_002)
    for (const commitment of ['processed', 'confirmed', 'finalized']) {
      const messagesBefore = socket.messages.length
      await socket.ask('signatureSubscribe', [signature, { commitment }])
      await eventually(() => socket.messages.length === messagesBefore + 2)
      expect(at(socket.messages[messagesBefore], 'result')).toEqual(expect.any(Number))
      expect(at(socket.messages[messagesBefore + 1], 'method')).toBe('signatureNotification')
    }
  })

  it('waits at finalized until the slot is final', async () => {
    const socket = await connect()
    const to = address()
    await socket.ask('accountSubscribe', [to.toBase58(), { commitment: 'confirmed', encoding: 'base64' }])
    await socket.ask('accountSubscribe', [to.toBase58(), { commitment: 'finalized', encoding: 'jsonParsed' }])
    await socket.ask('rootSubscribe', [])
    await transfer(to, 3_000_000)
    const both = await eventually(() => {
      const notified = socket.notifications('accountNotification')
      return notified.length === 2 && notified
    })
    const slots = both.map((result) => Number(at(result, 'context', 'slot')))
    expect(slots[0]).toBe(slots[1])
    const order = socket.messages.map((message) => at(message, 'method'))
    const finalAt = order.lastIndexOf('accountNotification')
    const roots = socket.messages.slice(0, finalAt).filter((message) => at(message, 'method') === 'rootNotification')
    expect(Math.max(...roots.map((message) => Number(at(message, 'params', 'result'))))).toBeGreaterThanOrEqual(
      slots[1]!,
    )
  })

  it('filters logs by mention, or sends all', async () => {
    const socket = await connect()
    const to = address()
    await socket.ask('logsSubscribe', [{ mentions: [to.toBase58()] }, { commitment: 'confirmed' }])
    await socket.ask('logsSubscribe', ['all', { commitment: 'processed' }])
    const other = await transfer(address(), 1_000_003)
    const ownSignature = await transfer(to, 1_000_004)
    await eventually(() => socket.notifications('logsNotification').length === 3)
    const signatures = socket.notifications('logsNotification').map((result) => at(result, 'value', 'signature'))
    expect(signatures.filter((signature) => signature === ownSignature)).toHaveLength(2)
    expect(signatures.filter((signature) => signature === other)).toHaveLength(1)
    expect(at(socket.notifications('logsNotification')[0], 'value')).toMatchObject({
      err: null,
      logs: expect.any(Array) as unknown[],
    })
  })

  it('ends only the given subscription', async () => {
    const [leaver, stayer] = [await connect(), await connect()]
    const to = address()
    const id = at(await leaver.ask('accountSubscribe', [to.toBase58(), { commitment: 'confirmed' }]), 'result')
    await stayer.ask('accountSubscribe', [to.toBase58(), { commitment: 'confirmed' }])
    expect(at(await stayer.ask('accountUnsubscribe', [id]), 'error', 'code')).toBe(-32602)
    expect(at(await leaver.ask('accountUnsubscribe', [id]), 'result')).toBe(true)
    await transfer(to, 1_000_005)
    await eventually(() => stayer.notifications('accountNotification').length === 1)
    expect(leaver.notifications('accountNotification')).toEqual([])
  })

  it('refuses invalid messages and continues', async () => {
    const socket = await connect()
    const code = async (method: string, params: unknown[]): Promise<unknown> =>
      at(await socket.ask(method, params), 'error', 'code')
    expect(await code('accountSubscribe', [])).toBe(-32602)
    expect(await code('accountSubscribe', ['x'])).toBe(-32602)
    expect(await code('signatureSubscribe', ['x'])).toBe(-32602)
    expect(await code('logsSubscribe', ['some'])).toBe(-32602)
    expect(await code('logsSubscribe', [{ mentions: [] }])).toBe(-32602)
    expect(await code('logsSubscribe', [{ mentions: [address().toBase58(), address().toBase58()] }])).toBe(-32602)
    expect(await code('accountUnsubscribe', [10 ** 9])).toBe(-32602)
    expect(await code('voteSubscribe', [])).toBe(-32601)
    expect(await code('getSlot', [])).toBe(-32601)
    socket.socket.send('{"jsonrpc":"2.0","method":"ping","params":null}')
    socket.socket.send('not json')
    await eventually(() => socket.messages.some((message) => at(message, 'error', 'code') === -32700))
    const pong = new Promise((resolve) => socket.socket.once('pong', resolve))
    socket.socket.ping()
    await pong
  })
})
