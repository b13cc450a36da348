// The clients: a call whose outcome is unknown is repeated under its own key, and never reported as refused.
import { mutantOf, type Mutant } from '../mutant.ts'

const mutant = mutantOf('clients')
const LANGUAGES = 'test/client/other-languages.test.ts'

export const CLIENTS: readonly Mutant[] = [
  mutant(
    'the answer of a proxy is a refusal',
    'src/client/retries.ts',
    ['response.status >= 500 && errors.length === 0', 'response.status > 599'],
    { file: 'test/client/client.test.ts', name: 'through a proxy that answers in place of the service' },
  ),
  mutant(
    'a refusal after a lost answer is thrown as it is',
    'src/client/retries.ts',
    ['tried >= policy.tries) throw thrown(error)', 'tried >= policy.tries) throw error'],
    { file: 'test/client/client.test.ts', name: 'whose answer is lost is unanswered' },
  ),
  mutant(
    'an aborted call loses its key',
    'src/client/retries.ts',
    ['if (signal.aborted) throw thrown(signal.reason)', 'signal.throwIfAborted()'],
    { file: 'test/client/client.test.ts', name: 'that is aborted' },
  ),
  mutant(
    'an error has no key if the body has it',
    'src/client/client.ts',
    ['policy: policyFor(request), key }', 'policy: policyFor(request), key: named === undefined ? key : null }'],
    { file: 'test/client/client.test.ts', name: 'has the idempotencyId of its body for its key' },
  ),
  mutant(
    'a refusal after a lost answer is raised as it is in Python',
    'src/http/pages/clients/python.ts',
    ['is_unknown or (writes and may_have_effect and refusal.code < 500)', 'is_unknown'],
    { file: LANGUAGES, name: 'although a later attempt is refused' },
  ),
  mutant(
    'the answer of a proxy is a refusal in Python',
    'src/http/pages/clients/python.ts',
    ['is_unknown = refusal.code >= 500 and not error.codes', 'is_unknown = False'],
    { file: LANGUAGES, name: 'has its key, which repeats it safely' },
  ),
  mutant(
    'a call with an unknown outcome is not repeated in Python',
    'src/http/pages/clients/python.ts',
    ['(refusal.code == 504 and "OUTCOME_UNKNOWN" in error.codes)', 'False'],
    { file: LANGUAGES, name: 'is made once although' },
  ),
  mutant(
    'a refusal in Python has no key',
    'src/http/pages/clients/python.ts',
    ['self.idempotency_key = idempotency_key\n\n\nclass HoldfastU', 'self.idempotency_key = None\n\n\nclass HoldfastU'],
    { file: LANGUAGES, name: 'refused for good' },
  ),
  mutant(
    'the key in the body is sent beside another in Python',
    'src/http/pages/clients/python.ts',
    ['if writes and _named_in(body) is None:', 'if writes:'],
    { file: LANGUAGES, name: 'has the idempotencyId of its body' },
  ),
  mutant(
    'a statement as CSV is read as JSON in Python',
    'src/http/pages/clients/python.ts',
    ['.startswith("text/csv")', '.startswith("text/none")'],
    { file: LANGUAGES, name: 'is in a statement as CSV' },
  ),
]
