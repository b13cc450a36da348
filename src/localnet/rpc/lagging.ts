// A lagging node, for a fault switch: the same bank as seen some slots ago. Heights, statuses, blockhashes, history,
// blocks and accounts lag together, as on a node; lists of accounts, simulations and notifications do not lag.

import type { Bank, Commitment, SignatureStatus } from '../contract.ts'

/** The bank as a node that lags by `behind()` slots presents it; with 0, the bank itself. */
export function laggingBank(bank: Bank, behind: () => number): Bank {
  const slot = (commitment: Commitment): number =>
    Math.max(bank.firstAvailableBlock(), bank.slot(commitment) - behind())
  const seen = (status: SignatureStatus | null): SignatureStatus | null => {
    if (status === null || status.slot > slot('processed')) return null
    return status.slot > slot('finalized') && status.confirmationStatus === 'finalized'
      ? { ...status, confirmationStatus: 'confirmed', confirmations: 1 }
      : status
  }
  return {
    genesisHash: bank.genesisHash,
    identity: bank.identity,
    slot,
    blockHeight: (commitment) => Math.max(0, bank.blockHeight(commitment) - behind()),
    blockTime: (at) => (at > slot('processed') ? null : bank.blockTime(at)),
    firstAvailableBlock: () => bank.firstAvailableBlock(),
    transactionCount: () => bank.transactionCount(),
    latestBlockhash: (commitment) => {
      const latest = bank.latestBlockhash(commitment)
      const block = behind() === 0 ? null : bank.block(latest.slot - behind())
      if (block === null) return latest
      return {
        blockhash: block.blockhash,
        lastValidBlockHeight: latest.lastValidBlockHeight - behind(),
        slot: block.slot,
      }
    },
    isBlockhashValid: (blockhash) => bank.isBlockhashValid(blockhash),
    rentExemptLamports: (length) => bank.rentExemptLamports(length),
    messageFee: (message) => bank.messageFee(message),
    recentPrioritizationFees: (addresses) => bank.recentPrioritizationFees(addresses),
    account: (address) => {
      if (bank.faults === null || behind() === 0) return bank.account(address)
      return bank.faults.accountAt(address, slot('processed'))
    },
    allAccounts: () => bank.allAccounts(),
    accountsByProgram: (program) => bank.accountsByProgram(program),
    tokenAccountsByOwner: (owner) => bank.tokenAccountsByOwner(owner),
    tokenAccountsByMint: (mint) => bank.tokenAccountsByMint(mint),
    send: (bytes) => bank.send(bytes),
    simulate: (bytes, options) => bank.simulate(bytes, options),
    airdrop: (address, lamports) => bank.airdrop(address, lamports),
    signatureStatus: (signature, history) => seen(bank.signatureStatus(signature, history)),
    transaction: (signature) => {
      const transaction = bank.transaction(signature)
      return transaction === null || transaction.slot > slot('processed') ? null : transaction
    },
    signaturesForAddress: (address, options) =>
      bank.signaturesForAddress(address, options).filter((transaction) => transaction.slot <= slot('processed')),
    block: (at) => (at > slot('processed') ? null : bank.block(at)),
    blocks: (first, last) => bank.blocks(first, Math.min(last, slot('processed'))),
    on: (listener) => bank.on(listener),
    faults: bank.faults,
  }
}
