// Metrics of remote signers: open requests, and answers by kind.
import type { Metrics } from '../../telemetry/metrics.ts'
import type { SigningQueue } from '../transactions/signing/signing-queue.ts'

export function observeSigners(metrics: Metrics, signingQueue: Pick<SigningQueue, 'waiting' | 'answerCounts'>): void {
  metrics.observed(
    'holdfast_remote_signer_waiting',
    'Signatures that remote signers have been asked for and have not given',
    'gauge',
    () => signingQueue.waiting,
  )
  metrics.observedEach(
    'holdfast_remote_signer_answers_total',
    'Answers of remote signers, by signer and kind: signed, pending, refused, invalid (another message or key), failed',
    'counter',
    () => [...signingQueue.answerCounts].map(({ signer, answer, count }) => [{ signer, answer }, count] as const),
  )
}
