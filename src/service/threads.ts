// The threads of one process on a data directory with several cells. Each thread is a node of one installation. The
// first thread opens the directories, starts the embedded chain and runs the coordinator; the others share them.
import { randomBytes } from 'node:crypto'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { startChain, type ChainUrls } from './cell.ts'
import { nodeIdOf } from '../config/node-settings.ts'
import { openCellsOf, cellPathsOf } from './level-cells.ts'
import { levelInstallation } from './level-installation.ts'
import { startNode, type NodeOptions } from './node.ts'
import { threadIds } from './thread-ids.ts'
import { answerAt, coordinatorAt } from '../nodes/coordinator-port.ts'
import { ThreadCoordinator } from '../nodes/coordinator.ts'
import type { CellDisk } from '../../snapshots/cells/cell-disk.ts'
import { withRedo } from '../../snapshots/archive/redo.ts'
import {
  epochIn,
  openCellDirectories,
  type CellDirectories,
  type CellMemories,
} from '../../snapshots/cells/directories.ts'

const LOCK_WAIT_MS = 10_000

type CommonOptions = Omit<NodeOptions, 'nodeId' | 'nodeSecret' | 'installation' | 'chain'>

/** Data that a thread receives at its start. */
export interface ThreadSeat {
  readonly nodeSecret: string
  readonly chain: ChainUrls | null
  /** Port to the coordinator; must be transferred. */
  readonly port: MessagePort
  readonly memories: CellMemories
}

export interface FirstThread {
  readonly url: string
  /** Creates the data for one thread. */
  seat(): ThreadSeat
  stop(): Promise<void>
  /** Must be called after all threads have ended. */
  close(): Promise<void>
}

export async function startFirstThread(options: CommonOptions): Promise<FirstThread> {
  const { settings, log } = options
  const directories = await openCellsOf(settings.dataDir, 'first', LOCK_WAIT_MS)
  try {
    await endArchive(directories)
    const coordinator = await coordinatorOver(directories, threadIds(nodeIdOf(settings), settings.workers))
    const started = await startChain(settings, '', log)
    const chain = started === null ? null : { rpcUrl: started.rpcUrl, wsUrl: started.wsUrl }
    const nodeSecret = randomBytes(32).toString('hex')
    const onFirst = (settler: CellDisk): void => {
      coordinator.settler = settler
    }
    const own = levelInstallation({ directories, coordinator, onFirst })
    // `close` below closes the directories, because the other threads must close theirs first.
    const installation = { ...own, close: () => Promise.resolve() }
    const node = await startNode({
      ...options,
      ...{ installation, nodeSecret, nodeId: nodeIdOf(settings) },
      ...(chain === null ? {} : { chain }),
    })
    return {
      url: node.url,
      seat() {
        const { port1, port2 } = new MessageChannel()
        answerAt(port1, coordinator)
        port1.unref()
        return { nodeSecret, chain, port: port2, memories: directories.memories }
      },
      stop: () => node.stop(),
      async close() {
        await directories.close()
        await started?.stop()
      },
    }
  } catch (error) {
    await directories.close()
    throw error
  }
}

export async function startNextThread(options: CommonOptions, { nodeSecret, chain, port, memories }: ThreadSeat) {
  const { settings } = options
  const directories = await openCellDirectories(cellPathsOf(settings.dataDir), 'joined', 0, memories)
  const installation = levelInstallation({ directories, coordinator: coordinatorAt(port) })
  return await startNode({
    ...options,
    ...{ installation, nodeSecret, nodeId: nodeIdOf(settings) },
    ...(chain === null ? {} : { chain }),
  })
}

async function coordinatorOver({ all }: CellDirectories, nodes: readonly string[]): Promise<ThreadCoordinator> {
  const cells = all.map(async (each) => ({ cell: each.cell, epoch: await epochIn(each) }))
  return new ThreadCoordinator(await Promise.all(cells), nodes)
}

/** Ends an earlier archive, because the writes of threads are not archived. */
async function endArchive({ main }: CellDirectories): Promise<void> {
  const { redo } = await withRedo(main.disk, () => Date.now())
  await redo.end()
}
