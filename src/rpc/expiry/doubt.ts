// Thrown inside a proof of expiry where the evidence is insufficient.

export class Unproven extends Error {
  override readonly name = 'Unproven'
  /** The signature of the request that the chain knows. */
  readonly landed: string | undefined

  constructor(reason: string, landed?: string) {
    super(reason)
    this.landed = landed
  }
}
