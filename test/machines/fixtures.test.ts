// Snapshots of a released version are restored by every build, through the migrations, in every state of that version.
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { KINDS, type Kind, type StoredSnapshot } from '../../machines/kinds.ts'
import { SUBJECTS } from './events.ts'
import { TestedActor } from './tested-actor.ts'

function fixture(kind: string, version: number): URL {
  return new URL(`fixtures/v${version}/${kind}.json`, import.meta.url)
}

const versions = Object.entries(KINDS).flatMap(([kind, { version }]) =>
  Array.from({ length: version }, (_, index) => ({ kind: kind as Kind, version: index + 1 })),
)

describe.each(versions)('$kind stored under version $version', ({ kind, version }) => {
  const subject = SUBJECTS.find(({ name }) => name === kind)!

  it('is restored and continues to answer', () => {
    expect(existsSync(fixture(kind, version)), 'every version has its fixture').toBe(true)
    const snapshots = JSON.parse(readFileSync(fixture(kind, version), 'utf8')) as StoredSnapshot[]
    expect(snapshots.length).toBeGreaterThan(0)
    for (const snapshot of snapshots) {
      let today = snapshot
      for (let at = version; at < KINDS[kind].version; at += 1) today = KINDS[kind].migrate[at]!(today)
      expect(subject.states).toContain(today.value)
      const actor = TestedActor.restore(KINDS[kind].machine, today)
      expect(actor.snapshot()).toStrictEqual(today)
      for (const event of subject.alphabet) TestedActor.restore(KINDS[kind].machine, today).send(event)
      // A new record has the same members: a new member needs a migration too.
      const fresh = TestedActor.start(subject.machine, subject.inputs[0]).snapshot()
      expect(Object.keys(today.context as object).sort()).toStrictEqual(Object.keys(fresh.context as object).sort())
    }
  })
})
