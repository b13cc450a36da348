// Places in the queue: never more than the bounds, always one for a tenant that comes last, and none lost or counted
// twice.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Admission } from '../../src/submission/admission.ts'
import { LaneFull } from '../../src/submission/submission.ts'

const claims = (admission: Admission, id: string, tenant: string, lane: string): boolean | string => {
  try {
    return admission.claim(id, { tenant, lane })
  } catch (error) {
    return (error as LaneFull).scope
  }
}

describe('admission of open transactions', () => {
  it('counts places by transaction, within every bound', () => {
    const step = fc.record({
      id: fc.integer({ min: 0, max: 30 }),
      kind: fc.constantFrom('claim', 'claim', 'claim', 'enter', 'leave'),
      lane: fc.constantFrom('1', '2'),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const bounds = { perLane: 3, perTenant: 5, perCluster: 12 }
        const admission = new Admission(bounds)
        const places = new Map<number, string>()
        for (const { id, kind, lane } of steps) {
          const tenant = `T${id % 4}`
          const place = `${tenant} ${lane}`
          const of = (start: string) => [...places.values()].filter((each) => each.startsWith(start)).length
          if (kind === 'leave') {
            admission.leave(String(id))
            places.delete(id)
          } else if (kind === 'enter') {
            admission.enter(String(id), { tenant, lane })
            if (!places.has(id)) places.set(id, place)
          } else {
            const open =
              of(place) < bounds.perLane && of(tenant) < Math.min(bounds.perTenant, bounds.perCluster - places.size)
            const answer = claims(admission, String(id), tenant, lane)
            expect(answer === true || answer === false).toBe(
              places.has(id) || (open && places.size < bounds.perCluster),
            )
            if (answer === true) places.set(id, place)
          }
        }
      }),
    )
  })

  it('has room for a tenant that comes last, for any load of the others', () => {
    const admission = new Admission({ perLane: 1_000, perTenant: 1_000, perCluster: 1_000 })
    for (let round = 0; round < 1_000; round += 1)
      for (const tenant of ['A', 'B', 'C']) claims(admission, `${tenant}${round}`, tenant, 'lane')
    expect(claims(admission, 'A more', 'A', 'lane')).toBe('tenant')
    expect(claims(admission, 'D', 'D', 'lane')).toBe(true)
  })
})
