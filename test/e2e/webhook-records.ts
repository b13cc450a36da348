// Answers about webhooks.

export interface Created {
  readonly newWebhook: { readonly offchainId: string }
  readonly secret?: string
}

export interface WebhookRecord {
  readonly offchainId: string
  readonly url: string
  readonly status: string
  readonly disabledBecause: string | null
  readonly lastSequence: number
  readonly waiting: readonly { readonly resourceOffchainId: string; readonly failures: number }[]
  readonly deliveries: readonly {
    readonly httpStatus: number | null
    readonly delivered: boolean
    readonly errorMessage: string | null
  }[]
}
