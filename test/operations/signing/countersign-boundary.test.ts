// Countersigning requests as one process sends them to another: the tenant of the key evaluates each request itself,
// and answers a repeated request in the same way.
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { compileMessage } from '../../../src/solana/compile.ts'
import { signatureBytes, TOKEN_2022_PROGRAM } from '../../../src/solana/address.ts'
import { transferLamports } from '../../../src/solana/instructions/system.ts'
import { transferChecked } from '../../../src/solana/instructions/token.ts'
import { assembleTransaction, messageHash, type CompiledMessage } from '../../../src/solana/message.ts'
import { classify } from '../../../src/solana/table/classify.ts'
import { generateKeypair, verifySignature } from '../../../src/keys/keypair.ts'
import { countersign } from '../../../src/operations/transactions/countersign/countersign.ts'
import {
  allowSendingForOtherCell,
  consentForOtherCell,
  countersignForOtherCell,
} from '../../../src/operations/transactions/countersign/for-other-cells.ts'
import { questionOf, type CountersignQuestion } from '../../../src/operations/transactions/countersign/question.ts'
import type { CountersignRequest } from '../../../src/operations/transactions/countersign/request.ts'
import { takeMessageOfOtherCell } from '../../../src/operations/transactions/unique-message.ts'
import { eventually } from '../../localnet/rpc-chain.ts'
import { SOL, CLUSTER, type Wallet } from './station.ts'
import { withSponsor, FEE, GRANT, station, sponsor, source, to, refusal, nothingKept } from './sponsored-payment.ts'

withSponsor()

