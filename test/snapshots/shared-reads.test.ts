// Equal reads that begin at nearly the same time are combined; no answer is older than the first of them.
import { describe, expect, it } from 'vitest'
import { SharedReads } from '../../snapshots/postgres/shared-reads.ts'

function readsAt() {
  const begun: string[] = []
  const clock = { nowMs: 0 }
  const reads = new SharedReads(
    (key: string) => {
      begun.push(key)
      return Promise.resolve(`${key} at ${String(clock.nowMs)}`)
    },
    () => clock.nowMs,
  )
  const at = (nowMs: number, key: string): Promise<string> => {
    clock.nowMs = nowMs
    return reads.read(key)
  }
  return { begun, at }
}

describe('shared reads', () => {
  it('restart after 50 ms, for any number of callers', async () => {
    const { begun, at } = readsAt()
    const answers = [at(0, 'a'), at(1, 'a'), at(49, 'a'), at(50, 'a'), at(99, 'a'), at(100, 'a')]
    expect(await Promise.all(answers)).toEqual(['a at 0', 'a at 0', 'a at 0', 'a at 50', 'a at 50', 'a at 100'])
    expect(begun).toHaveLength(3)
  })

  it('are of one key each', async () => {
    const { at } = readsAt()
    const answers = [at(0, 'a'), at(10, 'b'), at(55, 'b'), at(56, 'a'), at(60, 'b')]
    expect(await Promise.all(answers)).toEqual(['a at 0', 'b at 10', 'b at 10', 'a at 56', 'b at 60'])
  })

  it('fail for all callers together, and are repeated for the next', async () => {
    let nowMs = 0
    let fails = true
    const reads = new SharedReads(
      () => (fails ? Promise.reject(new Error('away')) : Promise.resolve('back')),
      () => nowMs,
    )
    const results = await Promise.allSettled([reads.read('a'), reads.read('a')])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    fails = false
    nowMs = 50
    expect(await reads.read('a')).toBe('back')
  })
})
