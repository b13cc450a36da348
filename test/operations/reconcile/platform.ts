// The platform of a reading: the engine of a fixture, and a cluster that answers as a test wants.
import type { PlatformCluster, Platform } from '../../../src/operations/context/platform.ts'
import { CLUSTER, type EngineFixture } from '../../engine/engine-fixture.ts'
import { AT } from '../../machines/records.ts'

export function readingPlatform({ engine }: EngineFixture, access: PlatformCluster): Platform {
  const clusters = new Map([[CLUSTER, access]])
  return { engine, clusters, clock: { now: () => Date.parse(AT) } } as unknown as Platform
}