describe('the countersigning boundary', () => {
  const at = '2026-11-21T08:00:00.000Z'

  async function requestFor(transactionId: string, lamports: number): Promise<CountersignRequest> {
    const fresh = await station.platform.clusters.get(CLUSTER)!.freshBlockhash()
    const instructions = [transferLamports(source.onchainId, to.onchainId, BigInt(lamports))]
    const message = compileMessage({
      feePayer: sponsor.onchainId,
      instructions,
      blockhash: fresh.blockhash,
      version: 'V0',
    })
    return {
      transactionId,
      cluster: CLUSTER,
      home: 'ACME',
      asker: station.call('ACME'),
      message,
      keys: message.staticKeys,
      effects: classify(message, message.staticKeys),
      isMade: () => false,
      chain: { get: () => null },
      fixed: {
        entries: [],
        organization: 'ACME',
        computeUnitsLimit: null,
        computeUnitPrice: null,
        feePayer: { address: sponsor.onchainId, id: null },
        fee: String(FEE),
        messageHash: messageHash(message.bytes),
        blockhash: fresh.blockhash,
        blockhashSlot: fresh.slot,
        lastValidBlockHeight: fresh.lastValidBlockHeight,
        nonceAccount: null,
      },
      at,
    }
  }

  /** The commit of the owner alone, as if the requester were another process. */
  const ownersPart = (request: CountersignRequest) =>
    station.commit(
      (unit) =>
        countersign(station.platform, unit, 'BANK', { addresses: [sponsor.onchainId], request }).get(
          sponsor.onchainId,
        ) as Uint8Array,
    )
  const signedByBoth = (message: CompiledMessage, otherSignature: Uint8Array): string =>
    Buffer.from(assembleTransaction(message, [otherSignature, source.pair.sign(message.bytes)])).toString('base64')

  it('repeats its answer for the same message only', async () => {
    const request = await requestFor('t1', 1)
    const signature = await ownersPart(request)
    expect(await ownersPart(request)).toEqual(signature)
    expect(station.book(sponsor).reserved).toBe(String(FEE))
    expect(await refusal(ownersPart(await requestFor('t1', 2)))).toContain('COUNTERSIGNED_OTHERWISE')
    // A given signature stays valid: the answer is the same, whatever has changed since.
    await station.commit((unit) =>
      unit.send(station.platform.engine.directory.byId(sponsor.offchainId)!, { type: 'command.freeze' } as never),
    )
    expect(await ownersPart(request)).toEqual(signature)
    expect(await refusal(ownersPart(await requestFor('t2', 1)))).toContain('FROZEN')
    await station.crash()
    expect(await ownersPart(request)).toEqual(signature)
    expect(station.countersignatures).toHaveLength(1)
  })

  it('may be stopped by its owner as long as another cell keeps the transaction', async () => {
    const question = questionOf(await requestFor('t1', 1), 'BANK', [sponsor.onchainId])
    await countersignForOtherCell(station.platform, question)
    const reserved = station.book(sponsor).reserved
    await allowSendingForOtherCell(station.platform, question)
    const change = (type: string) =>
      station.commit((unit) =>
        unit.send(station.platform.engine.directory.byId(sponsor.offchainId)!, { type } as never),
      )
    await change('command.freeze')
    expect(await refusal(allowSendingForOtherCell(station.platform, question))).toContain('FROZEN')
    await change('command.unfreeze')
    await allowSendingForOtherCell(station.platform, question)
    expect(station.book(sponsor).reserved).toBe(reserved)
  })

  it('signs a message for one transaction of other cells only', async () => {
    const { fixed } = await requestFor('t1', 1)
    const message = { cluster: CLUSTER, hash: fixed.messageHash, feePayer: sponsor.onchainId }
    const take = (id: string): Promise<void> =>
      station.commit((unit) => {
        unit.alongside('BANK')
        takeMessageOfOtherCell(station.platform, unit, { tenant: 'BANK', cluster: CLUSTER, id }, message)
      })
    await take('t1')
    await take('t1')
    expect(await refusal(take('t2'))).toContain('COUNTERSIGNED_OTHERWISE')
  })

  /** On disk, some time after the state in memory that the book is part of. */
  const bookBecomes = (balance: bigint): Promise<unknown> =>
    eventually(() => isDeepStrictEqual(station.book(sponsor), { balance: String(balance), reserved: '0' }))

  /** As received from another cell. */
  const questionFor = (request: CountersignRequest): CountersignQuestion =>
    JSON.parse(JSON.stringify(questionOf(request, 'BANK', [sponsor.onchainId]))) as CountersignQuestion

  it('handles two questions as text: a check without effect, and a signature whose outcome it follows', async () => {
    const { platform } = station
    const request = await requestFor('t1', 1)
    const question = questionFor(request)
    await consentForOtherCell(platform, question)
    nothingKept()
    const [answer] = await countersignForOtherCell(platform, question)
    expect(answer?.address).toBe(sponsor.onchainId)
    const signature = signatureBytes(answer!.signature!)
    expect(verifySignature(request.message.bytes, signature, sponsor.onchainId)).toBe(true)
    expect(await countersignForOtherCell(platform, question)).toEqual([answer])
    expect(station.countersignatures).toHaveLength(1)
    expect(station.book(sponsor).reserved).toBe(String(FEE))
    const other = questionFor(await requestFor('t1', 2))
    expect(await refusal(countersignForOtherCell(platform, other))).toContain('COUNTERSIGNED_OTHERWISE')
    const { messageHash: hash } = question.fixed
    const forged = { ...other, fixed: { ...other.fixed, messageHash: hash } }
    await expect(countersignForOtherCell(platform, forged)).rejects.toThrow('the hash is of another message')
    const stranger = { ...question, transactionId: 't2', asker: { ...question.asker, organization: 'OTHER' } }
    for (const ask of [consentForOtherCell, countersignForOtherCell])
      expect(await refusal(ask(platform, stranger))).toContain('SIGNER_NOT_ALLOWED')
    await station.pastLifetimes(() => station.countersignatures[0]?.value === 'released')
    await bookBecomes(SOL)
  })

  it('reads nothing from the chain about payments of others: only the fee concerns the payer', async () => {
    const request = await requestFor('t1', 1)
    const [mint, from, into] = [generateKeypair(), generateKeypair(), generateKeypair()].map(({ address }) => address)
    const payments = [
      transferLamports(source.onchainId, generateKeypair().address, 1n),
      transferChecked({
        program: TOKEN_2022_PROGRAM,
        source: from!,
        mint: mint!,
        destination: into!,
        authority: source.onchainId,
        amount: 5n,
        decimals: 2,
      }),
    ]
    const { blockhash } = request.fixed
    const message = compileMessage({ feePayer: sponsor.onchainId, instructions: payments, blockhash, version: 'V0' })
    const effects = classify(message, message.staticKeys)
    expect(effects.map(({ kind }) => kind)).toEqual(['lamports', 'tokens'])
    const read: string[] = []
    const chain = { get: (address: string) => (read.push(address), null) }
    const fixed = { ...request.fixed, messageHash: messageHash(message.bytes) }
    await ownersPart({ ...request, message, keys: message.staticKeys, effects, fixed, chain })
    expect(read).toEqual([])
  })

  it('authorizes every key that is requested, also later ones', async () => {
    const second = await station.wallet('BANK', GRANT)
    const stranger = await station.wallet('BANK')
    const request = await requestFor('t1', 1)
    await ownersPart(request)
    const more = (wallet: Wallet) =>
      station.commit((unit) => countersign(station.platform, unit, 'BANK', { addresses: [wallet.onchainId], request }))
    expect(await refusal(more(stranger))).toContain('SIGNER_NOT_ALLOWED')
    const entry = station.platform.engine.directory.byId(second.offchainId)!
    await station.commit((unit) => unit.send(entry, { type: 'command.freeze' } as never))
    expect(await refusal(more(second))).toContain('FROZEN')
    expect(station.countersignatures[0]?.context.signatures.map(({ address }) => address)).toEqual([sponsor.onchainId])
    await station.commit((unit) => unit.send(entry, { type: 'command.unfreeze' } as never))
    expect([...(await more(second)).keys()]).toEqual([second.onchainId])
  })

  it('pays no fees of an organization without the right to it, for any requester', async () => {
    const shop = await station.wallet('BANK', { ...GRANT, canPayFees: false })
    const request = await requestFor('t1', 1)
    const requestAs = (organization: string) => {
      const fixed = { ...request.fixed, organization, feePayer: { address: shop.onchainId, id: null } }
      return station.commit((unit) =>
        countersign(station.platform, unit, 'BANK', { addresses: [shop.onchainId], request: { ...request, fixed } }),
      )
    }
    expect(await refusal(requestAs('OTHER'))).toContain('FEE_PAYER_NOT_ALLOWED')
    nothingKept()
    expect([...(await requestAs('ACME')).keys()]).toEqual([shop.onchainId])
  })

  it('authorizes the requester by itself', async () => {
    const request = await requestFor('t1', 1)
    expect(await refusal(ownersPart({ ...request, asker: station.call('OTHER') }))).toContain('SIGNER_NOT_ALLOWED')
    const taking = [transferLamports(sponsor.onchainId, to.onchainId, 1n)]
    const message = compileMessage({
      feePayer: sponsor.onchainId,
      instructions: taking,
      blockhash: request.fixed.blockhash,
      version: 'V0',
    })
    const greedy = { ...request, message, effects: classify(message, message.staticKeys) }
    expect(await refusal(ownersPart(greedy))).toContain('SIGNER_NOT_ALLOWED')
    expect(
      await refusal(
        station.commit((unit) =>
          countersign(station.platform, unit, 'BANK', { addresses: [source.onchainId], request }),
        ),
      ),
    ).toContain('SIGNER_NOT_ALLOWED')
    nothingKept()
  })

  it('releases a reservation of a request that was never written, once expiry is proven', async () => {
    await ownersPart(await requestFor('lost', 1))
    await station.crash()
    expect(station.book(sponsor).reserved).toBe(String(FEE))
    await station.pastLifetimes(() => station.countersignatures[0]?.value === 'released')
    expect(station.countersignatures[0]?.context.proof).toMatchObject({ rule: 'blockhash' })
    await bookBecomes(SOL)
  })

  it('books a landed transaction although its request was never written here', async () => {
    const request = await requestFor('lost', 1)
    const signature = await ownersPart(request)
    const response = await station.chain.call('sendTransaction', [
      signedByBoth(request.message, signature),
      { encoding: 'base64' },
    ])
    expect(response.error).toBeUndefined()
    await station.crash()
    await eventually(() => station.countersignatures[0]?.value === 'settled')
    await bookBecomes(SOL - FEE)
  })

  it('takes only the fee of a transaction that failed on chain', async () => {
    const request = await requestFor('lost', Number(SOL) * 2)
    const signature = await ownersPart(request)
    const options = { encoding: 'base64', skipPreflight: true }
    await station.chain.call('sendTransaction', [signedByBoth(request.message, signature), options])
    await station.crash()
    await eventually(() => station.countersignatures[0]?.value === 'settled')
    await bookBecomes(SOL - FEE)
    expect(station.onchain(sponsor)).toBe(SOL - FEE)
  })
})
