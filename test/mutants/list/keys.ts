// Prepared keys, and rows of sealed keys.
import type { Mutant } from '../mutant.ts'

const STOCK_TESTS = [{ file: 'test/keys/key-stock.test.ts' }]
const VAULT_TESTS = [{ file: 'test/keys/vault.test.ts' }]

export const KEYS: readonly Mutant[] = [
  {
    name: 'keys: a prepared key is handed out twice',
    file: 'src/keys/key-stock.ts',
    edits: [{ find: 'const prepared = this.#ready.pop()', replace: 'const prepared = this.#ready.at(-1)' }],
    tests: STOCK_TESTS,
  },
  {
    name: 'keys: the thread that prepares keys leaves the texts of their seeds in memory',
    file: 'src/keys/key-stock.ts',
    edits: [{ find: 'wiping = setTimeout(wipe, wipeAfterMs)', replace: 'wiping = undefined' }],
    tests: STOCK_TESTS,
  },
  {
    name: 'keys: a closed stock leaves its data keys in memory',
    file: 'src/keys/key-stock.ts',
    edits: [{ find: 'for (const { dataKey } of this.#ready) dataKey.fill(0)', replace: '' }],
    tests: STOCK_TESTS,
  },
  {
    name: 'keys: a rotation writes back a signing secret that was replaced meanwhile',
    file: 'src/keys/rewrap.ts',
    edits: [{ find: 'ops.filter((op) => !deps.webhookSecrets.isResealed(op))', replace: 'ops' }],
    tests: [{ file: 'test/keys/rotation.test.ts', name: 'does not bring back a signing secret' }],
  },
  {
    name: 'keys: a rotation writes a key that is a setting beside the data',
    file: 'src/keys/open.ts',
    edits: [{ find: 'settings.masterKey === null ? masterKey : null', replace: 'masterKey' }],
    tests: [{ file: 'test/keys/rotation.test.ts', name: 'ends with the new key only' }],
  },
  {
    name: 'keys: a further record takes a key of the store to the folder',
    file: 'src/keys/account-keys.ts',
    edits: [
      {
        find: 'row === null || this.#elsewhere === null ? this.#inStore(keypair)',
        replace: 'this.#elsewhere === null ? this.#inStore(keypair)',
      },
    ],
    tests: [{ file: 'test/keys/secrets-folder.test.ts', name: 'keeps the key there' }],
  },
  {
    name: 'keys: the data key of an assigned key stays in memory',
    file: 'src/keys/vault.ts',
    edits: [{ find: 'prepared.dataKey.fill(0)', replace: '' }],
    tests: VAULT_TESTS,
  },
  {
    name: 'keys: a seed of version 1 is opened as one of version 2',
    file: 'src/keys/vault.ts',
    edits: [
      {
        find: 'return version.v === 1 ? contextOf(reference, version) : boundToAddress(reference.address)',
        replace: 'return boundToAddress(reference.address)',
      },
    ],
    tests: VAULT_TESTS,
  },
  {
    name: 'keys: a wrapped data key is good for every account of its address',
    file: 'src/keys/vault.ts',
    edits: [
      {
        find: 'tenant, cluster, id, address, keyVersion, ...more]))',
        replace: 'tenant, cluster, address, keyVersion, ...more]))',
      },
    ],
    tests: VAULT_TESTS,
  },
  {
    name: 'keys: a generated key is exported as a JWK, which can block the thread',
    file: 'src/keys/keypair.ts',
    edits: [
      {
        find: 'return new Keypair(addressOf(pair.publicKey as JsonWebKey), pair.privateKey)',
        replace: "return new Keypair(addressOf(pair.privateKey.export({ format: 'jwk' })), pair.privateKey)",
      },
    ],
    tests: [{ file: 'test/keys/keypair.test.ts' }],
  },
  {
    name: 'keys: a token of another issuer makes the service ask for keys',
    file: 'src/keys/issuer-tokens.ts',
    edits: [{ find: ' || !this.#mayBeValid(token)', replace: '' }],
    tests: [{ file: 'test/e2e/instruments/issuer.test.ts', name: 'without a request to the issuer' }],
  },
  {
    name: 'keys: a start does not read the key file of the issuer',
    file: 'src/service/front.ts',
    edits: [{ find: "settings.jwtKeys?.kind === 'file'", replace: "settings.jwtKeys?.kind === 'discovery'" }],
    tests: [{ file: 'test/config/start.test.ts', name: 'HOLDFAST_JWT_KEYS names' }],
  },
  {
    name: 'webhooks: an organization holds all deliveries of its tenant',
    file: 'src/operations/context/outbound/delivery-shares.ts',
    edits: [{ find: 'return ofOrganization < this', replace: 'return 0 < this' }],
    tests: [{ file: 'test/operations/webhooks/delivery-shares.test.ts', name: 'of another organization' }],
  },
  {
    name: 'webhooks: a silent receiver holds as many deliveries as one that answers',
    file: 'src/operations/webhooks/delivery-worker.ts',
    edits: [{ find: '  #atOnce = 1\n', replace: '  #atOnce = MAX_AT_ONCE\n' }],
    tests: [{ file: 'test/operations/webhooks/delivery-shares.test.ts', name: 'of their organization' }],
  },
  {
    name: 'webhooks: a receiver that switches protocols holds its delivery',
    file: 'src/operations/context/outbound/outbound.ts',
    edits: [{ find: "request.on('upgrade',", replace: "request.on('connect'," }],
    tests: [{ file: 'test/operations/webhooks/target.test.ts', name: 'a redirect is not followed' }],
  },
]
