// Number of webhooks of an organization in a cluster.
import { webhooksKey } from '../../engine/index/index-keys.ts'
import type { Call } from '../../contract/call.ts'
import type { Platform } from '../context/platform.ts'

export function countWebhooks({ engine }: Platform, { cluster, organization }: Call): number {
  return engine.directory.find(webhooksKey(cluster, organization)).length
}
