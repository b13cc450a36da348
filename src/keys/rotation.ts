// Rotates the master key of a running service: reads the rotation file, switches to the new key, rewraps everything in
// the background, and records the completion. At any point before that, a start with either key can continue the
// rotation; the previous key is needed until the end.
import { replaceFile } from '../config/key-file.ts'
import { noteRotation, otherKey, readRotation, rotationPath } from '../config/rotation-file.ts'
import { MASTER_KEY_CHECK } from '../config/secrets.ts'
import { MasterKey, type MasterKeys } from './master-key.ts'
import { rewrapAll, type WrappedKeys } from './rewrap.ts'

export interface RotationDependencies extends WrappedKeys {
  readonly wrapper: MasterKeys
  readonly dataDir: string
  /** The file with the master key; null: the key is a setting, which only the operator can change. */
  readonly masterKeyPath: string | null
  readonly log: { info(fields: object, message: string): void; warn(fields: object, message: string): void }
}

/** Delay before another attempt after keys could not be opened. */
const PAUSE_MS = 60_000

export class Rotation {
  readonly #deps: RotationDependencies
  #running: Promise<void> | null = null
  #notBefore = 0

  constructor(deps: RotationDependencies) {
    this.#deps = deps
  }

  /** Call it periodically; starts a rotation if one was ordered. */
  turn(): void {
    if (this.#running !== null || performance.now() < this.#notBefore) return
    this.#running = this.run()
      .catch((error: unknown) => {
        this.#notBefore = performance.now() + PAUSE_MS
        this.#deps.log.warn({ err: error }, 'the master key could not be rotated yet: the previous key is still needed')
      })
      .then(() => {
        this.#running = null
      })
  }

  /** Resolves when no rotation is in progress. */
  async settled(): Promise<void> {
    await this.#running
  }

  /** Completes an ordered rotation. Rejects when a key could not be rewrapped. */
  async run(): Promise<void> {
    const { dataDir, wrapper, store, log } = this.#deps
    const order = readRotation(dataDir)
    if (order?.outcome !== 'open') return
    const before = wrapper.byId(order.from)
    const next = before === null ? null : otherKey(order, before)
    if (next === null) {
      noteRotation(dataDir, { ...order, outcome: 'refused' })
      log.warn(
        { file: rotationPath(dataDir) },
        'refused a request to rotate the master key: it is not authenticated by the current key',
      )
      return
    }
    wrapper.turnTo(new MasterKey(next))
    log.info({}, 'the master key is being rotated: new secrets are sealed under the new key')
    let rewrapped = order.rewrapped
    for (;;) {
      const round = await rewrapAll(this.#deps)
      rewrapped += round.rewrapped
      if (round.failed.length > 0) {
        throw new Error(
          `${round.failed.length} keys do not open under the one before: ${round.failed.slice(0, 20).join(', ')}`,
        )
      }
      if (round.rewrapped === 0) break
    }
    // From here on a start needs the new key.
    await store.commit([
      { tenant: 'SYSTEM', epoch: store.epoch, ops: [{ type: 'meta', name: MASTER_KEY_CHECK, value: order.to }] },
    ])
    const { masterKeyPath } = this.#deps
    if (masterKeyPath !== null) replaceFile(masterKeyPath, next.toString('base64'))
    next.fill(0)
    wrapper.retire()
    noteRotation(dataDir, { ...order, outcome: 'done', rewrapped })
    log.info({ rewrapped }, 'the master key was rotated: no secret is sealed under the previous key')
  }
}
