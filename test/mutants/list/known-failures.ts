// What the records know to fail on chain, refused before it costs a fee.
import { mutantOf, type Mutant } from '../mutant.ts'

const mutant = mutantOf('known failures')

const PAUSED = 'test/e2e/instruments/paused-since.test.ts'

export const KNOWN_FAILURES: readonly Mutant[] = [
  mutant(
    'a prepared message signed after its instrument was paused',
    'src/operations/signing/sign-recorded.ts',
    ['if (!transaction.context.ourSignature) checkFirst', 'if (pointer === transaction.id) checkFirst'],
    { file: PAUSED, name: 'is not signed while the instrument is paused' },
  ),
  mutant(
    'a signed message sent after its instrument was paused',
    'src/operations/transactions/signing/send.ts',
    ['      checkNotPausedSince(platform, transaction)\n', ''],
    { file: PAUSED, name: 'keeps the signatures that it got before the pause' },
  ),
]
