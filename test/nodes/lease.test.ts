// How a node evaluates its own lease, with clocks that the test sets.
import { describe, expect, it } from 'vitest'
import { Lease, MARGIN_MS } from '../../src/nodes/lease.ts'

const LEASE_MS = 5_000

class Clocks {
  wallMs = 1_700_000_000_000
  monotonicMs = 0

  now(): number {
    return this.wallMs
  }

  elapsed(): number {
    return this.monotonicMs
  }

  pass(ms: number): void {
    this.wallMs += ms
    this.monotonicMs += ms
  }
}

function renewedLease(): { clocks: Clocks; lease: Lease } {
  const clocks = new Clocks()
  const lease = new Lease(clocks, LEASE_MS)
  lease.renewed(lease.mark())
  return { clocks, lease }
}

describe('the lease of a node', () => {
  it('is not held before the first renewal', () => {
    expect(new Lease(new Clocks(), LEASE_MS).isHeld).toBe(false)
  })

  it('ends before it ends in the database, counted from the start of the renewal', () => {
    const clocks = new Clocks()
    const lease = new Lease(clocks, LEASE_MS)
    const mark = lease.mark()
    clocks.pass(800)
    lease.renewed(mark)
    expect(lease.leftMs).toBe(LEASE_MS - MARGIN_MS - 800)
    clocks.pass(LEASE_MS - MARGIN_MS - 800)
    expect(lease.isHeld).toBe(false)
  })

  it('is not prolonged by an answer that arrived out of order', () => {
    const { clocks, lease } = renewedLease()
    const early = lease.mark()
    clocks.pass(1_000)
    lease.renewed(lease.mark())
    lease.renewed(early)
    expect(lease.leftMs).toBe(LEASE_MS - MARGIN_MS)
  })

  it('is lost after the machine was suspended, when only the wall clock advanced', () => {
    const { clocks, lease } = renewedLease()
    clocks.wallMs += 900
    expect(lease.isHeld).toBe(true)
    clocks.wallMs += 200
    expect(lease.isHeld).toBe(false)
    lease.renewed(lease.mark())
    expect(lease.isHeld).toBe(true)
  })

  it('survives a wall clock that is set back', () => {
    const { clocks, lease } = renewedLease()
    clocks.wallMs -= 3_600_000
    expect(lease.isHeld).toBe(true)
  })
})
