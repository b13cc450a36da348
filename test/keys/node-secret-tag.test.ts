// What the database has of the secret of the nodes.
import { expect, it } from 'vitest'
import { nodeSecretTag } from '../../src/keys/node-secret-tag.ts'

const SECRET = 'a-secret-of-nodes-that-is-long-enough'
const MASTER_KEY = Buffer.alloc(32, 7)

it('the tag is equal for equal secrets, and depends on the master key', () => {
  const tag = nodeSecretTag(MASTER_KEY, SECRET)
  expect(tag).toMatch(/^[0-9a-f]{32}$/)
  expect(nodeSecretTag(Buffer.alloc(32, 7), SECRET)).toBe(tag)
  expect(nodeSecretTag(MASTER_KEY, `${SECRET}!`)).not.toBe(tag)
  expect(nodeSecretTag(Buffer.alloc(32, 8), SECRET)).not.toBe(tag)
})
