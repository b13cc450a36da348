// The check of every answer in the end-to-end tests can fail.
import { expect, it } from 'vitest'
import { deviations } from './answer-contract.ts'

const result = {
  success: true,
  offchainId: 'b3f1c9a0-4a5e-4c1e-9d8b-0a1b2c3d4e5f',
  status: 'CONFIRMED',
  onchainId: null,
  confirmationsCount: 1,
  serializedMessage: null,
  txnTimestamp: '2026-01-02T03:04:05.678901Z',
}
const checkTransfer = (body: object) => deviations('POST', '/positions/transfer', 201, body)

it('accepts an answer that matches the contract', () => {
  expect(checkTransfer(result)).toEqual([])
  expect(deviations('GET', '/unknown', 200, {})).toEqual([])
  expect(deviations('POST', '/positions/transfer', 400, {})).toEqual([])
})

it('reports missing, mistyped and undocumented members, and an undocumented status', () => {
  const { offchainId: _offchainId, ...without } = result
  expect(checkTransfer(without)).toEqual([expect.stringMatching(/^offchainId: /)])
  expect(checkTransfer({ ...result, success: 'yes' })).toEqual([expect.stringMatching(/^success: /)])
  expect(checkTransfer({ ...result, surprise: 1 })).toEqual(['/surprise: unknown'])
  expect(deviations('POST', '/positions/transfer', 204, {})).toEqual(['status 204'])
})
