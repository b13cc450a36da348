// The settings that all nodes need alike. They are compared with those of live nodes only, so they can be changed while
// no node runs.
import { SettingsError } from '../config/settings-error.ts'
import type { LiveNode } from './node-rows.ts'

/** null: the process has no other nodes. */
export type CommonSettings = Pick<LiveNode, 'clusters' | 'secretTag'>

/** The first problem of a node with these settings beside the live nodes; null: there is none. */
export function problemBeside(mine: CommonSettings, others: readonly LiveNode[]): SettingsError | null {
  for (const { id, clusters, secretTag } of others) {
    if (differ(mine.clusters, clusters))
      return new SettingsError([
        `HOLDFAST_CLUSTERS: this node has ${mine.clusters}, and the live node ${id} has ${clusters}; all need the same`,
      ])
    if (differ(mine.secretTag, secretTag))
      return new SettingsError([
        `HOLDFAST_NODE_SECRET is not the secret of the live node ${id}: all need the same, and the same HOLDFAST_MASTER_KEY`,
      ])
  }
  return null
}

/** A node of an earlier release does not state it. */
function differ(mine: string | null, theirs: string | null): theirs is string {
  return mine !== null && theirs !== null && mine !== theirs
}
