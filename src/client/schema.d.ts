// Made by `npm run client` from the OpenAPI document. Not edited by hand.
export interface paths {
  "/api/v1/accounts": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Create an account
    * @description Requires the role ACCOUNTS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: if requested.
    */
    post: operations["postAccounts"];
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Update an account
    * @description Requires the role ACCOUNTS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: never.
    */
    patch: operations["patchAccounts"];
    trace?: never;
  };
  "/api/v1/accounts/inactivate": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Inactivate an account
    * @description Requires the role ACCOUNTS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: if requested.
    */
    patch: operations["patchAccountsInactivate"];
    trace?: never;
  };
  "/api/v1/accounts/discover": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Record the token accounts of an owner
    * @description Requires the role ACCOUNTS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postAccountsDiscover"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/accounts/single": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch an account
    * @description Requires the role ACCOUNTS_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postAccountsSingle"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/accounts/single/balance": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch the balance of an account
    * @description Requires the role ACCOUNTS_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postAccountsSingleBalance"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/accounts/bulk/{detail-level}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch accounts
    * @description Requires the role ACCOUNTS_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postAccountsBulkDetailLevel"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/accounts/single/private-key": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch the private key of an account
    * @description Requires the role PRIVATE_KEY_EXPORT (in the bundle ADMIN). Creates a transaction: never.
    */
    post: operations["postAccountsSinglePrivateKey"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/financial-instruments": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Create a financial instrument
    * @description Requires the role INSTRUMENTS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: if requested.
    */
    post: operations["postFinancialInstruments"];
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Update a financial instrument
    * @description Requires the role INSTRUMENTS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: if requested.
    */
    patch: operations["patchFinancialInstruments"];
    trace?: never;
  };
  "/api/v1/financial-instruments/authorities": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Hand authorities of a financial instrument on, or give them up
    * @description Requires the role INSTRUMENTS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: always.
    */
    patch: operations["patchFinancialInstrumentsAuthorities"];
    trace?: never;
  };
  "/api/v1/financial-instruments/pause": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Pause a financial instrument
    * @description Requires the role INSTRUMENTS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: always.
    */
    patch: operations["patchFinancialInstrumentsPause"];
    trace?: never;
  };
  "/api/v1/financial-instruments/unpause": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Unpause a financial instrument
    * @description Requires the role INSTRUMENTS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: always.
    */
    patch: operations["patchFinancialInstrumentsUnpause"];
    trace?: never;
  };
  "/api/v1/financial-instruments/close": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Close a financial instrument
    * @description Requires the role INSTRUMENTS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: always.
    */
    patch: operations["patchFinancialInstrumentsClose"];
    trace?: never;
  };
  "/api/v1/financial-instruments/single/circulating-supply": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch the circulating supply of a financial instrument
    * @description Requires the role INSTRUMENTS_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postFinancialInstrumentsSingleCirculatingSupply"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/financial-instruments/holders/bulk": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch the holders of a financial instrument
    * @description Requires the role POSITIONS_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postFinancialInstrumentsHoldersBulk"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/financial-instruments/single": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch a financial instrument
    * @description Requires the role INSTRUMENTS_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postFinancialInstrumentsSingle"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/financial-instruments/token-extensions-calculator": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Calculate the size and the rent of a mint
    * @description Requires the role INSTRUMENTS_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postFinancialInstrumentsTokenExtensionsCalculator"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/financial-instruments/bulk/{detail-level}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch financial instruments
    * @description Requires the role INSTRUMENTS_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postFinancialInstrumentsBulkDetailLevel"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/positions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Initialize a position
    * @description Requires the role POSITIONS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: if requested.
    */
    post: operations["postPositions"];
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Update a position
    * @description Requires the role POSITIONS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: never.
    */
    patch: operations["patchPositions"];
    trace?: never;
  };
  "/api/v1/positions/freeze": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Freeze a position
    * @description Requires the role POSITIONS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: always.
    */
    patch: operations["patchPositionsFreeze"];
    trace?: never;
  };
  "/api/v1/positions/unfreeze": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Unfreeze a position
    * @description Requires the role POSITIONS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: always.
    */
    patch: operations["patchPositionsUnfreeze"];
    trace?: never;
  };
  "/api/v1/positions/mint": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Mint to a position
    * @description Requires the role POSITIONS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: always.
    */
    post: operations["postPositionsMint"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/positions/burn": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Burn from a position
    * @description Requires the role POSITIONS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: always.
    */
    post: operations["postPositionsBurn"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/positions/transfer": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Transfer a financial instrument
    * @description Requires the role POSITIONS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: always.
    */
    post: operations["postPositionsTransfer"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/positions/transfer-network-currency": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Transfer network currency
    * @description Requires the role POSITIONS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: always.
    */
    post: operations["postPositionsTransferNetworkCurrency"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/positions/trade": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Trade: execute several movements atomically
    * @description Requires the role POSITIONS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: always.
    */
    post: operations["postPositionsTrade"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/positions/close": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Close a position
    * @description Requires the role POSITIONS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: always.
    */
    patch: operations["patchPositionsClose"];
    trace?: never;
  };
  "/api/v1/positions/single": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch a position
    * @description Requires the role POSITIONS_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postPositionsSingle"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/positions/single/balance": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch the balance of a position
    * @description Requires the role POSITIONS_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postPositionsSingleBalance"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/positions/bulk/{detail-level}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch positions
    * @description Requires the role POSITIONS_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postPositionsBulkDetailLevel"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/batches": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Create a batch
    * @description Requires the role POSITIONS_WRITE or ACCOUNTS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: always.
    */
    post: operations["postBatches"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/batches/single": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch a batch
    * @description Requires the role TRANSACTIONS_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postBatchesSingle"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/batches/items/bulk": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch items of batches
    * @description Requires the role TRANSACTIONS_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postBatchesItemsBulk"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/batches/bulk": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch batches
    * @description Requires the role TRANSACTIONS_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postBatchesBulk"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/batches/cancel": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Cancel the waiting items of a batch
    * @description Requires the role POSITIONS_WRITE or ACCOUNTS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: never.
    */
    patch: operations["patchBatchesCancel"];
    trace?: never;
  };
  "/api/v1/batches/retry": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Retry the failed items of a batch
    * @description Requires the role POSITIONS_WRITE or ACCOUNTS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: never.
    */
    patch: operations["patchBatchesRetry"];
    trace?: never;
  };
  "/api/v1/batches/approve": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Approve a batch
    * @description Requires the role DEBIT_LIMIT_APPROVE (in the bundle ADMIN). Creates a transaction: never.
    */
    patch: operations["patchBatchesApprove"];
    trace?: never;
  };
  "/api/v1/batches/reject": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Reject a batch that waits for approval
    * @description Requires the role DEBIT_LIMIT_APPROVE (in the bundle ADMIN). Creates a transaction: never.
    */
    patch: operations["patchBatchesReject"];
    trace?: never;
  };
  "/api/v1/distributions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Create a distribution
    * @description Requires the role POSITIONS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: always.
    */
    post: operations["postDistributions"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/distributions/single": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch a distribution
    * @description Requires the role TRANSACTIONS_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postDistributionsSingle"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/distributions/bulk": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch distributions
    * @description Requires the role TRANSACTIONS_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postDistributionsBulk"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/distributions/cancel": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Cancel a distribution
    * @description Requires the role POSITIONS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: never.
    */
    patch: operations["patchDistributionsCancel"];
    trace?: never;
  };
  "/api/v1/approval-policies": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Create an approval policy
    * @description Requires the role APPROVAL_POLICIES_WRITE or TENANT_ADMIN (in the bundle ADMIN). Creates a transaction: never.
    */
    post: operations["postApprovalPolicies"];
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Change or remove an approval policy
    * @description Requires the role APPROVAL_POLICIES_WRITE or TENANT_ADMIN (in the bundle ADMIN). Creates a transaction: never.
    */
    patch: operations["patchApprovalPolicies"];
    trace?: never;
  };
  "/api/v1/approval-policies/release": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Announce the release of an approval policy whose approvers are lost
    * @description Requires the role PLATFORM_ADMIN. Creates a transaction: never.
    */
    patch: operations["patchApprovalPoliciesRelease"];
    trace?: never;
  };
  "/api/v1/approval-policies/keep": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Revoke the release of an approval policy
    * @description Requires the role APPROVAL_POLICIES_WRITE or TENANT_ADMIN or DEBIT_LIMIT_APPROVE (in the bundle ADMIN). Creates a transaction: never.
    */
    patch: operations["patchApprovalPoliciesKeep"];
    trace?: never;
  };
  "/api/v1/approval-policies/single": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch an approval policy
    * @description Requires the role TRANSACTIONS_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postApprovalPoliciesSingle"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/approval-policies/bulk": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch approval policies
    * @description Requires the role TRANSACTIONS_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postApprovalPoliciesBulk"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/pending-changes/approve": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Approve a pending change
    * @description Requires the role DEBIT_LIMIT_APPROVE (in the bundle ADMIN). Creates a transaction: never.
    */
    post: operations["postPendingChangesApprove"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/pending-changes/reject": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Reject or withdraw a pending change
    * @description Requires the role DEBIT_LIMIT_APPROVE or APPROVAL_POLICIES_WRITE or ACCOUNT_POLICY_WRITE or TENANT_ADMIN or LOANS_WRITE or COUNTERPARTIES_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postPendingChangesReject"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/pending-changes/single": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch a pending change
    * @description Requires the role TRANSACTIONS_READ or DEBIT_LIMIT_APPROVE (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postPendingChangesSingle"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/pending-changes/bulk": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch pending changes
    * @description Requires the role TRANSACTIONS_READ or DEBIT_LIMIT_APPROVE (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postPendingChangesBulk"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/schedules": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Create a schedule
    * @description Requires the role POSITIONS_WRITE or ACCOUNTS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postSchedules"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/schedules/single": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch a schedule
    * @description Requires the role TRANSACTIONS_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postSchedulesSingle"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/schedules/bulk": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch schedules
    * @description Requires the role TRANSACTIONS_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postSchedulesBulk"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/schedules/occurrences/bulk": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch occurrences of schedules
    * @description Requires the role TRANSACTIONS_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postSchedulesOccurrencesBulk"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/schedules/pause": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Pause a schedule
    * @description Requires the role POSITIONS_WRITE or ACCOUNTS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: never.
    */
    patch: operations["patchSchedulesPause"];
    trace?: never;
  };
  "/api/v1/schedules/resume": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Resume a schedule
    * @description Requires the role POSITIONS_WRITE or ACCOUNTS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: never.
    */
    patch: operations["patchSchedulesResume"];
    trace?: never;
  };
  "/api/v1/schedules/cancel": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Cancel a schedule
    * @description Requires the role POSITIONS_WRITE or ACCOUNTS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: never.
    */
    patch: operations["patchSchedulesCancel"];
    trace?: never;
  };
  "/api/v1/counterparties": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Create a counterparty
    * @description Requires the role COUNTERPARTIES_WRITE (in the bundle ADMIN). Creates a transaction: never.
    */
    post: operations["postCounterparties"];
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Update a counterparty
    * @description Requires the role COUNTERPARTIES_WRITE (in the bundle ADMIN). Creates a transaction: never.
    */
    patch: operations["patchCounterparties"];
    trace?: never;
  };
  "/api/v1/counterparties/single": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch a counterparty
    * @description Requires the role ACCOUNTS_READ or COUNTERPARTIES_WRITE (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postCounterpartiesSingle"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/counterparties/bulk": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch counterparties
    * @description Requires the role ACCOUNTS_READ or COUNTERPARTIES_WRITE (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postCounterpartiesBulk"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/payment-requests": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Create a payment request
    * @description Requires the role POSITIONS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postPaymentRequests"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/payment-requests/single": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch a payment request
    * @description Requires the role TRANSACTIONS_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postPaymentRequestsSingle"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/payment-requests/bulk": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch payment requests
    * @description Requires the role TRANSACTIONS_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postPaymentRequestsBulk"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/payment-requests/cancel": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Cancel a payment request
    * @description Requires the role POSITIONS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: never.
    */
    patch: operations["patchPaymentRequestsCancel"];
    trace?: never;
  };
  "/api/v1/loans": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Create a loan
    * @description Requires the role LOANS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: always.
    */
    post: operations["postLoans"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/loans/single": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch a loan
    * @description Requires the role LOANS_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postLoansSingle"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/loans/bulk": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch loans
    * @description Requires the role LOANS_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postLoansBulk"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/loans/swap-collateral": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Swap collateral of a loan
    * @description Requires the role LOANS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: if requested.
    */
    patch: operations["patchLoansSwapCollateral"];
    trace?: never;
  };
  "/api/v1/loans/repay": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Repay a loan
    * @description Requires the role LOANS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: if requested.
    */
    patch: operations["patchLoansRepay"];
    trace?: never;
  };
  "/api/v1/loans/close": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Close a loan
    * @description Requires the role LOANS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: always.
    */
    patch: operations["patchLoansClose"];
    trace?: never;
  };
  "/api/v1/loans/refinance": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Refinance a loan
    * @description Requires the role LOANS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: if requested.
    */
    patch: operations["patchLoansRefinance"];
    trace?: never;
  };
  "/api/v1/loans/liquidate": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Liquidate a loan
    * @description Requires the role LOANS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: always.
    */
    patch: operations["patchLoansLiquidate"];
    trace?: never;
  };
  "/api/v1/loans/strategies": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Create a lending strategy of a vault
    * @description Requires the role LOANS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postLoansStrategies"];
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Update a lending strategy
    * @description Requires the role LOANS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: never.
    */
    patch: operations["patchLoansStrategies"];
    trace?: never;
  };
  "/api/v1/loans/strategies/single": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch a lending strategy
    * @description Requires the role LOANS_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postLoansStrategiesSingle"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/loans/strategies/bulk": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch lending strategies
    * @description Requires the role LOANS_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postLoansStrategiesBulk"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/address-lookup-tables": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Create an address lookup table
    * @description Requires the role LOOKUP_TABLES_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: if requested.
    */
    post: operations["postAddressLookupTables"];
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Update, freeze, deactivate or close an address lookup table
    * @description Requires the role LOOKUP_TABLES_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: if requested.
    */
    patch: operations["patchAddressLookupTables"];
    trace?: never;
  };
  "/api/v1/address-lookup-tables/extend": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Extend an address lookup table
    * @description Requires the role LOOKUP_TABLES_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: always.
    */
    patch: operations["patchAddressLookupTablesExtend"];
    trace?: never;
  };
  "/api/v1/address-lookup-tables/single": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch an address lookup table
    * @description Requires the role LOOKUP_TABLES_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postAddressLookupTablesSingle"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/address-lookup-tables/bulk": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch address lookup tables
    * @description Requires the role LOOKUP_TABLES_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postAddressLookupTablesBulk"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/durable-nonce-accounts": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Create durable nonce accounts
    * @description Requires the role NONCES_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: if requested.
    */
    post: operations["postDurableNonceAccounts"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/durable-nonce-accounts/single": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch durable nonce account details
    * @description Requires the role NONCES_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postDurableNonceAccountsSingle"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/durable-nonce-accounts/bulk": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch durable nonce accounts
    * @description Requires the role NONCES_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postDurableNonceAccountsBulk"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/market-data/onchain-data-source": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Create an onchain data source
    * @description Requires the role MARKET_DATA_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: always.
    */
    post: operations["postMarketDataOnchainDataSource"];
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Update the definition of a data source
    * @description Requires the role MARKET_DATA_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: if requested.
    */
    patch: operations["patchMarketDataOnchainDataSource"];
    trace?: never;
  };
  "/api/v1/market-data/onchain-data-source/refresh": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Refresh a data source
    * @description Requires the role MARKET_DATA_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: always.
    */
    patch: operations["patchMarketDataOnchainDataSourceRefresh"];
    trace?: never;
  };
  "/api/v1/market-data/onchain-data-source/single": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch a data source
    * @description Requires the role MARKET_DATA_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postMarketDataOnchainDataSourceSingle"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/market-data/onchain-data-source/bulk": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch data sources
    * @description Requires the role MARKET_DATA_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postMarketDataOnchainDataSourceBulk"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/transactions/status": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch the status of a transaction
    * @description Requires the role TRANSACTIONS_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postTransactionsStatus"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/transactions/single": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch a transaction
    * @description Requires the role TRANSACTIONS_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postTransactionsSingle"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/transactions/bulk/{detail-level}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch transactions
    * @description Requires the role TRANSACTIONS_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postTransactionsBulkDetailLevel"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/transactions/explain": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Explain a transaction
    * @description Requires the role TRANSACTIONS_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postTransactionsExplain"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/transactions/sign": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Sign a transaction
    * @description Requires the role TRANSACTIONS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postTransactionsSign"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/transactions/submit": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Submit a transaction
    * @description Requires the role TRANSACTIONS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postTransactionsSubmit"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/transactions/approve": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Approve a transaction or batch that exceeds debit limits
    * @description Requires the role DEBIT_LIMIT_APPROVE (in the bundle ADMIN). Creates a transaction: never.
    */
    post: operations["postTransactionsApprove"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/transactions/attest": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Attest the outcome of a transaction
    * @description Requires the role PLATFORM_ADMIN. Creates a transaction: never.
    */
    patch: operations["patchTransactionsAttest"];
    trace?: never;
  };
  "/api/v1/transactions/cancel": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Cancel a transaction or a batch
    * @description Requires the role TRANSACTIONS_WRITE or DEBIT_LIMIT_APPROVE (in the bundles OPERATOR, ADMIN). Creates a transaction: never.
    */
    patch: operations["patchTransactionsCancel"];
    trace?: never;
  };
  "/api/v1/statements": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Issue a statement
    * @description Requires the role TRANSACTIONS_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postStatements"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/webhooks": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Create a webhook
    * @description Requires the role EVENTS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postWebhooks"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/webhooks/bulk": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch webhooks
    * @description Requires the role EVENTS_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postWebhooksBulk"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/webhooks/rotate": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Rotate the secret of a webhook
    * @description Requires the role EVENTS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: never.
    */
    patch: operations["patchWebhooksRotate"];
    trace?: never;
  };
  "/api/v1/webhooks/disable": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Disable a webhook
    * @description Requires the role EVENTS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: never.
    */
    patch: operations["patchWebhooksDisable"];
    trace?: never;
  };
  "/api/v1/webhooks/redeliver": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Redeliver events, and re-enable a disabled webhook
    * @description Requires the role EVENTS_WRITE (in the bundles OPERATOR, ADMIN). Creates a transaction: never.
    */
    patch: operations["patchWebhooksRedeliver"];
    trace?: never;
  };
  "/api/v1/audit/bulk": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Fetch rows of the audit log
    * @description Requires the role AUDIT_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    post: operations["postAuditBulk"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/admin/organizations": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Create an organization
    * @description Requires the role PLATFORM_ADMIN or TENANT_ADMIN (in the bundle ADMIN). Creates a transaction: never.
    */
    post: operations["postAdminOrganizations"];
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Update an organization
    * @description Requires the role PLATFORM_ADMIN or TENANT_ADMIN (in the bundle ADMIN). Creates a transaction: never.
    */
    patch: operations["patchAdminOrganizations"];
    trace?: never;
  };
  "/api/v1/admin/organizations/bulk": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * List organizations
    * @description Requires the role PLATFORM_ADMIN or TENANT_ADMIN (in the bundle ADMIN). Creates a transaction: never.
    */
    post: operations["postAdminOrganizationsBulk"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/admin/api-keys": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Create an API key
    * @description Requires the role PLATFORM_ADMIN or TENANT_ADMIN (in the bundle ADMIN). Creates a transaction: never.
    */
    post: operations["postAdminApiKeys"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/admin/api-keys/bulk": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * List API keys
    * @description Requires the role PLATFORM_ADMIN or TENANT_ADMIN (in the bundle ADMIN). Creates a transaction: never.
    */
    post: operations["postAdminApiKeysBulk"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/admin/api-keys/rotate": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Rotate an API key
    * @description Requires the role PLATFORM_ADMIN or TENANT_ADMIN (in the bundle ADMIN). Creates a transaction: never.
    */
    patch: operations["patchAdminApiKeysRotate"];
    trace?: never;
  };
  "/api/v1/admin/api-keys/disable": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Disable an API key
    * @description Requires the role PLATFORM_ADMIN or TENANT_ADMIN (in the bundle ADMIN). Creates a transaction: never.
    */
    patch: operations["patchAdminApiKeysDisable"];
    trace?: never;
  };
  "/api/v1/admin/freeze": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Freeze an account, an organization or everything
    * @description Requires the role PLATFORM_ADMIN or TENANT_ADMIN (in the bundle ADMIN). Creates a transaction: never.
    */
    patch: operations["patchAdminFreeze"];
    trace?: never;
  };
  "/api/v1/admin/unfreeze": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Unfreeze an account, an organization or everything
    * @description Requires the role PLATFORM_ADMIN or TENANT_ADMIN (in the bundle ADMIN). Creates a transaction: never.
    */
    patch: operations["patchAdminUnfreeze"];
    trace?: never;
  };
  "/api/v1/admin/lanes/suspend": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Suspend sending for a cluster, an organization or a lane
    * @description Requires the role PLATFORM_ADMIN or TENANT_ADMIN (in the bundle ADMIN). Creates a transaction: never.
    */
    patch: operations["patchAdminLanesSuspend"];
    trace?: never;
  };
  "/api/v1/admin/lanes/resume": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Resume sending for a cluster, an organization or a lane
    * @description Requires the role PLATFORM_ADMIN or TENANT_ADMIN (in the bundle ADMIN). Creates a transaction: never.
    */
    patch: operations["patchAdminLanesResume"];
    trace?: never;
  };
  "/api/v1/financial-instruments/{offchainId}/logo": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
    * Fetch the logo of a financial instrument
    * @description Requires the role INSTRUMENTS_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never.
    */
    get: operations["getFinancialInstrumentLogo"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/events": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
    * Fetch events after a sequence
    * @description Requires the role EVENTS_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never. Repeat with after=lastSequence for the next page.
    */
    get: operations["getEvents"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/events/stream": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
    * Stream events
    * @description Requires the role EVENTS_READ (in the bundles VIEWER, OPERATOR, ADMIN). Creates a transaction: never. Server-sent events: `id` is the sequence, `event` the type, `data` the event. Starts after Last-Event-ID, else after the parameter `after`, else with the next event.
    */
    get: operations["getEventsStream"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/whoami": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
    * Fetch the organization and the roles of the API key
    * @description Requires a valid API key, and no role. Creates a transaction: never.
    */
    get: operations["getWhoami"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/remote-signers/answers": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
    * Deliver the answer of a custodian to a request for a signature
    * @description Signed by the custodian with its secret of HOLDFAST_SIGNERS; requires no API key. Creates a transaction: never.
    */
    post: operations["postRemoteSignersAnswers"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    CreateAccount: {
      /** @description True: the service holds the private key. Default: true if neither `onchainId` nor `publickKey` is given or if `privateKey` is, else false. */
      managed?: boolean;
      /** @description True: the account exists on chain and is only onboarded; no transaction is created. Default false. */
      alreadyOnchain?: boolean;
      /**
      * @description Address of the account. Required for an account whose key is not made by the service. With `privateKey`, the key must derive this address.
      * @example 11111111111111111111111111111111
      */
      onchainId?: string;
      /** @description The identifiers and names that the client gave the account. */
      offchainReferences?: components["schemas"]["OffchainReferences"];
      /** @description Where and how the private key is stored. Default on creation: a new key in the encrypted store. */
      privateKeyDetails?: components["schemas"]["PrivateKeyDetails"];
      /** @description Ids of the only API keys that may debit network currency from the account; otherwise 403 DEBIT_KEY_REQUIRED. Empty: every key with the rights to do so may. A change requires the role PLATFORM_UPDATE_DEBIT_API_KEYS. */
      solDebitApiKeys?: string[];
      /** @description Ids of the only API keys that may debit tokens; otherwise 403 DEBIT_KEY_REQUIRED. Empty: every key with the rights to do so may. A change requires the role PLATFORM_UPDATE_DEBIT_API_KEYS. */
      tokenDebitApiKeys?: string[];
      /** @description Debit limits for network currency; all entries that apply must pass. Absent or null: the default limits apply; []: no limits. A list replaces the defaults: what none of its entries covers is unlimited, except fees and rent, whose defaults apply until an entry names their class: in 24 hours 1 unit of priority fees, 1 unit of fees for each organization of another tenant, and 0.1 units of rent. The default limits: transfers of 0 to OFF_PLATFORM, and of at most 1 unit in a transaction to NON_MANAGED. Limits looser than the defaults require the role ACCOUNT_POLICY_WRITE. */
      networkCurrencyDebitLimits?: components["schemas"]["NetworkCurrencyDebitLimit"][] | null;
      /** @description Debit limits for tokens; all entries that apply must pass, of the wallet and of the position. Absent or null: the default limits apply; []: no limits. A list replaces the defaults: what none of its entries covers is unlimited. The default limits: transfers of 0 to OFF_PLATFORM, and of at most 1 unit in a transaction to NON_MANAGED. Limits looser than the defaults require the role ACCOUNT_POLICY_WRITE. */
      tokenDebitLimits?: components["schemas"]["TokenDebitLimit"][] | null;
      /**
      * @description ALLOW_LIST: the account pays own managed accounts and allowed counterparties only; OPEN: the policy of the organization decides; null: not visible to the caller.
      * @enum {string}
      */
      destinationPolicy?: "OPEN" | "ALLOW_LIST";
      /** @description Bytes reserved on chain. */
      dataLength?: number;
      /** @description Network currency to transfer to the new account. With `seedLamports`, both must agree. Display units: a JSON number of at most 15 significant digits, or a decimal string. */
      seedAmount?: number | string | bigint;
      /** @description Lamports to transfer to the new account. With `seedAmount`, both must agree. Raw integer units: a JSON number or a decimal string. */
      seedLamports?: number | string | bigint;
      /** @description True: the service follows the account on chain and emits `account.network_activity` events. Default false; null in a record of another tenant. */
      subscribeToNetworkEvents?: boolean;
      /** @description True: the account may pay transaction fees. Default false. Requires the role ACCOUNT_POLICY_WRITE. An account with data cannot pay fees. */
      canPayFees?: boolean;
      /** @description External ids of the organizations for which the account is the default fee payer. Requires the role ACCOUNT_POLICY_WRITE. */
      globalFeePayerForOrgs?: string[];
      /** @description External ids of the organizations, besides the owner, whose API keys may sign with the account. Requires the role ACCOUNT_POLICY_WRITE. */
      orgsAllowedToSignWithPrivateKey?: string[];
      /** @description True: other tenants can look up the account by its references. Only the system tenant may set it (403). Default false. */
      shareAcrossTenants?: boolean;
      /**
      * @description Token program of a mint or token account, kept with an account that is not one yet. For a new instrument, also one in this account, it decides if `version` is absent; otherwise both must agree (400 ALIAS_CONFLICT).
      * @enum {string}
      */
      tokenVersion?: "SPL" | "TOKEN_2022";
      /** @description Free text of the client, at most 4096 characters. In an update null removes it; in a record null means none. */
      comments?: string;
      /** @description True if the address is derived from other addresses and has no key, as an associated token account is. Null in a record of another tenant. */
      isDerived?: boolean;
      /** @description Kept with the account; has no effect. Default false. */
      isGenesis?: boolean;
      /** @description Domain name that the client associates with the account. In an update null removes it; in a record null means none. */
      domain?: string;
      /** @description True: with `alreadyOnchain`, the service does not check that the account exists on chain. Default false. */
      skipBlockchainExistenceVerification?: boolean;
      /**
      * @deprecated
      * @description Another spelling of alreadyOnchain.
      */
      alreadyOnChain?: boolean;
      /**
      * @deprecated
      * @description Another spelling of solDebitApiKeys.
      */
      networkCurrencyDebitApiKeys?: string[];
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    OffchainReferences: {
      /** @description Additional identifier that the client gives the account. */
      alId?: string;
      /** @description External id of the organization that owns the account. Default: the organization acted for. */
      organizationExternalId?: string;
      /** @description Account number in the books of the client. */
      accountNumber?: string;
      /** @description Code of the account. `organizationExternalId`, `accountNumber`, `code` and `type` together are unique within tenant and cluster (409 where the endpoint lists it, else 400). */
      code?: string;
      /**
      * @description Type of the account. Default at creation: WALLET, for a mint ASSET_TOKEN.
      * @enum {string}
      */
      type?: "WALLET" | "ASSETS_WALLET" | "CURRENCIES_WALLET" | "DEFI_SETTLEMENT_WALLET" | "FUNDS_TOKEN_ACCOUNT" | "ASSET_TOKEN_ACCOUNT" | "FUNDS_TOKEN" | "ASSET_TOKEN" | "ADDRESS_LOOKUP_TABLE" | "NONCE" | "TOKEN_MANAGEMENT_AUTHORITY";
      /** @description Name of the account; additional information, not unique. */
      name?: string;
    };
    PrivateKeyDetails: {
      /** @description Where the key is stored. DATABASE (default): encrypted in the store; SECRETS: in the secrets adapter; DKG: a threshold key; REMOTE: at the custodian that `signer` names. A key has one location: two entries are rejected with 400 MUTUALLY_EXCLUSIVE. */
      location?: ("DATABASE" | "SECRETS" | "DKG" | "REMOTE")[];
      /** @description Code of the custodian of a key of location REMOTE (setting HOLDFAST_SIGNERS). Unknown code: 400 REMOTE_SIGNER_UNKNOWN. */
      signer?: string;
      /**
      * @description Public key, which is the address of the account: base58 of 32 bytes.
      * @example 11111111111111111111111111111111
      */
      publickKey?: string;
      /** @description Private key to import: base58 of 64 or 32 bytes. Never returned by this endpoint. Must derive `onchainId`, if given. An account with an imported key counts as NON_MANAGED for debit limits. */
      privateKey?: string;
      /** @description Definition of a threshold key (FROST, RFC 9591), one entry. Implies the location DKG. */
      dkgKeys?: {
        /** @description Usage of the key; accepted for compatibility, has no effect. */
        keyUsage?: string;
        /** @description Codes of the threshold signers that hold a share of the key. Unknown code: 400 PLAYER_UNKNOWN. */
        useBackendPlayersCodes?: string[];
        /** @description Accepted for compatibility, has no effect. */
        isDefault?: boolean;
        /** @description Parameters of the signing session. */
        session?: {
          /** @description Number of threshold signers that are needed to sign: at least 2, at most the number of signers of the key (400 THRESHOLD_INVALID). */
          threshold?: number;
        };
      }[];
      /**
      * @deprecated
      * @description Another spelling of publickKey.
      * @example 11111111111111111111111111111111
      */
      publicKey?: string;
    };
    /** @description maxAllowedDebit absent: unlimited. */
    NetworkCurrencyDebitLimit: {
      /**
      * @description Class of the receiver that the limit applies to: OFF_PLATFORM (not onboarded), NON_MANAGED (key not made by the service in this tenant), MANAGED or ANY (default); or FEES, PRIORITY_FEES, RENT for what the account pays as fees and as rent for recipients.
      * @default ANY
      * @enum {string}
      */
      destination?: "ANY" | "OFF_PLATFORM" | "NON_MANAGED" | "MANAGED" | "FEES" | "PRIORITY_FEES" | "RENT";
      /** @description Of FEES and PRIORITY_FEES: the organization that they are paid for; absent: every organization, each by itself. */
      organizationExternalId?: string;
      /** @description The largest debit allowed. Absent or null: unlimited. */
      maxAllowedDebit?: components["schemas"]["MaxAllowedDebit"] | null;
    };
    MaxAllowedDebit: {
      /**
      * @description PER_TRANSACTION: the sum of the matching movements of one transaction; DURATION: the sum of the debits in a rolling window.
      * @enum {string}
      */
      limitType: "PER_TRANSACTION" | "DURATION";
      /** @description The largest sum allowed, in display units; for tokens per instrument. Absent or null: unlimited. */
      limitAmount?: number | string | bigint | null;
      /** @description Length of the rolling window. Required for DURATION, rejected for PER_TRANSACTION. */
      duration?: {
        /**
        * @description Unit of time.
        * @enum {string}
        */
        code: "MINUTES" | "HOURS" | "DAYS" | "WEEKS";
        /** @description Number of units of time, at least 1. */
        unit: number;
      } | null;
      /** @description Ids of the API keys that may approve a debit above the limit. Default []: an exceeding debit is rejected with 400 DEBIT_LIMIT_EXCEEDED. */
      approversForOverride?: string[];
      /** @description Number of approvers that must approve a debit above the limit. Default 1, or 0 without approvers. More than the approvers named: 400 TOO_FEW_APPROVERS. */
      requiredApproversCount?: number;
    };
    /** @description maxAllowedDebit absent: unlimited; mintAuthority absent: all mints. */
    TokenDebitLimit: {
      /**
      * @description Operation that the limit applies to: TRANSFER, BURN, or ANY for both.
      * @default ANY
      * @enum {string}
      */
      operationType?: "ANY" | "TRANSFER" | "BURN";
      /**
      * @description Class of the receiver that the limit applies to: OFF_PLATFORM (not onboarded), NON_MANAGED (key not made by the service in this tenant), MANAGED or ANY (default).
      * @default ANY
      * @enum {string}
      */
      destination?: "ANY" | "OFF_PLATFORM" | "NON_MANAGED" | "MANAGED";
      /** @description The limit applies to instruments with this mint authority. Absent: all instruments. */
      mintAuthority?: components["schemas"]["AccountLookup"];
      /** @description The largest debit allowed. Absent or null: unlimited. */
      maxAllowedDebit?: components["schemas"]["MaxAllowedDebit"] | null;
    };
    /** @description One of onchainId, offchainId and offchainReferences is needed; all that are given must agree. */
    AccountLookup: {
      /**
      * @description Address of the account: base58 of 32 bytes. The only lookup of an account that is not onboarded.
      * @example 11111111111111111111111111111111
      */
      onchainId?: string;
      /**
      * Format: uuid
      * @description Id of the account record, a UUID. Resolved before `onchainId` and `offchainReferences`.
      */
      offchainId?: string;
      /** @description References of the account; every member given must match. More than one match: 400 LOOKUP_AMBIGUOUS. */
      offchainReferences?: components["schemas"]["OffchainReferences"];
      /**
      * @description false: do not sign with this account now.
      * @default true
      */
      autoSign?: boolean;
      /** @description External id of an organization of another tenant. The lookup then finds accounts of that organization that are shared with, or granted to, the organization of the caller. */
      otherTenantOrganizationExternalId?: string;
      /** @description The account is not onboarded; needs onchainId. */
      offPlatform?: boolean;
    };
    ChainTransactionConfig: {
      /** @description Account that pays the fee. Default: an account of the tenant or the system tenant that is a global fee payer of the organization, else an account of the organization with `canPayFees`, else one that another tenant grants; none: 400 FEE_PAYER_REQUIRED. */
      feePayer?: components["schemas"]["AccountLookup"];
      /** @description Compute budget of the transaction. Default: the limit of the operation and no priority fee. */
      computeUnitConfig?: {
        /** @description True: without `limit`, the limit comes from a simulation. False: the whole configuration is ignored. */
        enable?: boolean;
        /** @description Limit of compute units, 1 to 1400000. Default: from a simulation if `enable` is true, else that of the operation. */
        limit?: number;
        /** @description Micro-lamports per compute unit. */
        price?: number;
        /** @description Computes the price from recent fees on the accounts that the transaction writes to. Ignored if `price` is given. */
        priceEstimate?: {
          /**
          * @description Source of recent fees: NETWORK, the cluster. Default NETWORK.
          * @enum {string}
          */
          provider?: "NETWORK";
          /**
          * @description How the price is computed from recent fees. Default DEFAULT.
          * @enum {string}
          */
          calculationStrategy?: "DEFAULT";
          /**
          * @description How much of the recent fees the price exceeds, from MIN to VERY_HIGH. Default RECOMMENDED.
          * @enum {string}
          */
          priorityLevel?: "MIN" | "LOW" | "MEDIUM" | "RECOMMENDED" | "HIGH" | "VERY_HIGH";
        };
      };
      /** @description The commitment that the response waits for. */
      commitmentConfig?: {
        /**
        * @description The response is sent when the transaction has reached this commitment or failed, or when the waiting time is over.
        * @default confirmed
        * @enum {string}
        */
        commitmentLevel?: "processed" | "confirmed" | "finalized";
      };
      /**
      * @description RECENT_BLOCKHASH: the message is valid for about a minute; DURABLE_NONCE: until its nonce is advanced. The service leases a free nonce account of the organization (400 NONCE_UNAVAILABLE).
      * @default RECENT_BLOCKHASH
      * @enum {string}
      */
      messageLifetimeStrategy?: "RECENT_BLOCKHASH" | "DURABLE_NONCE";
      /**
      * @description Format of the message: V0, which can use address lookup tables, or LEGACY.
      * @default V0
      * @enum {string}
      */
      transactionVersion?: "V0" | "LEGACY";
    };
    TenancyConfig: {
      /** @description External id of the organization to act for. Requires the role ORGANIZATION_OVERRIDE, and an organization of the same tenant (for a key of the system tenant: any organization); otherwise 403. */
      overrideOrganizationExternalId?: string;
    };
    Ids: {
      /** @description Address on chain: base58 of 32 bytes. */
      onchainId: string;
      /**
      * Format: uuid
      * @description Id of the record in the service, a UUID.
      */
      offchainId: string;
    };
    ChainTransactionResult: {
      /** @description True from SIGNED on, unless the transaction failed, was cancelled or expired. */
      success: boolean;
      /**
      * Format: uuid
      * @description Id of the transaction in the service, a UUID.
      */
      offchainId: string;
      /**
      * @description PREPARED: built, waits for signatures or approval; PARTIALLY_SIGNED; SIGNED: complete; SUBMITTED: sent; PROCESSED, CONFIRMED, FINALIZED: as the cluster reports; BLOCKCHAIN_ERROR: finalized with an error; NON_BLOCKCHAIN_ERROR: accepted but could not be built or signed; CANCELLED; EXPIRED: provably never executed.
      * @enum {string}
      */
      status: "PREPARED" | "PARTIALLY_SIGNED" | "SIGNED" | "SUBMITTED" | "PROCESSED" | "CONFIRMED" | "FINALIZED" | "BLOCKCHAIN_ERROR" | "NON_BLOCKCHAIN_ERROR" | "CANCELLED" | "EXPIRED";
      /** @description The first signature; null while there is none. */
      onchainId: string | null;
      /** @description Confirmations that the cluster reported; 0 before the first. 32: finalized. */
      confirmationsCount: number | null;
      /** @description Base64 of the message. */
      serializedMessage: string | null;
      /** @description Why the transaction failed. Absent: it did not. */
      errorMessage?: string;
      /** @description The transaction is signed and sent only once others have approved it. */
      approval?: {
        /** @description The debit limits that are exceeded. */
        entries: components["schemas"]["DebitLimitVerdict"][];
        /** @description The approval policies that cover it. */
        policies: components["schemas"]["CoveringPolicy"][];
        /** @description Payments to counterparties under review. Absent: none. */
        reviews?: components["schemas"]["PaymentReview"][];
        /** @description Answers of screening services because of which the approval is needed. Absent: none. */
        screenings?: components["schemas"]["ScreeningReview"][];
        /** @description The fewest keys that can approve it. */
        required: number;
        /** @description Number of keys that have approved every entry of which they are approvers. */
        given: number;
        /**
        * Format: date-time
        * @description Time at which the transaction lapses without approval (CANCELLED), ISO 8601 in UTC.
        */
        expiresAt: string;
      };
      /**
      * Format: date-time
      * @description With microseconds.
      */
      txnTimestamp: string;
    };
    /** @description debit and used in display units. */
    DebitLimitVerdict: {
      /**
      * @description Class of the receiver that the limit applies to. OFF_PLATFORM: not onboarded; NON_MANAGED: onboarded, key not made by the service in this tenant; MANAGED: key made by the service in this tenant; ANY: all of them. FEES, PRIORITY_FEES and RENT limit what the account pays as fees and rent.
      * @enum {string}
      */
      destination: "ANY" | "OFF_PLATFORM" | "NON_MANAGED" | "MANAGED" | "FEES" | "PRIORITY_FEES" | "RENT";
      /** @description Of fees: the organization they are paid for. */
      organizationExternalId?: string;
      /** @description null: unlimited. */
      maxAllowedDebit: {
        /**
        * @description PER_TRANSACTION: the sum of the matching movements of one transaction; DURATION: the sum of the debits in a rolling window.
        * @enum {string}
        */
        limitType: "PER_TRANSACTION" | "DURATION";
        /** @description The largest sum allowed, in display units; for tokens per instrument. null: unlimited. A decimal string. */
        limitAmount: string | null;
        /** @description Length of the rolling window of a DURATION limit; null for PER_TRANSACTION. */
        duration: {
          /**
          * @description Unit of time.
          * @enum {string}
          */
          code: "MINUTES" | "HOURS" | "DAYS" | "WEEKS";
          /** @description Number of units of time, at least 1. */
          unit: number;
        } | null;
        /** @description Ids of the API keys that may approve a debit above the limit. []: an exceeding debit is rejected with 400 DEBIT_LIMIT_EXCEEDED. */
        approversForOverride: string[];
        /** @description Number of approvers that must approve a debit above the limit. */
        requiredApproversCount: number;
      } | null;
      /** @description Ids of the account that is debited. */
      account: {
        /** @description Address on chain: base58 of 32 bytes. */
        onchainId: string;
        /**
        * Format: uuid
        * @description Id of the record in the service, a UUID.
        */
        offchainId: string;
      };
      /**
      * @description Operation that the limit applies to.
      * @enum {string}
      */
      operationType: "ANY" | "TRANSFER" | "BURN";
      /** @description The token that is debited. Absent: network currency. */
      financialInstrument?: {
        /** @description Address on chain: base58 of 32 bytes. */
        onchainId: string;
      };
      /** @description Debit of this transaction that counts against the limit, in display units. A decimal string. */
      debit: string;
      /** @description Debits already counted in the window, in display units; 0 for PER_TRANSACTION. A decimal string. */
      used: string;
      /** @description PASSED: within the limit; EXCEEDED: above it. */
      verdict: string;
    };
    CoveringPolicy: {
      /** @description The policy. */
      approvalPolicy: {
        /**
        * Format: uuid
        * @description Id of the record in the service, a UUID.
        */
        offchainId: string;
      };
      /** @description Operations that the policy covers in this case. */
      operations: ("MINT" | "BURN" | "AUTHORITY_CHANGE" | "PAUSE" | "CLOSE" | "ACCOUNT_POLICY" | "API_KEYS" | "COUNTERPARTIES" | "STRATEGIES" | "APPROVAL_POLICIES")[];
      /** @description Id of the record that the request changes. Absent: it changes none. */
      target?: string;
      /** @description The operations of the transaction, with instrument and amount. */
      covered?: {
        /**
        * @description The operation.
        * @enum {string}
        */
        operation: "MINT" | "BURN" | "AUTHORITY_CHANGE" | "PAUSE" | "CLOSE" | "ACCOUNT_POLICY" | "API_KEYS" | "COUNTERPARTIES" | "STRATEGIES" | "APPROVAL_POLICIES";
        /** @description The instrument. */
        financialInstrument?: {
          /** @description Address on chain: base58 of 32 bytes. */
          onchainId: string;
        };
        /** @description Amount of all instructions together, in display units. A decimal string. */
        amount?: string;
      }[];
    };
    PaymentReview: {
      /** @description Address of the counterparty that the transaction pays. */
      onchainId: string;
      /** @description External id of the organization whose approvers decide. */
      organizationExternalId: string;
      /** @description The counterparty that is under review. */
      counterparty: components["schemas"]["CounterpartyName"];
    };
    CounterpartyName: {
      /**
      * Format: uuid
      * @description Id of the record in the service, a UUID.
      */
      offchainId: string;
      /** @description Name of the counterparty. */
      name: string;
    };
    ScreeningReview: {
      /** @description The answer of a screening service. */
      screening: {
        /** @description External id of the organization whose service answered. */
        organizationExternalId: string;
        /** @description Reason that the service gave; null: none. */
        reason: string | null;
      };
    };
    AccountChanges: {
      /** @description Lookup of the account. */
      account: components["schemas"]["AccountLookup"];
      /** @description References to change. Absent members keep their value; null removes one. */
      offchainReferences?: components["schemas"]["ReferenceChanges"] | null;
      /** @description Free text of the client, at most 4096 characters. In an update null removes it; in a record null means none. */
      comments?: string | null;
      /** @description Domain name that the client associates with the account. In an update null removes it; in a record null means none. */
      domain?: string | null;
      /** @description True: the account may pay transaction fees. null: false. Requires the role ACCOUNT_POLICY_WRITE. */
      canPayFees?: boolean | null;
      /** @description External ids of the organizations for which the account is the default fee payer. null: none. Requires the role ACCOUNT_POLICY_WRITE. */
      globalFeePayerForOrgs?: string[] | null;
      /** @description External ids of the organizations, besides the owner, whose API keys may sign with the account. null: none. Requires the role ACCOUNT_POLICY_WRITE. */
      orgsAllowedToSignWithPrivateKey?: string[] | null;
      /** @description Ids of the only API keys that may debit network currency. null or []: no restriction. A change requires the role PLATFORM_UPDATE_DEBIT_API_KEYS. */
      solDebitApiKeys?: string[] | null;
      /** @description Ids of the only API keys that may debit tokens. null or []: no restriction. A change requires the role PLATFORM_UPDATE_DEBIT_API_KEYS. */
      tokenDebitApiKeys?: string[] | null;
      /** @description Debit limits for network currency; all entries that apply must pass. Absent or null: the default limits apply; []: no limits. A list replaces the defaults: what none of its entries covers is unlimited, except fees and rent, whose defaults apply until an entry names their class: in 24 hours 1 unit of priority fees, 1 unit of fees for each organization of another tenant, and 0.1 units of rent. The default limits: transfers of 0 to OFF_PLATFORM, and of at most 1 unit in a transaction to NON_MANAGED. Limits looser than the defaults require the role ACCOUNT_POLICY_WRITE. */
      networkCurrencyDebitLimits?: components["schemas"]["NetworkCurrencyDebitLimit"][] | null;
      /** @description Debit limits for tokens; all entries that apply must pass, of the wallet and of the position. Absent or null: the default limits apply; []: no limits. A list replaces the defaults: what none of its entries covers is unlimited. The default limits: transfers of 0 to OFF_PLATFORM, and of at most 1 unit in a transaction to NON_MANAGED. Limits looser than the defaults require the role ACCOUNT_POLICY_WRITE. */
      tokenDebitLimits?: components["schemas"]["TokenDebitLimit"][] | null;
      /** @description ALLOW_LIST: the account pays own managed accounts and allowed counterparties only. OPEN or null leaves the decision to the organization. Requires the role ACCOUNT_POLICY_WRITE. */
      destinationPolicy?: ("OPEN" | "ALLOW_LIST") | null;
      /** @description True: the service follows the account on chain and emits `account.network_activity` events. null: false. */
      subscribeToNetworkEvents?: boolean | null;
      /**
      * @deprecated
      * @description Another spelling of solDebitApiKeys.
      */
      networkCurrencyDebitApiKeys?: string[] | null;
    };
    ReferenceChanges: {
      /** @description New additional identifier; null removes it. */
      alId?: string | null;
      /** @description External id of the owning organization. The organization of an account cannot change; another value is rejected. */
      organizationExternalId?: string;
      /** @description New account number; null removes it. */
      accountNumber?: string | null;
      /** @description New code; null removes it. The references must remain unique within tenant and cluster. */
      code?: string | null;
      /**
      * @description New type of the account.
      * @enum {string}
      */
      type?: "WALLET" | "ASSETS_WALLET" | "CURRENCIES_WALLET" | "DEFI_SETTLEMENT_WALLET" | "FUNDS_TOKEN_ACCOUNT" | "ASSET_TOKEN_ACCOUNT" | "FUNDS_TOKEN" | "ASSET_TOKEN" | "ADDRESS_LOOKUP_TABLE" | "NONCE" | "TOKEN_MANAGEMENT_AUTHORITY";
      /** @description New name; null removes it. */
      name?: string | null;
    };
    HeldBack: {
      /** @description The request, which waits for approvals, or has ended. */
      pendingChange: components["schemas"]["PendingChange"];
      /** @description Id of the API key that the change creates. */
      keyId?: string;
      /** @description The API key, shown once. It is valid when the change has been applied. */
      apiKey?: string;
    };
    PendingChange: {
      /**
      * Format: uuid
      * @description Id of the record in the service, a UUID.
      */
      offchainId: string;
      /**
      * @description PENDING: it waits for approvals; APPLIED: it was approved and made; REJECTED; EXPIRED.
      * @enum {string}
      */
      status: "PENDING" | "APPLIED" | "REJECTED" | "EXPIRED";
      /**
      * @description Operation that approval policies cover.
      * @enum {string}
      */
      operation: "ACCOUNT_POLICY" | "API_KEYS" | "COUNTERPARTIES" | "STRATEGIES" | "APPROVAL_POLICIES";
      /** @description Method and path of the request. */
      endpoint: string;
      /** @description The `itemData` of the request, after validation. */
      itemData: {
        [key: string]: unknown;
      };
      /** @description Id of the key that made the request. */
      requestedBy: string;
      /** @description Ids of the keys and subjects that may approve it. */
      approvers: string[];
      /** @description The policies that cover it, and the approvals given. */
      approval: {
        /** @description The debit limits that are exceeded. */
        entries: components["schemas"]["DebitLimitVerdict"][];
        /** @description The approval policies that cover it. */
        policies: components["schemas"]["CoveringPolicy"][];
        /** @description Payments to counterparties under review. Absent: none. */
        reviews?: components["schemas"]["PaymentReview"][];
        /** @description Answers of screening services because of which the approval is needed. Absent: none. */
        screenings?: components["schemas"]["ScreeningReview"][];
        /** @description The fewest keys that can approve it. */
        required: number;
        /** @description Number of keys that have approved every entry of which they are approvers. */
        given: number;
        /**
        * Format: date-time
        * @description Time at which it expires without approval, ISO 8601 in UTC.
        */
        expiresAt: string;
      };
      /** @description Members of the answer of the applied change; null: not applied. */
      result: {
        [key: string]: unknown;
      } | null;
      /** @description Id of the key that rejected or withdrew it; null: nobody. */
      rejectedBy: string | null;
      /** @description Reason of the rejection; null: none. */
      rejectedBecause: string | null;
      /**
      * Format: date-time
      * @description Time of creation, ISO 8601 in UTC.
      */
      createdAt: string;
      /** @description Time of the end, ISO 8601 in UTC; null: not ended. */
      endedAt: string | null;
      /** @description External id of the organization that the record belongs to. */
      tenantOrganizationId: string;
    };
    InactivateAccount: {
      /** @description Lookup of the account. */
      account: components["schemas"]["AccountLookup"];
      /** @description Account that receives the remaining network currency. Required if the account has any. */
      refundDestination?: components["schemas"]["AccountLookup"];
      /**
      * @deprecated
      * @description Another spelling of refundDestination.
      */
      refundSolDestination?: components["schemas"]["AccountLookup"];
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    /** @description What would happen. */
    DryRun: {
      /** @description What the request would do. Nothing was changed. The request may still be refused: see the verdicts in `limits`. */
      dryRun: {
        /** @description Number of transactions, if the request takes several. `feeLamports` and `limits` are those of all that can be built before the first is confirmed, the other members those of the first. */
        transactionsCount?: number;
        /** @description Fee (base and priority) in lamports. A decimal string. */
        feeLamports: string;
        /** @description Size of the transaction in bytes, at most 1232. */
        sizeBytes: number;
        /** @description Addresses of the accounts of the message. */
        accounts: string[];
        /** @description Accounts that have to sign. */
        signers: {
          /** @description Address on chain: base58 of 32 bytes. */
          onchainId: string;
          /** @description True if the service holds the private key and would sign. */
          managed: boolean;
        }[];
        /** @description The verdict of each debit limit that applies: PASSED, or EXCEEDED, with which the request is refused or waits for approval. */
        limits: components["schemas"]["DebitLimitVerdict"][];
        /** @description Result of a simulation of the unsigned message; null: the cluster is unknown. */
        simulation: {
          /** @description Error of the simulation; null: it succeeded. */
          error: string | null;
          /** @description Compute units that the simulation used; null: not reported. */
          computeUnits: number | null;
          /** @description Log lines of the programs. */
          logs: string[];
        } | null;
      };
    };
    Discovery: {
      /** @description Owner of the token accounts. Without a record: `onchainId` with `offPlatform`. */
      owner: components["schemas"]["AccountLookup"];
    };
    Discovered: {
      /** @description Owner of the token accounts; `offchainId` is null without a record. */
      owner: {
        /** @description Address on chain: base58 of 32 bytes. */
        onchainId: string;
        /** @description Id of the record in the service, a UUID. */
        offchainId: string | null;
      };
      /** @description Number of token accounts of the owner on chain, under both token programs. */
      foundCount: number;
      /** @description Token accounts that are on record now, at most 100 for a request. */
      added: {
        /** @description Address on chain: base58 of 32 bytes. */
        onchainId: string;
        /** @description Id of the new record, a UUID; null: dry run. */
        offchainId: string | null;
        /** @description The financial instrument. */
        financialInstrument: {
          /** @description Address on chain: base58 of 32 bytes. */
          onchainId: string;
          /** @description Id of the record in the service, a UUID. */
          offchainId: string | null;
        };
      }[];
      /** @description Token accounts that were on record already. */
      known: components["schemas"]["Ids"][];
      /** @description Instruments that were recorded for them. */
      newFinancialInstruments: {
        /** @description Address on chain: base58 of 32 bytes. */
        onchainId: string;
        /** @description Id of the record in the service, a UUID. */
        offchainId: string | null;
      }[];
      /** @description Token accounts that were not recorded, and why. */
      skipped: components["schemas"]["SkippedAccount"][];
    };
    SkippedAccount: {
      /** @description Address on chain: base58 of 32 bytes. */
      onchainId: string;
      /** @description Address of the mint; null: not a token account. */
      financialInstrumentOnchainId: string | null;
      /**
      * @description NOT_A_TOKEN_ACCOUNT: the node named an account that is none of the owner; INSTRUMENT_NOT_ON_RECORD: recording its instrument requires INSTRUMENTS_WRITE; INSTRUMENT_REFUSED, ACCOUNT_REFUSED: see `message`; LIMIT: repeat the request.
      * @enum {string}
      */
      reason: "NOT_A_TOKEN_ACCOUNT" | "INSTRUMENT_NOT_ON_RECORD" | "INSTRUMENT_REFUSED" | "ACCOUNT_REFUSED" | "LIMIT";
      /** @description Why the account was not recorded. */
      message: string;
    };
    /** @description What would be recorded; ids of new records are null. */
    DiscoveryDryRun: {
      /** @description What would be recorded. Nothing was changed. */
      dryRun: components["schemas"]["Discovered"];
    };
    /** @description Of an account that another tenant shares only the ids, type, code, managed, status and canPayFees are shown, and the own organizations among its lists; all other members are null, empty lists or absent. */
    Account: {
      /** @description What the chain holds. */
      onchain: {
        /** @description Address on chain: base58 of 32 bytes. */
        id: string;
        /** @description Signature of the last transaction that changed a balance of the account; null: none known. */
        lastTransactionId: string | null;
        /** @description Time of that transaction, ISO 8601 in UTC; null: none known. */
        lastTransactionAt: string | null;
        /** @description Signature of the transaction that created the account; null: none, or not by this service. */
        creationTransactionId: string | null;
        /** @description Time of the creation transaction, ISO 8601 in UTC; null: none known. */
        creationTransactionAt: string | null;
      };
      /** @description What the service records. */
      offchain: {
        /**
        * Format: uuid
        * @description Id of the record in the service, a UUID.
        */
        id: string;
        /**
        * @description Type of the account.
        * @enum {string}
        */
        type: "WALLET" | "ASSETS_WALLET" | "CURRENCIES_WALLET" | "DEFI_SETTLEMENT_WALLET" | "FUNDS_TOKEN_ACCOUNT" | "ASSET_TOKEN_ACCOUNT" | "FUNDS_TOKEN" | "ASSET_TOKEN" | "ADDRESS_LOOKUP_TABLE" | "NONCE" | "TOKEN_MANAGEMENT_AUTHORITY";
        /** @description Code that the client gave the account; null: none. */
        code: string | null;
        /** @description Additional identifier that the client gave the account; null: none. */
        alId: string | null;
        /** @description External id of the organization that owns the account. */
        organizationExternalId: string;
        /** @description Account number that the client gave the account; null: none. */
        accountNumber: string | null;
        /** @description Name that the client gave the account; null: none. */
        name: string | null;
        /** @description Network currency in the books of the service, in lamports. A decimal string. */
        lamportsBalance: string | null;
        /** @description Tokens in the books of the service, in raw integer units; null: not a token account. A decimal string. */
        tokenBalance: string | null;
        /** @description Decimals of the token; null: not a token account or mint. */
        tokenDecimals: number | null;
        /** @description Id (UUID) of the last transaction of the service that changed a balance of the account; null: none. */
        lastTransactionId: string | null;
        /** @description Id (UUID) of the transaction of the service that created the account; null: none. */
        creationTransactionId: string | null;
      };
      /** @description True if the service holds the private key of the account. */
      managed: boolean;
      /**
      * @description ACTIVE: in use; CLOSED: inactivated, or its creation provably failed. A closed record is kept.
      * @enum {string}
      */
      status: "ACTIVE" | "CLOSED";
      /** @description Where the private key is stored: DATABASE, SECRETS, DKG or REMOTE. []: the service does not hold it. */
      privateKeyLocation: string[];
      /** @description True if the address is derived from other addresses and has no key, as an associated token account is. Null in a record of another tenant. */
      isDerived: boolean | null;
      /** @description True: the service follows the account on chain and emits `account.network_activity` events. Default false; null in a record of another tenant. */
      subscribeToNetworkEvents: boolean | null;
      /** @description True if other tenants can look up the account by its references. */
      sharedAcrossTenants: boolean;
      /** @description True if the account existed on chain when it was onboarded. Null in a record of another tenant. */
      wasOnchainAlready: boolean | null;
      /** @description True: the account may pay transaction fees. Default false. Requires the role ACCOUNT_POLICY_WRITE. An account with data cannot pay fees. */
      canPayFees: boolean;
      /** @description Free text of the client, at most 4096 characters. In an update null removes it; in a record null means none. */
      comments: string | null;
      /** @description Domain name that the client associates with the account. In an update null removes it; in a record null means none. */
      domain: string | null;
      /** @description External id of the organization that the record belongs to. */
      tenantOrganizationId: string;
      /** @description External ids of the organizations for which the account is the default fee payer. Requires the role ACCOUNT_POLICY_WRITE. */
      globalFeePayerForOrgs: string[];
      /** @description External ids of the organizations, besides the owner, whose API keys may sign with the account. Requires the role ACCOUNT_POLICY_WRITE. */
      orgsAllowedToSignWithPrivateKey: string[];
      /** @description Ids of the only API keys that may debit network currency from the account; otherwise 403 DEBIT_KEY_REQUIRED. Empty: every key with the rights to do so may. A change requires the role PLATFORM_UPDATE_DEBIT_API_KEYS. */
      solDebitApiKeys: string[];
      /** @description Ids of the only API keys that may debit tokens; otherwise 403 DEBIT_KEY_REQUIRED. Empty: every key with the rights to do so may. A change requires the role PLATFORM_UPDATE_DEBIT_API_KEYS. */
      tokenDebitApiKeys: string[];
      /** @description Empty: the default limits apply if defaultDebitLimits names the list, otherwise there are no limits. Always empty in a record of another tenant. */
      networkCurrencyDebitLimits: {
        /**
        * @description Class of the receiver that the limit applies to. OFF_PLATFORM: not onboarded; NON_MANAGED: onboarded, key not made by the service in this tenant; MANAGED: key made by the service in this tenant; ANY: all of them. FEES, PRIORITY_FEES and RENT limit what the account pays as fees and rent.
        * @enum {string}
        */
        destination: "ANY" | "OFF_PLATFORM" | "NON_MANAGED" | "MANAGED" | "FEES" | "PRIORITY_FEES" | "RENT";
        /** @description Of fees: the organization they are paid for. */
        organizationExternalId?: string;
        /** @description null: unlimited. */
        maxAllowedDebit: {
          /**
          * @description PER_TRANSACTION: the sum of the matching movements of one transaction; DURATION: the sum of the debits in a rolling window.
          * @enum {string}
          */
          limitType: "PER_TRANSACTION" | "DURATION";
          /** @description The largest sum allowed, in display units; for tokens per instrument. null: unlimited. A decimal string. */
          limitAmount: string | null;
          /** @description Length of the rolling window of a DURATION limit; null for PER_TRANSACTION. */
          duration: {
            /**
            * @description Unit of time.
            * @enum {string}
            */
            code: "MINUTES" | "HOURS" | "DAYS" | "WEEKS";
            /** @description Number of units of time, at least 1. */
            unit: number;
          } | null;
          /** @description Ids of the API keys that may approve a debit above the limit. []: an exceeding debit is rejected with 400 DEBIT_LIMIT_EXCEEDED. */
          approversForOverride: string[];
          /** @description Number of approvers that must approve a debit above the limit. */
          requiredApproversCount: number;
        } | null;
      }[];
      /** @description Empty: the default limits apply if defaultDebitLimits names the list, otherwise there are no limits. Always empty in a record of another tenant. */
      tokenDebitLimits: {
        /**
        * @description Class of the receiver that the limit applies to. OFF_PLATFORM: not onboarded; NON_MANAGED: onboarded, key not made by the service in this tenant; MANAGED: key made by the service in this tenant; ANY: all of them. FEES, PRIORITY_FEES and RENT limit what the account pays as fees and rent.
        * @enum {string}
        */
        destination: "ANY" | "OFF_PLATFORM" | "NON_MANAGED" | "MANAGED" | "FEES" | "PRIORITY_FEES" | "RENT";
        /** @description Of fees: the organization they are paid for. */
        organizationExternalId?: string;
        /** @description null: unlimited. */
        maxAllowedDebit: {
          /**
          * @description PER_TRANSACTION: the sum of the matching movements of one transaction; DURATION: the sum of the debits in a rolling window.
          * @enum {string}
          */
          limitType: "PER_TRANSACTION" | "DURATION";
          /** @description The largest sum allowed, in display units; for tokens per instrument. null: unlimited. A decimal string. */
          limitAmount: string | null;
          /** @description Length of the rolling window of a DURATION limit; null for PER_TRANSACTION. */
          duration: {
            /**
            * @description Unit of time.
            * @enum {string}
            */
            code: "MINUTES" | "HOURS" | "DAYS" | "WEEKS";
            /** @description Number of units of time, at least 1. */
            unit: number;
          } | null;
          /** @description Ids of the API keys that may approve a debit above the limit. []: an exceeding debit is rejected with 400 DEBIT_LIMIT_EXCEEDED. */
          approversForOverride: string[];
          /** @description Number of approvers that must approve a debit above the limit. */
          requiredApproversCount: number;
        } | null;
        /**
        * @description Operation that the limit applies to: TRANSFER, BURN, or ANY for both.
        * @enum {string}
        */
        operationType: "ANY" | "TRANSFER" | "BURN";
        /** @description The limit applies to instruments with this mint authority. Absent: all instruments. */
        mintAuthority?: {
          /** @description Address on chain: base58 of 32 bytes. */
          onchainId: string;
          /**
          * Format: uuid
          * @description Id of the record in the service, a UUID.
          */
          offchainId?: string;
        };
      }[];
      /** @description The lists of debit limits that are not set, so that their default limits apply; in an answer they are [], as lists that mean no limits. Absent in a record of another tenant. */
      defaultDebitLimits?: ("networkCurrencyDebitLimits" | "tokenDebitLimits")[];
      /** @description ALLOW_LIST: the account pays own managed accounts and allowed counterparties only; OPEN: the policy of the organization decides; null: not visible to the caller. */
      destinationPolicy: ("OPEN" | "ALLOW_LIST") | null;
      /** @description True if an administrator has frozen the account: nothing is signed with it; null: not visible. */
      frozenByOperator: boolean | null;
      /** @description True if the submission lane of the account is suspended; null: not visible to the caller. */
      laneSuspended: boolean | null;
      /** @description Symbol of the instrument, or of the instrument of the position; null: none. */
      symbol: string | null;
    };
    Balance: {
      /** @description Balance that the chain reports now. */
      onchain: components["schemas"]["AmountPair"];
      /** @description Balance in the books of the service. */
      offchain: components["schemas"]["AmountPair"];
      /** @description Part of the balance that open transactions may still debit. */
      reserved: components["schemas"]["AmountPair"];
      /** @description Balance minus reservations: what a new transaction can debit. */
      available: components["schemas"]["AmountPair"];
      /** @description True if the books and the chain differ; reconciliation then reads the account from the chain. */
      outOfBalance: boolean;
    };
    /** @description Display units, and raw integer units. */
    AmountPair: {
      /** @description Amount in display units. A decimal string. */
      amount: string;
      /** @description Amount in raw integer units: lamports, or the smallest unit of the token. A decimal string. */
      lamports: string;
    };
    FilterValue: {
      /**
      * @description Type of the field. Optional; if given, it must be the type of the field (NUMBER, INTEGER and DECIMAL are the same; TEXT is accepted for an address), otherwise 400.
      * @enum {string}
      */
      dataType?: "TEXT" | "NUMBER" | "INTEGER" | "DECIMAL" | "BOOLEAN" | "TIMESTAMP" | "OFFCHAIN_REFERENCE_TYPE" | "OFFCHAIN_REFRENCE_TYPE" | "ONCHAIN_ADDRESS_ID" | "ADDRESS_ONCHAIN_ID" | "OFFCHAIN_ID";
      /**
      * @description The comparison. EQUALS, NOT_EQUALS and IN are exact; CONTAINS, STARTS_WITH and ENDS_WITH ignore case; IN_RANGE includes both ends. An operator that does not fit the type of the field: 400. A null value matches only IS_NULL, NOT_EQUALS and NOT_CONTAINS. A list matches if any of its members does.
      * @enum {string}
      */
      filterType: "EQUALS" | "NOT_EQUALS" | "CONTAINS" | "NOT_CONTAINS" | "IS_NULL" | "IS_NOT_NULL" | "STARTS_WITH" | "ENDS_WITH" | "IN" | "IN_RANGE" | "GREATER_THAN" | "GREATER_THAN_OR_EQUAL" | "LESS_THAN" | "LESS_THAN_OR_EQUAL";
      /** @description Operand for text, ids, addresses, enumerations and timestamps (ISO 8601). A member that does not fit the type of the field: 400 INVALID_VALUE. */
      valueString?: string;
      /** @description Operand for a number field. A JSON number or a decimal string. */
      valueNumber?: number | string | bigint;
      /** @description Operand for a boolean field. */
      valueBoolean?: boolean;
      /** @description Operands of IN: the field must equal one of them. */
      valuesString?: string[];
      /** @description Lower end of IN_RANGE for text and timestamps, included. */
      valueFromString?: string;
      /** @description Upper end of IN_RANGE for text and timestamps, included. */
      valueToString?: string;
      /** @description Lower end of IN_RANGE for numbers, included. A JSON number or a decimal string. */
      valueFromNumber?: number | string | bigint;
      /** @description Upper end of IN_RANGE for numbers, included. A JSON number or a decimal string. */
      valueToNumber?: number | string | bigint;
    };
    AccountCompact: {
      /** @description What the chain holds. */
      onchain: {
        /** @description Address on chain: base58 of 32 bytes. */
        id: string;
        /** @description Signature of the last transaction that changed a balance of the account; null: none known. */
        lastTransactionId: string | null;
        /** @description Time of that transaction, ISO 8601 in UTC; null: none known. */
        lastTransactionAt: string | null;
      };
      /** @description What the service records. */
      offchain: {
        /**
        * Format: uuid
        * @description Id of the record in the service, a UUID.
        */
        id: string;
        /**
        * @description Type of the account.
        * @enum {string}
        */
        type: "WALLET" | "ASSETS_WALLET" | "CURRENCIES_WALLET" | "DEFI_SETTLEMENT_WALLET" | "FUNDS_TOKEN_ACCOUNT" | "ASSET_TOKEN_ACCOUNT" | "FUNDS_TOKEN" | "ASSET_TOKEN" | "ADDRESS_LOOKUP_TABLE" | "NONCE" | "TOKEN_MANAGEMENT_AUTHORITY";
        /** @description Code that the client gave the account; null: none. */
        code: string | null;
        /** @description Additional identifier that the client gave the account; null: none. */
        alId: string | null;
        /** @description External id of the organization that owns the account. */
        organizationExternalId: string;
        /** @description Account number that the client gave the account; null: none. */
        accountNumber: string | null;
        /** @description Id (UUID) of the last transaction of the service that changed a balance of the account; null: none. */
        lastTransactionId: string | null;
      };
      /** @description True if the service holds the private key of the account. */
      managed: boolean;
      /**
      * @description ACTIVE: in use; CLOSED: inactivated, or its creation provably failed. A closed record is kept.
      * @enum {string}
      */
      status: "ACTIVE" | "CLOSED";
      /** @description External id of the organization that the record belongs to. */
      tenantOrganizationId: string;
    };
    AccountIdentifiers: {
      /** @description What the chain holds. */
      onchain: {
        /** @description Address on chain: base58 of 32 bytes. */
        id: string;
      };
      /** @description What the service records. */
      offchain: {
        /**
        * Format: uuid
        * @description Id of the record in the service, a UUID.
        */
        id: string;
      };
      /** @description True if the service holds the private key of the account. */
      managed: boolean;
      /** @description External id of the organization that the record belongs to. */
      tenantOrganizationId: string;
    };
    /** @description encryptTo: a public key as JWK; the answer is then a compact JWE. */
    PrivateKeyLookup: {
      /**
      * @description Address on chain: base58 of 32 bytes.
      * @example 11111111111111111111111111111111
      */
      onchainId?: string;
      /**
      * Format: uuid
      * @description Id of the record in the service, a UUID.
      */
      offchainId?: string;
      /** @description The identifiers and names that the client gave the account. */
      offchainReferences?: components["schemas"]["OffchainReferences"];
      /**
      * @description false: do not sign with this account now.
      * @default true
      */
      autoSign?: boolean;
      /** @description External id of an organization of another tenant. The lookup then finds accounts of that organization that are shared with, or granted to, the organization of the caller. */
      otherTenantOrganizationExternalId?: string;
      /** @description The account is not onboarded; needs onchainId. */
      offPlatform?: boolean;
      /** @description Public key (JWK, OKP with X25519 or EC with P-256) to encrypt the response to. The response then has `privateKeyJwe` in place of `privateKey`. A key that nothing can be encrypted to: 400 ENCRYPTION_KEY_INVALID. */
      encryptTo?: {
        /**
        * @description Key type of the JWK: OKP for X25519, EC for P-256.
        * @enum {string}
        */
        kty: "OKP" | "EC";
        /**
        * @description Curve of the JWK: X25519 or P-256.
        * @enum {string}
        */
        crv: "X25519" | "P-256";
        /** @description Public key, or its x coordinate, in base64url. */
        x: string;
        /** @description The y coordinate in base64url; of a P-256 key only. */
        y?: string;
        /** @description Key id; copied into the header of the JWE. */
        kid?: string;
        /** @description Intended use of the JWK (RFC 7517). */
        use?: string;
        /** @description Intended algorithm of the JWK (RFC 7517). */
        alg?: string;
        /** @description Permitted operations of the JWK (RFC 7517). */
        key_ops?: string[];
        /** @description Whether the JWK is extractable, as Web Crypto exports it. */
        ext?: boolean;
      };
    };
    NewFinancialInstrument: {
      /** @description The mint account to create or onboard. Exactly one of `mintAccount` and `existingMintAccount` is required. */
      mintAccount?: components["schemas"]["NewAccount"];
      /** @description A mint account made before by Create Account with the size of the calculator, or onboarded. Exactly one of `mintAccount` and `existingMintAccount` is required. Another size: 400 MINT_SIZE_MISMATCH. */
      existingMintAccount?: components["schemas"]["AccountLookup"];
      /** @description Needed unless the token is on chain already. */
      mintAuthority?: components["schemas"]["AccountLookup"];
      /** @description Account that may change the metadata on chain. null in a record: none. Of an account that the caller may not see, only the address. */
      updateAuthority?: components["schemas"]["AccountLookup"];
      /** @description Account that may freeze and unfreeze positions. null in a record: none. Of an account that the caller may not see, only the address. */
      freezeAuthority?: components["schemas"]["AccountLookup"];
      /** @description Account that may move and burn the tokens of every position. null in a record: none. Of an account that the caller may not see, only the address. In a creation, enables the extension PERMANENT_DELEGATE (TOKEN_2022 only). */
      permanentDelegateAuthority?: components["schemas"]["AccountLookup"];
      /** @description Account that may close the mint when the supply is 0. null in a record: none. Of an account that the caller may not see, only the address. In a creation, enables the extension MINT_CLOSE (TOKEN_2022 only). */
      closingAuthority?: components["schemas"]["AccountLookup"];
      /** @description Account that may pause all movements of the token. null in a record: none. Of an account that the caller may not see, only the address. In a creation, enables the extension PAUSABLE (TOKEN_2022 only). */
      pausableAuthority?: components["schemas"]["AccountLookup"];
      /** @description Account that may change the multiplier of displayed amounts. null in a record: none. Of an account that the caller may not see, only the address. In a creation, enables the extension SCALED_UI_AMOUNT (TOKEN_2022 only). */
      scaledUiAmountAuthority?: components["schemas"]["AccountLookup"];
      /** @description Account that may change the transfer hook program. null in a record: none. Of an account that the caller may not see, only the address. In a creation, enables the extension TRANSFER_HOOK (TOKEN_2022 only). */
      transferHookAuthority?: components["schemas"]["AccountLookup"];
      /** @description Program that runs on every transfer. null in a record: none. Of an account that the caller may not see, only the address. In a creation, enables the extension TRANSFER_HOOK (TOKEN_2022 only). */
      transferHookProgram?: components["schemas"]["AccountLookup"];
      /** @description Authority of confidential transfers. The extension can be created, but not used (400 EXTENSION_NOT_USABLE). null in a record: none. Of an account that the caller may not see, only the address. In a creation, enables the extension CONFIDENTIAL_TRANSFER (TOKEN_2022 only). */
      confidentialTransferAuthority?: components["schemas"]["AccountLookup"];
      /** @description Authority of confidential minting and burning. The extension can be created, but not used (400 EXTENSION_NOT_USABLE). null in a record: none. Of an account that the caller may not see, only the address. In a creation, enables the extension CONFIDENTIAL_MINT_BURN (TOKEN_2022 only). */
      confidentialMintBurnAuthority?: components["schemas"]["AccountLookup"];
      /**
      * @description Token program of the instrument. Default: `mintAccount.tokenVersion`, or the `tokenVersion` that the account of `existingMintAccount` was created with, else SPL. Two different values: 400 ALIAS_CONFLICT.
      * @enum {string}
      */
      version?: "SPL" | "TOKEN_2022";
      /** @description True: the token exists on chain and is only onboarded; its properties are read from the mint, and values in the request must match them (400 LOOKUP_MISMATCH). Default false. */
      alreadyOnchain?: boolean;
      /** @description Symbol, name and metadata of the token. Of an SPL instrument, symbol and name are stored offchain. */
      onchainData?: components["schemas"]["OnchainData"];
      /** @description Description, metadata and logo that the service stores. */
      offchainData?: components["schemas"]["OffchainData"];
      /**
      * @description State of new positions. FROZEN requires TOKEN_2022 and a freeze authority. Default INITIALIZED; null in a record: the instrument has no default state.
      * @enum {string}
      */
      defaultPositionState?: "INITIALIZED" | "FROZEN";
      /** @description True: all movements of the token are stopped. Requires the extension PAUSABLE. Default false; null in a record: not pausable. */
      paused?: boolean;
      /** @description Factor from raw units to displayed amounts (extension SCALED_UI_AMOUNT): a JSON number of at most 15 significant digits, or a decimal string. */
      scaledUiAmountMultiplier?: number | string | bigint;
      /** @description Supply that no mint may exceed (400 SUPPLY_CAP_EXCEEDED), in units of `decimals`, whatever the multiplier of displayed amounts is. Default: no limit. Display units, zero included: a JSON number or a decimal string. */
      maxSupply?: number | string | bigint;
      /**
      * @deprecated
      * @description Another spelling of alreadyOnchain.
      */
      alreadyOnChain?: boolean;
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    NewAccount: {
      /** @description True: the service holds the private key. Default: true if neither `onchainId` nor `publickKey` is given or if `privateKey` is, else false. */
      managed?: boolean;
      /** @description True: the account exists on chain and is only onboarded; no transaction is created. Default false. */
      alreadyOnchain?: boolean;
      /**
      * @description Address of the account. Required for an account whose key is not made by the service. With `privateKey`, the key must derive this address.
      * @example 11111111111111111111111111111111
      */
      onchainId?: string;
      /** @description The identifiers and names that the client gave the account. */
      offchainReferences?: components["schemas"]["OffchainReferences"];
      /** @description Where and how the private key is stored. Default on creation: a new key in the encrypted store. */
      privateKeyDetails?: components["schemas"]["PrivateKeyDetails"];
      /** @description Ids of the only API keys that may debit network currency from the account; otherwise 403 DEBIT_KEY_REQUIRED. Empty: every key with the rights to do so may. A change requires the role PLATFORM_UPDATE_DEBIT_API_KEYS. */
      solDebitApiKeys?: string[];
      /** @description Ids of the only API keys that may debit tokens; otherwise 403 DEBIT_KEY_REQUIRED. Empty: every key with the rights to do so may. A change requires the role PLATFORM_UPDATE_DEBIT_API_KEYS. */
      tokenDebitApiKeys?: string[];
      /** @description Debit limits for network currency; all entries that apply must pass. Absent or null: the default limits apply; []: no limits. A list replaces the defaults: what none of its entries covers is unlimited, except fees and rent, whose defaults apply until an entry names their class: in 24 hours 1 unit of priority fees, 1 unit of fees for each organization of another tenant, and 0.1 units of rent. The default limits: transfers of 0 to OFF_PLATFORM, and of at most 1 unit in a transaction to NON_MANAGED. Limits looser than the defaults require the role ACCOUNT_POLICY_WRITE. */
      networkCurrencyDebitLimits?: components["schemas"]["NetworkCurrencyDebitLimit"][] | null;
      /** @description Debit limits for tokens; all entries that apply must pass, of the wallet and of the position. Absent or null: the default limits apply; []: no limits. A list replaces the defaults: what none of its entries covers is unlimited. The default limits: transfers of 0 to OFF_PLATFORM, and of at most 1 unit in a transaction to NON_MANAGED. Limits looser than the defaults require the role ACCOUNT_POLICY_WRITE. */
      tokenDebitLimits?: components["schemas"]["TokenDebitLimit"][] | null;
      /**
      * @description ALLOW_LIST: the account pays own managed accounts and allowed counterparties only. OPEN leaves the decision to the organization. Default OPEN.
      * @enum {string}
      */
      destinationPolicy?: "OPEN" | "ALLOW_LIST";
      /** @description Bytes reserved on chain. */
      dataLength?: number;
      /** @description Network currency to transfer to the new account. With `seedLamports`, both must agree. Display units: a JSON number of at most 15 significant digits, or a decimal string. */
      seedAmount?: number | string | bigint;
      /** @description Lamports to transfer to the new account. With `seedAmount`, both must agree. Raw integer units: a JSON number or a decimal string. */
      seedLamports?: number | string | bigint;
      /** @description True: the service follows the account on chain and emits `account.network_activity` events. Default false; null in a record of another tenant. */
      subscribeToNetworkEvents?: boolean;
      /** @description True: the account may pay transaction fees. Default false. Requires the role ACCOUNT_POLICY_WRITE. An account with data cannot pay fees. */
      canPayFees?: boolean;
      /** @description External ids of the organizations for which the account is the default fee payer. Requires the role ACCOUNT_POLICY_WRITE. */
      globalFeePayerForOrgs?: string[];
      /** @description External ids of the organizations, besides the owner, whose API keys may sign with the account. Requires the role ACCOUNT_POLICY_WRITE. */
      orgsAllowedToSignWithPrivateKey?: string[];
      /** @description True: other tenants can look up the account by its references. Only the system tenant may set it (403). Default false. */
      shareAcrossTenants?: boolean;
      /**
      * @description Token program of a mint or token account, kept with an account that is not one yet. For a new instrument, also one in this account, it decides if `version` is absent; otherwise both must agree (400 ALIAS_CONFLICT).
      * @enum {string}
      */
      tokenVersion?: "SPL" | "TOKEN_2022";
      /** @description Free text of the client, at most 4096 characters. In an update null removes it; in a record null means none. */
      comments?: string;
      /** @description True if the address is derived from other addresses and has no key, as an associated token account is. Null in a record of another tenant. */
      isDerived?: boolean;
      /** @description Kept with the account; has no effect. Default false. */
      isGenesis?: boolean;
      /** @description Domain name that the client associates with the account. In an update null removes it; in a record null means none. */
      domain?: string;
      /** @description True: with `alreadyOnchain`, the service does not check that the account exists on chain. Default false. */
      skipBlockchainExistenceVerification?: boolean;
      /**
      * @deprecated
      * @description Another spelling of alreadyOnchain.
      */
      alreadyOnChain?: boolean;
      /**
      * @deprecated
      * @description Another spelling of solDebitApiKeys.
      */
      networkCurrencyDebitApiKeys?: string[];
    };
    OnchainData: {
      /** @description Symbol of the token, at most 255 characters. */
      symbol?: string;
      /** @description Name of the token, at most 255 characters. */
      name?: string;
      /** @description URI of further metadata, at most 2048 characters. Stored, not fetched. TOKEN_2022 only. */
      uri?: string;
      /** @description Additional metadata on chain: text by key, at most 200 keys. TOKEN_2022 only, otherwise 400. */
      simpleCustomMetadata?: {
        [key: string]: string;
      };
      /**
      * @description Number of decimals of a display unit, 0 to 255. Cannot change later.
      * @default 0
      */
      decimals?: number;
    };
    OffchainData: {
      /** @description Description of the instrument, at most 4096 characters. */
      description?: string;
      /** @description Metadata of the client, an object of at most 200 members. */
      simpleCustomMetadata?: {
        [key: string]: unknown;
      };
      /** @description Metadata of the client with nested values, an object of at most 200 members. */
      complexCustomMetadata?: {
        [key: string]: unknown;
      };
      /** @description Logo of the instrument. null: none; in an update it removes the logo. */
      logo?: {
        /** @description https URL that the service copies the picture from, once: PNG, JPEG or WebP of at most 1 MiB (400 LOGO_TYPE, LOGO_UNAVAILABLE, OUTBOUND_NOT_ALLOWED). Absent: the logo is a description without a picture. */
        copyFromUri?: string;
        /** @description File name of the picture. */
        fileName?: string;
        /** @description Media type of the picture. */
        contentType?: string;
        /**
        * @description Kind of the file; always LOGO.
        * @enum {string}
        */
        type?: "LOGO";
      };
    };
    /** @description Authorities that sign are found when they are not named. A new authority of null gives it up. */
    FinancialInstrumentChanges: {
      /** @description The instrument to change, by its mint account. Not found: 404. */
      mintAccount: components["schemas"]["AccountLookup"];
      /** @description References of the mint account to change. Absent members keep their value; null removes one. */
      mintAccountOffchainReferences?: components["schemas"]["ReferenceChanges"] | null;
      /** @description Changes of the metadata on chain. Absent members keep their value. */
      onchainData?: {
        /** @description New symbol. */
        symbol?: string;
        /** @description New name. */
        name?: string;
        /** @description New URI of further metadata. Stored, not fetched. */
        uri?: string;
        /** @description Metadata keys to change: keys not named keep their value, null removes a key, null for the whole member removes all keys. */
        simpleCustomMetadata?: {
          [key: string]: string | null;
        } | null;
      };
      /** @description Description, metadata and logo that the service stores. */
      offchainData?: {
        /** @description Description of the instrument, at most 4096 characters. null: none; in an update it removes the description. */
        description?: string | null;
        /** @description Metadata of the client, an object of at most 200 members. null: none; in an update it removes them. */
        simpleCustomMetadata?: {
          [key: string]: unknown;
        } | null;
        /** @description Metadata of the client with nested values, at most 200 members. null: none; in an update it removes them. */
        complexCustomMetadata?: {
          [key: string]: unknown;
        } | null;
        /** @description Logo of the instrument. null: none; in an update it removes the logo. */
        logo?: {
          /** @description https URL that the service copies the picture from, once: PNG, JPEG or WebP of at most 1 MiB (400 LOGO_TYPE, LOGO_UNAVAILABLE, OUTBOUND_NOT_ALLOWED). Absent: the logo is a description without a picture. */
          copyFromUri?: string;
          /** @description File name of the picture. */
          fileName?: string;
          /** @description Media type of the picture. */
          contentType?: string;
          /**
          * @description Kind of the file; always LOGO.
          * @enum {string}
          */
          type?: "LOGO";
        } | null;
      };
      /**
      * @description State of new positions. FROZEN requires TOKEN_2022 and a freeze authority. Default INITIALIZED; null in a record: the instrument has no default state.
      * @enum {string}
      */
      defaultPositionState?: "INITIALIZED" | "FROZEN";
      /** @description True pauses the token, false resumes it. The present state: 400 ALREADY_PAUSED, NOT_PAUSED. */
      paused?: boolean;
      /** @description Factor from raw units to displayed amounts (extension SCALED_UI_AMOUNT): a JSON number of at most 15 significant digits, or a decimal string. */
      scaledUiAmountMultiplier?: number | string | bigint;
      /** @description New limit of the supply, in units of `decimals`; null: no limit. A lower one may be below the supply and then stops further mints. A higher one, or none, needs role ACCOUNT_POLICY_WRITE. A JSON number of at most 15 significant digits, else a decimal string. */
      maxSupply?: number | string | bigint | null;
      /** @description New transfer hook program; null removes it. */
      transferHookProgram?: components["schemas"]["AccountLookup"] | null;
      /** @description New closing authority; null gives the authority up for ever. */
      newClosingAuthority?: components["schemas"]["AccountLookup"] | null;
      /** @description New pausable authority; null gives the authority up for ever. */
      newPausableAuthority?: components["schemas"]["AccountLookup"] | null;
      /** @description New authority over the multiplier; null gives the authority up for ever. */
      newScaledUiAmountAuthority?: components["schemas"]["AccountLookup"] | null;
      /** @description New authority over the transfer hook; null gives the authority up for ever. */
      newTransferHookAuthority?: components["schemas"]["AccountLookup"] | null;
      /** @description Update authority that signs. Default: found from the instrument. */
      updateAuthority?: components["schemas"]["AccountLookup"];
      /** @description Freeze authority that signs a change of the default position state. Default: found from the instrument. */
      freezeAuthority?: components["schemas"]["AccountLookup"];
      /** @description Present closing authority, which signs. Default: found from the instrument. */
      currentClosingAuthority?: components["schemas"]["AccountLookup"];
      /** @description Present pausable authority, which signs. Default: found from the instrument. */
      currentPausableAuthority?: components["schemas"]["AccountLookup"];
      /** @description Present authority over the multiplier, which signs. Default: found from the instrument. */
      currentScaledUiAmountAuthority?: components["schemas"]["AccountLookup"];
      /** @description Present authority over the transfer hook, which signs. Default: found from the instrument. */
      currentTransferHookAuthority?: components["schemas"]["AccountLookup"];
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    /** @description Of a request that takes more than one transaction: each is made, or sent, when the one before is settled. */
    ChainPlan: {
      /**
      * Format: uuid
      * @description Id of the plan, a UUID.
      */
      offchainId: string;
      /**
      * @description RUNNING: transactions remain to be sent; FINISHED: all are settled; FAILED: one failed and the rest was not sent.
      * @enum {string}
      */
      status: "RUNNING" | "FINISHED" | "FAILED";
      /** @description Transactions in all. */
      steps: number;
      /** @description Number of transactions that are confirmed. */
      confirmed: number;
      /** @description Why the rest was not sent. */
      errorMessage?: string;
    };
    FinancialInstrumentAuthorities: {
      /** @description The instrument whose authorities change. */
      financialInstrument: components["schemas"]["AccountLookup"];
      /** @description The authorities to change; others stay. The present holder of each signs. The transaction waits as PREPARED for a holder whose key is not managed here. */
      authorities: components["schemas"]["AuthorityChanges"];
      /** @description Must be true if an authority is null: it is given up for ever. */
      confirm?: boolean;
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    AuthorityChanges: {
      /** @description Account with whose signature new tokens are minted from now on; null gives the authority up for ever. */
      mint?: components["schemas"]["AccountLookup"] | null;
      /** @description Account with whose signature positions are frozen and the state of new positions is changed from now on; null gives the authority up for ever. */
      freeze?: components["schemas"]["AccountLookup"] | null;
      /** @description Account with whose signature the metadata on chain are changed from now on; null gives the authority up for ever. Without the extension TOKEN_METADATA: 400 EXTENSION_MISSING. */
      update?: components["schemas"]["AccountLookup"] | null;
      /** @description Account with whose signature tokens of every position are moved and burned from now on; null gives the authority up for ever. Without the extension PERMANENT_DELEGATE: 400 EXTENSION_MISSING. */
      permanentDelegate?: components["schemas"]["AccountLookup"] | null;
      /** @description Account with whose signature the mint is closed from now on; null gives the authority up for ever. Without the extension MINT_CLOSE: 400 EXTENSION_MISSING. */
      closing?: components["schemas"]["AccountLookup"] | null;
      /** @description Account with whose signature the token is paused and resumed from now on; null gives the authority up for ever. Without the extension PAUSABLE: 400 EXTENSION_MISSING. */
      pausable?: components["schemas"]["AccountLookup"] | null;
      /** @description Account with whose signature the multiplier of displayed amounts is changed from now on; null gives the authority up for ever. Without the extension SCALED_UI_AMOUNT: 400 EXTENSION_MISSING. */
      scaledUiAmount?: components["schemas"]["AccountLookup"] | null;
      /** @description Account with whose signature the transfer hook program is changed from now on; null gives the authority up for ever. Without the extension TRANSFER_HOOK: 400 EXTENSION_MISSING. */
      transferHook?: components["schemas"]["AccountLookup"] | null;
      /** @description Account with whose signature confidential transfers are configured from now on; null gives the authority up for ever. Without the extension CONFIDENTIAL_TRANSFER: 400 EXTENSION_MISSING. */
      confidentialTransfer?: components["schemas"]["AccountLookup"] | null;
      /** @description Account with whose signature the place of the metadata is changed from now on; null gives the authority up for ever. Without the extension METADATA_POINTER: 400 EXTENSION_MISSING. */
      metadataPointer?: components["schemas"]["AccountLookup"] | null;
    };
    SwitchFinancialInstrument: {
      /** @description The instrument to pause or unpause. */
      financialInstrument: components["schemas"]["AccountLookup"];
      /** @description Pausable authority that signs. Default: found from the instrument. */
      pausableAuthority?: components["schemas"]["AccountLookup"];
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    CloseFinancialInstrument: {
      /** @description The instrument to close. Its supply must be 0. */
      financialInstrumentToClose: components["schemas"]["AccountLookup"];
      /** @description Account that receives the rent of the mint. Default: the fee payer. */
      refundDestination?: components["schemas"]["AccountLookup"];
      /** @description Closing authority that signs. Default: found from the instrument. */
      closeAuthority?: components["schemas"]["AccountLookup"];
      /**
      * @deprecated
      * @description Another spelling of refundDestination.
      */
      refundSolDestination?: components["schemas"]["AccountLookup"];
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    CirculatingSupplyLookup: {
      /** @description The instrument whose supply is fetched. */
      financialInstrument: components["schemas"]["AccountLookup"];
    };
    Holders: {
      /**
      * Format: date-time
      * @description The instant of the answer, ISO 8601 in UTC.
      */
      asOf: string;
      /** @description Sum of the balances of all holders, whatever the query selects. */
      total: components["schemas"]["AmountPair"];
      /** @description Number of holders that match the filter. */
      count: number;
      /** @description One page of the holders. */
      items: components["schemas"]["Holder"][];
    };
    /** @description The owner of positions of an instrument. */
    Holder: {
      /** @description Ids of the owner; the record id is null without a record in the tenant. */
      owner: {
        /** @description Address on chain: base58 of 32 bytes. */
        onchainId: string;
        /** @description Id of the record in the service, a UUID. */
        offchainId: string | null;
        /** @description The counterparty that lists the address of the owner; absent: none. */
        counterparty?: components["schemas"]["CounterpartyName"];
      };
      /** @description Sum of the owner's positions at the instant. */
      balance: components["schemas"]["AmountPair"];
      /** @description The positions that held something at the instant. */
      positions: {
        /** @description Address on chain: base58 of 32 bytes. */
        onchainId: string;
        /**
        * Format: uuid
        * @description Id of the record in the service, a UUID.
        */
        offchainId: string;
      }[];
    };
    FinancialInstrument: {
      /** @description The mint account of the instrument. */
      mintAccount: components["schemas"]["Account"];
      /**
      * @description Token program of the instrument.
      * @enum {string}
      */
      version: "SPL" | "TOKEN_2022";
      /** @description Account that may mint. null in a record: none. Of an account that the caller may not see, only the address. */
      mintAuthority: components["schemas"]["Account"] | components["schemas"]["AddressOnly"] | null;
      /** @description Account that may change the metadata on chain. null in a record: none. Of an account that the caller may not see, only the address. */
      updateAuthority: components["schemas"]["Account"] | components["schemas"]["AddressOnly"] | null;
      /** @description Account that may freeze and unfreeze positions. null in a record: none. Of an account that the caller may not see, only the address. */
      freezeAuthority: components["schemas"]["Account"] | components["schemas"]["AddressOnly"] | null;
      /** @description Account that may move and burn the tokens of every position. null in a record: none. Of an account that the caller may not see, only the address. In a creation, enables the extension PERMANENT_DELEGATE (TOKEN_2022 only). */
      permanentDelegateAuthority: components["schemas"]["Account"] | components["schemas"]["AddressOnly"] | null;
      /** @description Account that may close the mint when the supply is 0. null in a record: none. Of an account that the caller may not see, only the address. In a creation, enables the extension MINT_CLOSE (TOKEN_2022 only). */
      closingAuthority: components["schemas"]["Account"] | components["schemas"]["AddressOnly"] | null;
      /** @description Account that may pause all movements of the token. null in a record: none. Of an account that the caller may not see, only the address. In a creation, enables the extension PAUSABLE (TOKEN_2022 only). */
      pausableAuthority: components["schemas"]["Account"] | components["schemas"]["AddressOnly"] | null;
      /** @description Account that may change the multiplier of displayed amounts. null in a record: none. Of an account that the caller may not see, only the address. In a creation, enables the extension SCALED_UI_AMOUNT (TOKEN_2022 only). */
      scaledUiAmountAuthority: components["schemas"]["Account"] | components["schemas"]["AddressOnly"] | null;
      /** @description Program that runs on every transfer. null in a record: none. Of an account that the caller may not see, only the address. In a creation, enables the extension TRANSFER_HOOK (TOKEN_2022 only). */
      transferHookProgram: components["schemas"]["Account"] | components["schemas"]["AddressOnly"] | null;
      /** @description Account that may change the transfer hook program. null in a record: none. Of an account that the caller may not see, only the address. In a creation, enables the extension TRANSFER_HOOK (TOKEN_2022 only). */
      transferHookAuthority: components["schemas"]["Account"] | components["schemas"]["AddressOnly"] | null;
      /** @description Authority of confidential transfers. The extension can be created, but not used (400 EXTENSION_NOT_USABLE). null in a record: none. Of an account that the caller may not see, only the address. In a creation, enables the extension CONFIDENTIAL_TRANSFER (TOKEN_2022 only). */
      confidentialTransferAuthority: components["schemas"]["Account"] | components["schemas"]["AddressOnly"] | null;
      /** @description Authority of confidential minting and burning. The extension can be created, but not used (400 EXTENSION_NOT_USABLE). null in a record: none. Of an account that the caller may not see, only the address. In a creation, enables the extension CONFIDENTIAL_MINT_BURN (TOKEN_2022 only). */
      confidentialMintBurnAuthority: components["schemas"]["Account"] | components["schemas"]["AddressOnly"] | null;
      /** @description Account that may change where the metadata of the token are stored; null: none. */
      metadataPointerAuthority: components["schemas"]["Account"] | components["schemas"]["AddressOnly"] | null;
      /** @description Symbol, name and metadata of the token. Of an SPL instrument, symbol and name are stored offchain. */
      onchainData: {
        /** @description Symbol of the token; null: none. */
        symbol: string | null;
        /** @description Name of the token; null: none. */
        name: string | null;
        /** @description URI of further metadata. Stored, not fetched; empty: the metadata has none; null: no metadata. */
        uri: string | null;
        /** @description Additional metadata on chain: text by key; null: none. */
        simpleCustomMetadata: {
          [key: string]: unknown;
        } | null;
        /** @description Number of decimals of a display unit. Cannot change. */
        decimals: number;
      };
      /** @description Description, metadata and logo that the service stores. */
      offchainData: {
        /** @description Description of the instrument, at most 4096 characters. null: none; in an update it removes the description. */
        description: string | null;
        /** @description Metadata of the client, an object of at most 200 members. null: none; in an update it removes them. */
        simpleCustomMetadata: {
          [key: string]: unknown;
        } | null;
        /** @description Metadata of the client with nested values, at most 200 members. null: none; in an update it removes them. */
        complexCustomMetadata: {
          [key: string]: unknown;
        } | null;
        /** @description Logo of the instrument. null: none; in an update it removes the logo. */
        logo: {
          [key: string]: unknown;
        } | null;
      };
      /** @description State of new positions. FROZEN requires TOKEN_2022 and a freeze authority. Default INITIALIZED; null in a record: the instrument has no default state. */
      defaultPositionState: string | null;
      /** @description True: all movements of the token are stopped. Requires the extension PAUSABLE. Default false; null in a record: not pausable. */
      paused: boolean | null;
      /** @description Factor from raw units to displayed amounts (extension SCALED_UI_AMOUNT); null: none. */
      scaledUiAmountMultiplier: number | null;
      /** @description Supply in the books of the service. */
      supply: components["schemas"]["AmountPair"];
      /** @description Supply that no mint may exceed (400 SUPPLY_CAP_EXCEEDED), whatever the multiplier of displayed amounts is; null: no limit. */
      maxSupply: components["schemas"]["AmountPair"] | null;
      /** @description Names of the token extensions of the mint. */
      extensions: string[];
      /**
      * @description ACTIVE: in use; CLOSED: the mint is closed, or its creation provably failed.
      * @enum {string}
      */
      status: "ACTIVE" | "CLOSED";
    };
    AddressOnly: {
      /** @description What the chain holds. */
      onchain: {
        /** @description Address on chain: base58 of 32 bytes. */
        id: string;
      };
      /** @description The counterparty that lists the address; absent: none. */
      counterparty?: components["schemas"]["CounterpartyName"];
    };
    FinancialInstrumentCompact: {
      /** @description The mint account of the instrument. */
      mintAccount: components["schemas"]["AccountCompact"];
      /**
      * @description Token program of the instrument.
      * @enum {string}
      */
      version: "SPL" | "TOKEN_2022";
      /** @description Account that may mint. null in a record: none. Of an account that the caller may not see, only the address. */
      mintAuthority: components["schemas"]["AccountCompact"] | components["schemas"]["AddressOnly"] | null;
      /** @description Account that may change the metadata on chain. null in a record: none. Of an account that the caller may not see, only the address. */
      updateAuthority: components["schemas"]["AccountCompact"] | components["schemas"]["AddressOnly"] | null;
      /** @description Account that may freeze and unfreeze positions. null in a record: none. Of an account that the caller may not see, only the address. */
      freezeAuthority: components["schemas"]["AccountCompact"] | components["schemas"]["AddressOnly"] | null;
      /** @description Account that may move and burn the tokens of every position. null in a record: none. Of an account that the caller may not see, only the address. In a creation, enables the extension PERMANENT_DELEGATE (TOKEN_2022 only). */
      permanentDelegateAuthority: components["schemas"]["AccountCompact"] | components["schemas"]["AddressOnly"] | null;
      /** @description Account that may close the mint when the supply is 0. null in a record: none. Of an account that the caller may not see, only the address. In a creation, enables the extension MINT_CLOSE (TOKEN_2022 only). */
      closingAuthority: components["schemas"]["AccountCompact"] | components["schemas"]["AddressOnly"] | null;
      /** @description Account that may pause all movements of the token. null in a record: none. Of an account that the caller may not see, only the address. In a creation, enables the extension PAUSABLE (TOKEN_2022 only). */
      pausableAuthority: components["schemas"]["AccountCompact"] | components["schemas"]["AddressOnly"] | null;
      /** @description Account that may change the multiplier of displayed amounts. null in a record: none. Of an account that the caller may not see, only the address. In a creation, enables the extension SCALED_UI_AMOUNT (TOKEN_2022 only). */
      scaledUiAmountAuthority: components["schemas"]["AccountCompact"] | components["schemas"]["AddressOnly"] | null;
      /** @description Program that runs on every transfer. null in a record: none. Of an account that the caller may not see, only the address. In a creation, enables the extension TRANSFER_HOOK (TOKEN_2022 only). */
      transferHookProgram: components["schemas"]["AccountCompact"] | components["schemas"]["AddressOnly"] | null;
      /** @description Account that may change the transfer hook program. null in a record: none. Of an account that the caller may not see, only the address. In a creation, enables the extension TRANSFER_HOOK (TOKEN_2022 only). */
      transferHookAuthority: components["schemas"]["AccountCompact"] | components["schemas"]["AddressOnly"] | null;
      /** @description Authority of confidential transfers. The extension can be created, but not used (400 EXTENSION_NOT_USABLE). null in a record: none. Of an account that the caller may not see, only the address. In a creation, enables the extension CONFIDENTIAL_TRANSFER (TOKEN_2022 only). */
      confidentialTransferAuthority: components["schemas"]["AccountCompact"] | components["schemas"]["AddressOnly"] | null;
      /** @description Authority of confidential minting and burning. The extension can be created, but not used (400 EXTENSION_NOT_USABLE). null in a record: none. Of an account that the caller may not see, only the address. In a creation, enables the extension CONFIDENTIAL_MINT_BURN (TOKEN_2022 only). */
      confidentialMintBurnAuthority: components["schemas"]["AccountCompact"] | components["schemas"]["AddressOnly"] | null;
      /** @description Account that may change where the metadata of the token are stored; null: none. */
      metadataPointerAuthority: components["schemas"]["AccountCompact"] | components["schemas"]["AddressOnly"] | null;
      /** @description Symbol, name and metadata of the token. Of an SPL instrument, symbol and name are stored offchain. */
      onchainData: {
        /** @description Symbol of the token; null: none. */
        symbol: string | null;
        /** @description Name of the token; null: none. */
        name: string | null;
        /** @description URI of further metadata. Stored, not fetched; empty: the metadata has none; null: no metadata. */
        uri: string | null;
        /** @description Additional metadata on chain: text by key; null: none. */
        simpleCustomMetadata: {
          [key: string]: unknown;
        } | null;
        /** @description Number of decimals of a display unit. Cannot change. */
        decimals: number;
      };
      /** @description Description, metadata and logo that the service stores. */
      offchainData: {
        /** @description Description of the instrument, at most 4096 characters. null: none; in an update it removes the description. */
        description: string | null;
        /** @description Metadata of the client, an object of at most 200 members. null: none; in an update it removes them. */
        simpleCustomMetadata: {
          [key: string]: unknown;
        } | null;
        /** @description Metadata of the client with nested values, at most 200 members. null: none; in an update it removes them. */
        complexCustomMetadata: {
          [key: string]: unknown;
        } | null;
        /** @description Logo of the instrument. null: none; in an update it removes the logo. */
        logo: {
          [key: string]: unknown;
        } | null;
      };
      /** @description State of new positions. FROZEN requires TOKEN_2022 and a freeze authority. Default INITIALIZED; null in a record: the instrument has no default state. */
      defaultPositionState: string | null;
      /** @description True: all movements of the token are stopped. Requires the extension PAUSABLE. Default false; null in a record: not pausable. */
      paused: boolean | null;
      /** @description Factor from raw units to displayed amounts (extension SCALED_UI_AMOUNT); null: none. */
      scaledUiAmountMultiplier: number | null;
      /** @description Supply in the books of the service. */
      supply: components["schemas"]["AmountPair"];
      /** @description Supply that no mint may exceed (400 SUPPLY_CAP_EXCEEDED), whatever the multiplier of displayed amounts is; null: no limit. */
      maxSupply: components["schemas"]["AmountPair"] | null;
      /** @description Names of the token extensions of the mint. */
      extensions: string[];
      /**
      * @description ACTIVE: in use; CLOSED: the mint is closed, or its creation provably failed.
      * @enum {string}
      */
      status: "ACTIVE" | "CLOSED";
    };
    FinancialInstrumentIdentifiers: {
      /**
      * @description Token program of the instrument.
      * @enum {string}
      */
      version: "SPL" | "TOKEN_2022";
      /** @description The mint account of the instrument. */
      mintAccount: components["schemas"]["AccountIdentifiers"];
    };
    NewPosition: {
      /** @description The token account to create. Absent, or with `isDerived: true`: the associated token account. */
      position?: components["schemas"]["NewAccount"];
      /** @description Owner of the new position. */
      owner: components["schemas"]["AccountLookup"];
      /** @description The instrument that the position holds. */
      financialInstrument: components["schemas"]["AccountLookup"];
      /** @description Debit limits for tokens; all entries that apply must pass, of the wallet and of the position. Absent or null: the default limits apply; []: no limits. A list replaces the defaults: what none of its entries covers is unlimited. The default limits: transfers of 0 to OFF_PLATFORM, and of at most 1 unit in a transaction to NON_MANAGED. Limits looser than the defaults require the role ACCOUNT_POLICY_WRITE. */
      tokenDebitLimits?: components["schemas"]["TokenDebitLimit"][] | null;
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    PositionChanges: {
      /** @description The position to change. */
      position: components["schemas"]["PositionLookup"];
      /** @description References to change. Absent members keep their value; null removes one. */
      offchainReferences?: components["schemas"]["ReferenceChanges"] | null;
      /** @description Free text of the client, at most 4096 characters. In an update null removes it; in a record null means none. */
      comments?: string | null;
      /** @description Ids of the only API keys that may debit tokens of the position. null or []: no restriction. Requires the role PLATFORM_UPDATE_DEBIT_API_KEYS. */
      tokenDebitApiKeys?: string[] | null;
      /** @description Debit limits for tokens; all entries that apply must pass, of the wallet and of the position. Absent or null: the default limits apply; []: no limits. A list replaces the defaults: what none of its entries covers is unlimited. The default limits: transfers of 0 to OFF_PLATFORM, and of at most 1 unit in a transaction to NON_MANAGED. Limits looser than the defaults require the role ACCOUNT_POLICY_WRITE. */
      tokenDebitLimits?: components["schemas"]["TokenDebitLimit"][] | null;
    };
    /** @description Found by position, else by owner and financialInstrument. */
    PositionLookup: {
      /** @description The token account itself. Has precedence over `owner` and `financialInstrument`. */
      position?: components["schemas"]["AccountLookup"];
      /** @description Owner of the position. With `financialInstrument`: the position of that owner in that instrument; without a record: the associated token account. */
      owner?: components["schemas"]["AccountLookup"];
      /** @description The instrument that the position holds. */
      financialInstrument?: components["schemas"]["AccountLookup"];
      /** @description The account that signs as mint authority. Must be the authority on chain (400 LOOKUP_MISMATCH). Identifies the instrument only if neither `position` nor `financialInstrument` is given and one instrument matches. */
      mintAuthority?: components["schemas"]["AccountLookup"];
      /** @description The account that signs as freeze authority. Must be the authority on chain (400 LOOKUP_MISMATCH). Default: found from the instrument. */
      freezeAuthority?: components["schemas"]["AccountLookup"];
    };
    SwitchPosition: {
      /** @description The position to freeze or unfreeze. */
      position: components["schemas"]["PositionLookup"];
      /** @description Freeze authority that signs. Default: found from the instrument. */
      freezeAuthority?: components["schemas"]["AccountLookup"];
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    Mint: {
      /** @description Position that receives the minted tokens. */
      destination: components["schemas"]["PositionLookup"];
      /** @description Amount to mint. Give `amount` or `lamports`, or both if they agree. Display units: a JSON number of at most 15 significant digits, or a decimal string. */
      amount?: number | string | bigint;
      /** @description Amount to mint. Give `amount` or `lamports`, or both if they agree. Raw integer units: a JSON number or a decimal string. */
      lamports?: number | string | bigint;
      /** @description At most 4096 bytes of UTF-8. */
      memo?: string;
      /**
      * Format: uuid
      * @description Idempotency key in the body, a UUID; the same as the header Idempotency-Key. Two different keys: 400.
      */
      idempotencyId?: string;
      /** @description Mint authority that signs. Default: found from the instrument. */
      mintAuthority?: components["schemas"]["AccountLookup"];
      /** @description True: create the associated token account of the destination in the same transaction if it does not exist. Default false. */
      initializeDestinationPositionIfNeeded?: boolean;
      /** @description True: unfreeze the destination in the same transaction before the operation. TOKEN_2022 instruments with a freeze authority only. Default false. */
      unfreezeDestination?: boolean;
      /** @description True: freeze the destination in the same transaction after the operation. TOKEN_2022 instruments with a freeze authority only. Default false. */
      freezeDestination?: boolean;
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    Burn: {
      /** @description Position whose tokens are burned. */
      source: components["schemas"]["PositionLookup"];
      /** @description Amount to burn. Give `amount` or `lamports`, or both if they agree. Exactly one of an amount and `burnEntireBalance` is required. Display units: a JSON number of at most 15 significant digits, or a decimal string. */
      amount?: number | string | bigint;
      /** @description Amount to burn. Give `amount` or `lamports`, or both if they agree. Exactly one of an amount and `burnEntireBalance` is required. Raw integer units: a JSON number or a decimal string. */
      lamports?: number | string | bigint;
      /** @description At most 4096 bytes of UTF-8. */
      memo?: string;
      /**
      * Format: uuid
      * @description Idempotency key in the body, a UUID; the same as the header Idempotency-Key. Two different keys: 400.
      */
      idempotencyId?: string;
      /** @description True: burn the whole balance, in place of an amount. Default false. */
      burnEntireBalance?: boolean;
      /** @description True: unfreeze the source in the same transaction before the operation. TOKEN_2022 instruments with a freeze authority only. Default false. */
      unfreezeSource?: boolean;
      /** @description True: freeze the source in the same transaction after the operation. TOKEN_2022 instruments with a freeze authority only. Default false. */
      freezeSource?: boolean;
      /** @description True: the permanent delegate of the instrument signs in place of the owner, under its own rights and limits. Default false. */
      permanentDelegate?: boolean;
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    Transfer: {
      /** @description Position that pays. Its owner signs. */
      source: components["schemas"]["PositionLookup"];
      /** @description Position that receives. Must hold the same instrument (400 INSTRUMENT_MISMATCH). */
      destination: components["schemas"]["PositionLookup"];
      /** @description Amount to transfer. Give `amount` or `lamports`, or both if they agree. Exactly one of an amount and `transferEntireBalance` is required. Display units: a JSON number of at most 15 significant digits, or a decimal string. */
      amount?: number | string | bigint;
      /** @description Amount to transfer. Give `amount` or `lamports`, or both if they agree. Exactly one of an amount and `transferEntireBalance` is required. Raw integer units: a JSON number or a decimal string. */
      lamports?: number | string | bigint;
      /** @description At most 4096 bytes of UTF-8. */
      memo?: string;
      /**
      * Format: uuid
      * @description Idempotency key in the body, a UUID; the same as the header Idempotency-Key. Two different keys: 400.
      */
      idempotencyId?: string;
      /** @description True: transfer the whole balance, in place of an amount. Default false. */
      transferEntireBalance?: boolean;
      /** @description True: the permanent delegate of the instrument signs in place of the owner, under its own rights and limits. Default false. */
      permanentDelegate?: boolean;
      /** @description True: unfreeze the source in the same transaction before the operation. TOKEN_2022 instruments with a freeze authority only. Default false. */
      unfreezeSource?: boolean;
      /** @description True: freeze the source in the same transaction after the operation. TOKEN_2022 instruments with a freeze authority only. Default false. */
      freezeSource?: boolean;
      /** @description True: unfreeze the destination in the same transaction before the operation. TOKEN_2022 instruments with a freeze authority only. Default false. */
      unfreezeDestination?: boolean;
      /** @description True: freeze the destination in the same transaction after the operation. TOKEN_2022 instruments with a freeze authority only. Default false. */
      freezeDestination?: boolean;
      /** @description True (default): reject the request if the available balance in the books is too small. False: leave the balance check to the chain. Debit limits always apply. */
      offchainBalanceAvailabilityPrecheck?: boolean;
      /** @description True: create the associated token account of the destination in the same transaction if it does not exist. Default false. */
      initializeDestinationPositionIfNeeded?: boolean;
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    TransferNetworkCurrency: {
      /** @description Account that pays; it signs. */
      source: components["schemas"]["AccountLookup"];
      /** @description Account that receives the network currency. */
      destination: components["schemas"]["AccountLookup"];
      /** @description Amount to transfer. Give `amount` or `lamports`, or both if they agree. Exactly one of an amount and `transferEntireBalance` is required. Display units: a JSON number of at most 15 significant digits, or a decimal string. */
      amount?: number | string | bigint;
      /** @description Amount to transfer. Give `amount` or `lamports`, or both if they agree. Exactly one of an amount and `transferEntireBalance` is required. Raw integer units: a JSON number or a decimal string. */
      lamports?: number | string | bigint;
      /** @description At most 4096 bytes of UTF-8. */
      memo?: string;
      /**
      * Format: uuid
      * @description Idempotency key in the body, a UUID; the same as the header Idempotency-Key. Two different keys: 400.
      */
      idempotencyId?: string;
      /** @description True: transfer the whole balance, in place of an amount. Default false. */
      transferEntireBalance?: boolean;
      /** @description True (default): reject the request if the available balance in the books is too small. False: leave the balance check to the chain. Debit limits always apply. */
      offchainBalanceAvailabilityPrecheck?: boolean;
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    Trade: {
      /** @description The movements, 2 to 8, executed in order in one transaction: all of them happen, or none. A later leg may spend what an earlier leg receives. */
      legs: components["schemas"]["TradeLeg"][];
      /** @description At most 4096 bytes of UTF-8. */
      memo?: string;
      /**
      * Format: uuid
      * @description Idempotency key in the body, a UUID; the same as the header Idempotency-Key. Two different keys: 400.
      */
      idempotencyId?: string;
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    TradeLeg: {
      /** @description Who pays. A leg moves an instrument if either side names a position or an instrument, otherwise network currency. */
      source: components["schemas"]["TradeSide"];
      /** @description Who receives, in the same instrument or network currency as the source. */
      destination: components["schemas"]["TradeSide"];
      /** @description Amount that the leg moves. Give `amount` or `lamports`, or both if they agree. Display units: a JSON number of at most 15 significant digits, or a decimal string. */
      amount?: number | string | bigint;
      /** @description Amount that the leg moves. Give `amount` or `lamports`, or both if they agree. Raw integer units: a JSON number or a decimal string. */
      lamports?: number | string | bigint;
      /** @description True: create the associated token account of the destination in the same transaction if it does not exist. Default false. */
      initializeDestinationPositionIfNeeded?: boolean;
    };
    /** @description A position lookup; or, where the leg moves network currency, an account lookup, or owner alone. */
    TradeSide: {
      /** @description The token account itself. Has precedence over `owner` and `financialInstrument`. */
      position?: components["schemas"]["AccountLookup"];
      /** @description Owner of the position; alone on both sides: the account that pays or receives network currency. */
      owner?: components["schemas"]["AccountLookup"];
      /** @description The instrument that the position holds. */
      financialInstrument?: components["schemas"]["AccountLookup"];
      /** @description Mint authority of the instrument; must be the authority on chain (400 LOOKUP_MISMATCH). */
      mintAuthority?: components["schemas"]["AccountLookup"];
      /** @description Freeze authority of the instrument; must be the authority on chain (400 LOOKUP_MISMATCH). */
      freezeAuthority?: components["schemas"]["AccountLookup"];
      /**
      * @description Address on chain: base58 of 32 bytes.
      * @example 11111111111111111111111111111111
      */
      onchainId?: string;
      /**
      * Format: uuid
      * @description Id of the record in the service, a UUID.
      */
      offchainId?: string;
      /** @description The identifiers and names that the client gave the account. */
      offchainReferences?: components["schemas"]["OffchainReferences"];
      /**
      * @description false: do not sign with this account now.
      * @default true
      */
      autoSign?: boolean;
      /** @description External id of an organization of another tenant. The lookup then finds accounts of that organization that are shared with, or granted to, the organization of the caller. */
      otherTenantOrganizationExternalId?: string;
      /** @description The account is not onboarded; needs onchainId. */
      offPlatform?: boolean;
    };
    ClosePosition: {
      /** @description The position to close. Not found: 404. */
      position: components["schemas"]["PositionLookup"];
      /** @description True: the fee payer receives the network currency of the closed position. The default if no `refundSolDestination` is given. */
      refundSolToFeePayer?: boolean;
      /** @description Account that receives the network currency of the closed position. Default: the fee payer. Rent that a fee payer of another organization paid must return there (400 RENT_OWED). */
      refundSolDestination?: components["schemas"]["AccountLookup"];
      /** @description True: burn the remaining tokens. Excludes `transferRemainingTokenBalanceTo`. Default false. */
      burnRemainingTokenBalance?: boolean;
      /** @description Position that receives the remaining tokens. Excludes `burnRemainingTokenBalance`. */
      transferRemainingTokenBalanceTo?: components["schemas"]["PositionLookup"];
      /** @description True: create the associated token account of the destination in the same transaction if it does not exist. Default false. */
      initializeDestinationPositionIfNeeded?: boolean;
      /** @description True: unfreeze a frozen position that has a balance, in the same transaction. TOKEN_2022 only. Default false. */
      unfreezeIfNeeded?: boolean;
      /** @description Freeze authority that signs if the position is unfrozen. Default: found from the instrument. */
      freezeAuthority?: components["schemas"]["AccountLookup"];
      /**
      * @deprecated
      * @description Another spelling of refundSolDestination.
      */
      refundDestination?: components["schemas"]["AccountLookup"];
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    /** @description An account read model and what a position has beside it. The amounts of a shared one are null to other tenants. */
    Position: {
      /** @description What the chain holds. */
      onchain: {
        /** @description Address on chain: base58 of 32 bytes. */
        id: string;
        /** @description Signature of the last transaction that changed a balance of the account; null: none known. */
        lastTransactionId: string | null;
        /** @description Time of that transaction, ISO 8601 in UTC; null: none known. */
        lastTransactionAt: string | null;
        /** @description Signature of the transaction that created the account; null: none, or not by this service. */
        creationTransactionId: string | null;
        /** @description Time of the creation transaction, ISO 8601 in UTC; null: none known. */
        creationTransactionAt: string | null;
      };
      /** @description What the service records. */
      offchain: {
        /**
        * Format: uuid
        * @description Id of the record in the service, a UUID.
        */
        id: string;
        /**
        * @description Type of the account.
        * @enum {string}
        */
        type: "WALLET" | "ASSETS_WALLET" | "CURRENCIES_WALLET" | "DEFI_SETTLEMENT_WALLET" | "FUNDS_TOKEN_ACCOUNT" | "ASSET_TOKEN_ACCOUNT" | "FUNDS_TOKEN" | "ASSET_TOKEN" | "ADDRESS_LOOKUP_TABLE" | "NONCE" | "TOKEN_MANAGEMENT_AUTHORITY";
        /** @description Code that the client gave the account; null: none. */
        code: string | null;
        /** @description Additional identifier that the client gave the account; null: none. */
        alId: string | null;
        /** @description External id of the organization that owns the account. */
        organizationExternalId: string;
        /** @description Account number that the client gave the account; null: none. */
        accountNumber: string | null;
        /** @description Name that the client gave the account; null: none. */
        name: string | null;
        /** @description Network currency in the books of the service, in lamports. A decimal string. */
        lamportsBalance: string | null;
        /** @description Tokens in the books of the service, in raw integer units; null: not a token account. A decimal string. */
        tokenBalance: string | null;
        /** @description Decimals of the token; null: not a token account or mint. */
        tokenDecimals: number | null;
        /** @description Id (UUID) of the last transaction of the service that changed a balance of the account; null: none. */
        lastTransactionId: string | null;
        /** @description Id (UUID) of the transaction of the service that created the account; null: none. */
        creationTransactionId: string | null;
      };
      /** @description True if the service holds the private key of the account. */
      managed: boolean;
      /**
      * @description ACTIVE: in use; CLOSED: closed, or its creation provably failed. A closed record is kept.
      * @enum {string}
      */
      status: "ACTIVE" | "CLOSED";
      /** @description Where the private key is stored: DATABASE, SECRETS, DKG or REMOTE. []: the service does not hold it. */
      privateKeyLocation: string[];
      /** @description True if the address is derived from other addresses and has no key, as an associated token account is. Null in a record of another tenant. */
      isDerived: boolean | null;
      /** @description True: the service follows the account on chain and emits `account.network_activity` events. Default false; null in a record of another tenant. */
      subscribeToNetworkEvents: boolean | null;
      /** @description True if other tenants can look up the account by its references. */
      sharedAcrossTenants: boolean;
      /** @description True if the account existed on chain when it was onboarded. Null in a record of another tenant. */
      wasOnchainAlready: boolean | null;
      /** @description True: the account may pay transaction fees. Default false. Requires the role ACCOUNT_POLICY_WRITE. An account with data cannot pay fees. */
      canPayFees: boolean;
      /** @description Free text of the client, at most 4096 characters. In an update null removes it; in a record null means none. */
      comments: string | null;
      /** @description Domain name that the client associates with the account. In an update null removes it; in a record null means none. */
      domain: string | null;
      /** @description External id of the organization that the record belongs to. */
      tenantOrganizationId: string;
      /** @description External ids of the organizations for which the account is the default fee payer. Requires the role ACCOUNT_POLICY_WRITE. */
      globalFeePayerForOrgs: string[];
      /** @description External ids of the organizations, besides the owner, whose API keys may sign with the account. Requires the role ACCOUNT_POLICY_WRITE. */
      orgsAllowedToSignWithPrivateKey: string[];
      /** @description Ids of the only API keys that may debit network currency from the account; otherwise 403 DEBIT_KEY_REQUIRED. Empty: every key with the rights to do so may. A change requires the role PLATFORM_UPDATE_DEBIT_API_KEYS. */
      solDebitApiKeys: string[];
      /** @description Ids of the only API keys that may debit tokens; otherwise 403 DEBIT_KEY_REQUIRED. Empty: every key with the rights to do so may. A change requires the role PLATFORM_UPDATE_DEBIT_API_KEYS. */
      tokenDebitApiKeys: string[];
      /** @description Empty: the default limits apply if defaultDebitLimits names the list, otherwise there are no limits. Always empty in a record of another tenant. */
      networkCurrencyDebitLimits: {
        /**
        * @description Class of the receiver that the limit applies to. OFF_PLATFORM: not onboarded; NON_MANAGED: onboarded, key not made by the service in this tenant; MANAGED: key made by the service in this tenant; ANY: all of them. FEES, PRIORITY_FEES and RENT limit what the account pays as fees and rent.
        * @enum {string}
        */
        destination: "ANY" | "OFF_PLATFORM" | "NON_MANAGED" | "MANAGED" | "FEES" | "PRIORITY_FEES" | "RENT";
        /** @description Of fees: the organization they are paid for. */
        organizationExternalId?: string;
        /** @description null: unlimited. */
        maxAllowedDebit: {
          /**
          * @description PER_TRANSACTION: the sum of the matching movements of one transaction; DURATION: the sum of the debits in a rolling window.
          * @enum {string}
          */
          limitType: "PER_TRANSACTION" | "DURATION";
          /** @description The largest sum allowed, in display units; for tokens per instrument. null: unlimited. A decimal string. */
          limitAmount: string | null;
          /** @description Length of the rolling window of a DURATION limit; null for PER_TRANSACTION. */
          duration: {
            /**
            * @description Unit of time.
            * @enum {string}
            */
            code: "MINUTES" | "HOURS" | "DAYS" | "WEEKS";
            /** @description Number of units of time, at least 1. */
            unit: number;
          } | null;
          /** @description Ids of the API keys that may approve a debit above the limit. []: an exceeding debit is rejected with 400 DEBIT_LIMIT_EXCEEDED. */
          approversForOverride: string[];
          /** @description Number of approvers that must approve a debit above the limit. */
          requiredApproversCount: number;
        } | null;
      }[];
      /** @description Empty: the default limits apply if defaultDebitLimits names the list, otherwise there are no limits. Always empty in a record of another tenant. */
      tokenDebitLimits: {
        /**
        * @description Class of the receiver that the limit applies to. OFF_PLATFORM: not onboarded; NON_MANAGED: onboarded, key not made by the service in this tenant; MANAGED: key made by the service in this tenant; ANY: all of them. FEES, PRIORITY_FEES and RENT limit what the account pays as fees and rent.
        * @enum {string}
        */
        destination: "ANY" | "OFF_PLATFORM" | "NON_MANAGED" | "MANAGED" | "FEES" | "PRIORITY_FEES" | "RENT";
        /** @description Of fees: the organization they are paid for. */
        organizationExternalId?: string;
        /** @description null: unlimited. */
        maxAllowedDebit: {
          /**
          * @description PER_TRANSACTION: the sum of the matching movements of one transaction; DURATION: the sum of the debits in a rolling window.
          * @enum {string}
          */
          limitType: "PER_TRANSACTION" | "DURATION";
          /** @description The largest sum allowed, in display units; for tokens per instrument. null: unlimited. A decimal string. */
          limitAmount: string | null;
          /** @description Length of the rolling window of a DURATION limit; null for PER_TRANSACTION. */
          duration: {
            /**
            * @description Unit of time.
            * @enum {string}
            */
            code: "MINUTES" | "HOURS" | "DAYS" | "WEEKS";
            /** @description Number of units of time, at least 1. */
            unit: number;
          } | null;
          /** @description Ids of the API keys that may approve a debit above the limit. []: an exceeding debit is rejected with 400 DEBIT_LIMIT_EXCEEDED. */
          approversForOverride: string[];
          /** @description Number of approvers that must approve a debit above the limit. */
          requiredApproversCount: number;
        } | null;
        /**
        * @description Operation that the limit applies to: TRANSFER, BURN, or ANY for both.
        * @enum {string}
        */
        operationType: "ANY" | "TRANSFER" | "BURN";
        /** @description The limit applies to instruments with this mint authority. Absent: all instruments. */
        mintAuthority?: {
          /** @description Address on chain: base58 of 32 bytes. */
          onchainId: string;
          /**
          * Format: uuid
          * @description Id of the record in the service, a UUID.
          */
          offchainId?: string;
        };
      }[];
      /** @description The lists of debit limits that are not set, so that their default limits apply; in an answer they are [], as lists that mean no limits. Absent in a record of another tenant. */
      defaultDebitLimits?: ("networkCurrencyDebitLimits" | "tokenDebitLimits")[];
      /** @description ALLOW_LIST: the account pays own managed accounts and allowed counterparties only; OPEN: the policy of the organization decides; null: not visible to the caller. */
      destinationPolicy: ("OPEN" | "ALLOW_LIST") | null;
      /** @description True if an administrator has frozen the account: nothing is signed with it; null: not visible. */
      frozenByOperator: boolean | null;
      /** @description True if the submission lane of the account is suspended; null: not visible to the caller. */
      laneSuspended: boolean | null;
      /** @description Symbol of the instrument of the position; null: none. */
      symbol: string | null;
      /** @description Owner of the position. Of an account that the caller may not see, only the address. */
      owner: components["schemas"]["Account"] | components["schemas"]["AddressOnly"];
      /** @description Who may close it, where that is not the owner. */
      closeAuthority: components["schemas"]["Account"] | components["schemas"]["AddressOnly"] | null;
      /** @description Who may move tokens of it, where that is not the owner. */
      delegate: components["schemas"]["Account"] | components["schemas"]["AddressOnly"] | null;
      /** @description The instrument that the position holds. Of one that the caller may not see, only the address. */
      financialInstrument: components["schemas"]["Account"] | components["schemas"]["AddressOnly"];
      /**
      * @description INITIALIZED: open; FROZEN: tokens cannot move; CLOSED: no longer on chain.
      * @enum {string}
      */
      state: "INITIALIZED" | "FROZEN" | "CLOSED";
      /** @description Tokens in the books of the service. */
      balance: {
        /** @description In display units; null in a shared position of another tenant. A decimal string. */
        amount: string | null;
        /** @description In raw integer units; null in a shared position of another tenant. A decimal string. */
        lamports: string | null;
      };
      /** @description Tokens that open transactions may still debit. */
      reserved: {
        /** @description In display units; null in a shared position of another tenant. A decimal string. */
        amount: string | null;
        /** @description In raw integer units; null in a shared position of another tenant. A decimal string. */
        lamports: string | null;
      };
      /** @description Balance minus reservations: what a new transaction can debit. */
      available: {
        /** @description In display units; null in a shared position of another tenant. A decimal string. */
        amount: string | null;
        /** @description In raw integer units; null in a shared position of another tenant. A decimal string. */
        lamports: string | null;
      };
    };
    PositionCompact: {
      /** @description What the chain holds. */
      onchain: {
        /** @description Address on chain: base58 of 32 bytes. */
        id: string;
        /** @description Signature of the last transaction that changed a balance of the account; null: none known. */
        lastTransactionId: string | null;
        /** @description Time of that transaction, ISO 8601 in UTC; null: none known. */
        lastTransactionAt: string | null;
      };
      /** @description What the service records. */
      offchain: {
        /**
        * Format: uuid
        * @description Id of the record in the service, a UUID.
        */
        id: string;
        /**
        * @description Type of the account.
        * @enum {string}
        */
        type: "WALLET" | "ASSETS_WALLET" | "CURRENCIES_WALLET" | "DEFI_SETTLEMENT_WALLET" | "FUNDS_TOKEN_ACCOUNT" | "ASSET_TOKEN_ACCOUNT" | "FUNDS_TOKEN" | "ASSET_TOKEN" | "ADDRESS_LOOKUP_TABLE" | "NONCE" | "TOKEN_MANAGEMENT_AUTHORITY";
        /** @description Code that the client gave the account; null: none. */
        code: string | null;
        /** @description Additional identifier that the client gave the account; null: none. */
        alId: string | null;
        /** @description External id of the organization that owns the account. */
        organizationExternalId: string;
        /** @description Account number that the client gave the account; null: none. */
        accountNumber: string | null;
        /** @description Id (UUID) of the last transaction of the service that changed a balance of the account; null: none. */
        lastTransactionId: string | null;
      };
      /** @description True if the service holds the private key of the account. */
      managed: boolean;
      /**
      * @description ACTIVE: in use; CLOSED: closed, or its creation provably failed. A closed record is kept.
      * @enum {string}
      */
      status: "ACTIVE" | "CLOSED";
      /** @description External id of the organization that the record belongs to. */
      tenantOrganizationId: string;
      /** @description Owner of the position. Of an account that the caller may not see, only the address. */
      owner: components["schemas"]["AccountCompact"] | components["schemas"]["AddressOnly"];
      /** @description Account that may close the position if that is not the owner; null: the owner. */
      closeAuthority: (components["schemas"]["AccountCompact"] | components["schemas"]["AddressOnly"]) | null;
      /** @description Account that may move tokens of the position besides the owner; null: none. */
      delegate: (components["schemas"]["AccountCompact"] | components["schemas"]["AddressOnly"]) | null;
      /** @description The financial instrument. */
      financialInstrument: components["schemas"]["AccountCompact"] | components["schemas"]["AddressOnly"];
      /**
      * @description INITIALIZED: open; FROZEN: tokens cannot move; CLOSED: no longer on chain.
      * @enum {string}
      */
      state: "INITIALIZED" | "FROZEN" | "CLOSED";
      /** @description Tokens in the books of the service. */
      balance: {
        /** @description In display units; null in a shared position of another tenant. A decimal string. */
        amount: string | null;
        /** @description In raw integer units; null in a shared position of another tenant. A decimal string. */
        lamports: string | null;
      };
      /** @description Tokens that open transactions may still debit. */
      reserved: {
        /** @description In display units; null in a shared position of another tenant. A decimal string. */
        amount: string | null;
        /** @description In raw integer units; null in a shared position of another tenant. A decimal string. */
        lamports: string | null;
      };
      /** @description Balance minus reservations: what a new transaction can debit. */
      available: {
        /** @description In display units; null in a shared position of another tenant. A decimal string. */
        amount: string | null;
        /** @description In raw integer units; null in a shared position of another tenant. A decimal string. */
        lamports: string | null;
      };
      /** @description Empty: the default limits apply if defaultDebitLimits names the list, otherwise there are no limits. Always empty in a record of another tenant. */
      tokenDebitLimits: {
        /**
        * @description Class of the receiver that the limit applies to. OFF_PLATFORM: not onboarded; NON_MANAGED: onboarded, key not made by the service in this tenant; MANAGED: key made by the service in this tenant; ANY: all of them. FEES, PRIORITY_FEES and RENT limit what the account pays as fees and rent.
        * @enum {string}
        */
        destination: "ANY" | "OFF_PLATFORM" | "NON_MANAGED" | "MANAGED" | "FEES" | "PRIORITY_FEES" | "RENT";
        /** @description Of fees: the organization they are paid for. */
        organizationExternalId?: string;
        /** @description null: unlimited. */
        maxAllowedDebit: {
          /**
          * @description PER_TRANSACTION: the sum of the matching movements of one transaction; DURATION: the sum of the debits in a rolling window.
          * @enum {string}
          */
          limitType: "PER_TRANSACTION" | "DURATION";
          /** @description The largest sum allowed, in display units; for tokens per instrument. null: unlimited. A decimal string. */
          limitAmount: string | null;
          /** @description Length of the rolling window of a DURATION limit; null for PER_TRANSACTION. */
          duration: {
            /**
            * @description Unit of time.
            * @enum {string}
            */
            code: "MINUTES" | "HOURS" | "DAYS" | "WEEKS";
            /** @description Number of units of time, at least 1. */
            unit: number;
          } | null;
          /** @description Ids of the API keys that may approve a debit above the limit. []: an exceeding debit is rejected with 400 DEBIT_LIMIT_EXCEEDED. */
          approversForOverride: string[];
          /** @description Number of approvers that must approve a debit above the limit. */
          requiredApproversCount: number;
        } | null;
        /**
        * @description Operation that the limit applies to: TRANSFER, BURN, or ANY for both.
        * @enum {string}
        */
        operationType: "ANY" | "TRANSFER" | "BURN";
        /** @description The limit applies to instruments with this mint authority. Absent: all instruments. */
        mintAuthority?: {
          /** @description Address on chain: base58 of 32 bytes. */
          onchainId: string;
          /**
          * Format: uuid
          * @description Id of the record in the service, a UUID.
          */
          offchainId?: string;
        };
      }[];
      /** @description The lists of debit limits that are not set, so that their default limits apply; in an answer they are [], as lists that mean no limits. Absent in a record of another tenant. */
      defaultDebitLimits?: ("networkCurrencyDebitLimits" | "tokenDebitLimits")[];
    };
    PositionIdentifiers: {
      /** @description What the chain holds. */
      onchain: {
        /** @description Address on chain: base58 of 32 bytes. */
        id: string;
      };
      /** @description What the service records. */
      offchain: {
        /**
        * Format: uuid
        * @description Id of the record in the service, a UUID.
        */
        id: string;
      };
      /** @description True if the service holds the private key of the account. */
      managed: boolean;
      /** @description External id of the organization that the record belongs to. */
      tenantOrganizationId: string;
      /** @description Owner of the position. Of an account that the caller may not see, only the address. */
      owner: components["schemas"]["AccountIdentifiers"] | components["schemas"]["AddressOnly"];
      /** @description Account that may close the position if that is not the owner; null: the owner. */
      closeAuthority: (components["schemas"]["AccountIdentifiers"] | components["schemas"]["AddressOnly"]) | null;
      /** @description Account that may move tokens of the position besides the owner; null: none. */
      delegate: (components["schemas"]["AccountIdentifiers"] | components["schemas"]["AddressOnly"]) | null;
      /** @description The financial instrument. */
      financialInstrument: components["schemas"]["AccountIdentifiers"] | components["schemas"]["AddressOnly"];
      /**
      * @description INITIALIZED: open; FROZEN: tokens cannot move; CLOSED: no longer on chain.
      * @enum {string}
      */
      state: "INITIALIZED" | "FROZEN" | "CLOSED";
      /** @description Tokens in the books of the service. */
      balance: {
        /** @description In display units; null in a shared position of another tenant. A decimal string. */
        amount: string | null;
        /** @description In raw integer units; null in a shared position of another tenant. A decimal string. */
        lamports: string | null;
      };
      /** @description Tokens that open transactions may still debit. */
      reserved: {
        /** @description In display units; null in a shared position of another tenant. A decimal string. */
        amount: string | null;
        /** @description In raw integer units; null in a shared position of another tenant. A decimal string. */
        lamports: string | null;
      };
      /** @description Balance minus reservations: what a new transaction can debit. */
      available: {
        /** @description In display units; null in a shared position of another tenant. A decimal string. */
        amount: string | null;
        /** @description In raw integer units; null in a shared position of another tenant. A decimal string. */
        lamports: string | null;
      };
      /** @description Empty: the default limits apply if defaultDebitLimits names the list, otherwise there are no limits. Always empty in a record of another tenant. */
      tokenDebitLimits: {
        /**
        * @description Class of the receiver that the limit applies to. OFF_PLATFORM: not onboarded; NON_MANAGED: onboarded, key not made by the service in this tenant; MANAGED: key made by the service in this tenant; ANY: all of them. FEES, PRIORITY_FEES and RENT limit what the account pays as fees and rent.
        * @enum {string}
        */
        destination: "ANY" | "OFF_PLATFORM" | "NON_MANAGED" | "MANAGED" | "FEES" | "PRIORITY_FEES" | "RENT";
        /** @description Of fees: the organization they are paid for. */
        organizationExternalId?: string;
        /** @description null: unlimited. */
        maxAllowedDebit: {
          /**
          * @description PER_TRANSACTION: the sum of the matching movements of one transaction; DURATION: the sum of the debits in a rolling window.
          * @enum {string}
          */
          limitType: "PER_TRANSACTION" | "DURATION";
          /** @description The largest sum allowed, in display units; for tokens per instrument. null: unlimited. A decimal string. */
          limitAmount: string | null;
          /** @description Length of the rolling window of a DURATION limit; null for PER_TRANSACTION. */
          duration: {
            /**
            * @description Unit of time.
            * @enum {string}
            */
            code: "MINUTES" | "HOURS" | "DAYS" | "WEEKS";
            /** @description Number of units of time, at least 1. */
            unit: number;
          } | null;
          /** @description Ids of the API keys that may approve a debit above the limit. []: an exceeding debit is rejected with 400 DEBIT_LIMIT_EXCEEDED. */
          approversForOverride: string[];
          /** @description Number of approvers that must approve a debit above the limit. */
          requiredApproversCount: number;
        } | null;
        /**
        * @description Operation that the limit applies to: TRANSFER, BURN, or ANY for both.
        * @enum {string}
        */
        operationType: "ANY" | "TRANSFER" | "BURN";
        /** @description The limit applies to instruments with this mint authority. Absent: all instruments. */
        mintAuthority?: {
          /** @description Address on chain: base58 of 32 bytes. */
          onchainId: string;
          /**
          * Format: uuid
          * @description Id of the record in the service, a UUID.
          */
          offchainId?: string;
        };
      }[];
      /** @description The lists of debit limits that are not set, so that their default limits apply; in an answer they are [], as lists that mean no limits. Absent in a record of another tenant. */
      defaultDebitLimits?: ("networkCurrencyDebitLimits" | "tokenDebitLimits")[];
    };
    /** @description Items have neither an idempotencyId nor a private key. */
    NewBatch: {
      /**
      * @description Operation that every item is made with.
      * @enum {string}
      */
      operation: "TRANSFER";
      /** @description The `itemData` of the operation, 1 to 10000 times. All items are checked before the first is made; the problems of all of them are reported together, with pointers. An `idempotencyId` or a private key is rejected. */
      items: components["schemas"]["Transfer"][];
      /**
      * @description True: the items are made in order, with one transaction at a time, and when an item fails, all items that are not made yet are cancelled. False: an item that fails does not affect the others, which have no order.
      * @default false
      */
      stopOnFailure?: boolean;
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    } | {
      /**
      * @description Operation that every item is made with.
      * @enum {string}
      */
      operation: "TRANSFER_NETWORK_CURRENCY";
      /** @description The `itemData` of the operation, 1 to 10000 times. All items are checked before the first is made; the problems of all of them are reported together, with pointers. An `idempotencyId` or a private key is rejected. */
      items: components["schemas"]["TransferNetworkCurrency"][];
      /**
      * @description True: the items are made in order, with one transaction at a time, and when an item fails, all items that are not made yet are cancelled. False: an item that fails does not affect the others, which have no order.
      * @default false
      */
      stopOnFailure?: boolean;
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    } | {
      /**
      * @description Operation that every item is made with.
      * @enum {string}
      */
      operation: "MINT";
      /** @description The `itemData` of the operation, 1 to 10000 times. All items are checked before the first is made; the problems of all of them are reported together, with pointers. An `idempotencyId` or a private key is rejected. */
      items: components["schemas"]["Mint"][];
      /**
      * @description True: the items are made in order, with one transaction at a time, and when an item fails, all items that are not made yet are cancelled. False: an item that fails does not affect the others, which have no order.
      * @default false
      */
      stopOnFailure?: boolean;
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    } | {
      /**
      * @description Operation that every item is made with.
      * @enum {string}
      */
      operation: "BURN";
      /** @description The `itemData` of the operation, 1 to 10000 times. All items are checked before the first is made; the problems of all of them are reported together, with pointers. An `idempotencyId` or a private key is rejected. */
      items: components["schemas"]["Burn"][];
      /**
      * @description True: the items are made in order, with one transaction at a time, and when an item fails, all items that are not made yet are cancelled. False: an item that fails does not affect the others, which have no order.
      * @default false
      */
      stopOnFailure?: boolean;
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    } | {
      /**
      * @description Operation that every item is made with.
      * @enum {string}
      */
      operation: "FREEZE";
      /** @description The `itemData` of the operation, 1 to 10000 times. All items are checked before the first is made; the problems of all of them are reported together, with pointers. An `idempotencyId` or a private key is rejected. */
      items: components["schemas"]["SwitchPosition"][];
      /**
      * @description True: the items are made in order, with one transaction at a time, and when an item fails, all items that are not made yet are cancelled. False: an item that fails does not affect the others, which have no order.
      * @default false
      */
      stopOnFailure?: boolean;
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    } | {
      /**
      * @description Operation that every item is made with.
      * @enum {string}
      */
      operation: "UNFREEZE";
      /** @description The `itemData` of the operation, 1 to 10000 times. All items are checked before the first is made; the problems of all of them are reported together, with pointers. An `idempotencyId` or a private key is rejected. */
      items: components["schemas"]["SwitchPosition"][];
      /**
      * @description True: the items are made in order, with one transaction at a time, and when an item fails, all items that are not made yet are cancelled. False: an item that fails does not affect the others, which have no order.
      * @default false
      */
      stopOnFailure?: boolean;
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    } | {
      /**
      * @description Operation that every item is made with.
      * @enum {string}
      */
      operation: "CREATE_ACCOUNT";
      /** @description The `itemData` of the operation, 1 to 10000 times. All items are checked before the first is made; the problems of all of them are reported together, with pointers. An `idempotencyId` or a private key is rejected. */
      items: components["schemas"]["CreateAccount"][];
      /**
      * @description True: the items are made in order, with one transaction at a time, and when an item fails, all items that are not made yet are cancelled. False: an item that fails does not affect the others, which have no order.
      * @default false
      */
      stopOnFailure?: boolean;
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    } | {
      /**
      * @description Operation that every item is made with.
      * @enum {string}
      */
      operation: "INITIALIZE_POSITION";
      /** @description The `itemData` of the operation, 1 to 10000 times. All items are checked before the first is made; the problems of all of them are reported together, with pointers. An `idempotencyId` or a private key is rejected. */
      items: components["schemas"]["NewPosition"][];
      /**
      * @description True: the items are made in order, with one transaction at a time, and when an item fails, all items that are not made yet are cancelled. False: an item that fails does not affect the others, which have no order.
      * @default false
      */
      stopOnFailure?: boolean;
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    /** @description What the batch would come to. */
    BatchDryRun: {
      /** @description What the batch would do. Nothing was changed. */
      dryRun: {
        /** @description Number of items. */
        itemsCount: number;
        /** @description Number of transactions that the items would be made in. */
        transactionsCount: number;
        /** @description Fees of all transactions, in lamports. A decimal string. */
        feeLamports: string;
        /** @description Rent of the accounts that the items would create, in lamports. A decimal string. */
        rentLamports: string;
        /** @description The verdict of each debit limit on the whole batch. */
        limits: components["schemas"]["DebitLimitVerdict"][];
      };
    };
    BatchReference: {
      /**
      * Format: uuid
      * @description Id of the record in the service, a UUID.
      */
      offchainId: string;
    };
    Batch: {
      /**
      * Format: uuid
      * @description Id of the record in the service, a UUID.
      */
      offchainId: string;
      /**
      * @description Operation that every item is made with.
      * @enum {string}
      */
      operation: "TRANSFER" | "TRANSFER_NETWORK_CURRENCY" | "MINT" | "BURN" | "FREEZE" | "UNFREEZE" | "CREATE_ACCOUNT" | "INITIALIZE_POSITION";
      /**
      * @description PREPARED: it waits for approval. FAILED: every item has ended, and some failed.
      * @enum {string}
      */
      status: "WAITING" | "PREPARED" | "UNDER_WAY" | "DONE" | "FAILED" | "CANCELLED";
      /** @description True: the items are made in order, the next ones when the transaction before is confirmed without an error; when an item fails, all items that are not made yet are cancelled. */
      stopOnFailure: boolean;
      /** @description Reference of the client, as the request gave it; null: none. */
      externalReference: string | null;
      /** @description Number of items. */
      itemsCount: number;
      /** @description Number of items in the status WAITING. */
      waitingCount: number;
      /** @description Number of items in the status UNDER_WAY. */
      underWayCount: number;
      /** @description Number of items in the status DONE. */
      doneCount: number;
      /** @description Number of items in the status FAILED. */
      failedCount: number;
      /** @description Number of items in the status CANCELLED. */
      cancelledCount: number;
      /** @description The transaction is signed and sent only once others have approved it. */
      approval?: {
        /** @description The debit limits that are exceeded. */
        entries: components["schemas"]["DebitLimitVerdict"][];
        /** @description The approval policies that cover it. */
        policies: components["schemas"]["CoveringPolicy"][];
        /** @description Payments to counterparties under review. Absent: none. */
        reviews?: components["schemas"]["PaymentReview"][];
        /** @description Answers of screening services because of which the approval is needed. Absent: none. */
        screenings?: components["schemas"]["ScreeningReview"][];
        /** @description The fewest keys that can approve it. */
        required: number;
        /** @description Number of keys that have approved every entry of which they are approvers. */
        given: number;
        /**
        * Format: date-time
        * @description Time at which the transaction lapses without approval (CANCELLED), ISO 8601 in UTC.
        */
        expiresAt: string;
      };
      /** @description External id of the organization that the record belongs to. */
      tenantOrganizationId: string;
      /**
      * Format: date-time
      * @description Time of creation, ISO 8601 in UTC.
      */
      createdAt: string;
      /** @description Time of the end, ISO 8601 in UTC; null: not ended. */
      endedAt: string | null;
    };
    BatchItem: {
      /**
      * Format: uuid
      * @description Id of the record in the service, a UUID.
      */
      offchainId: string;
      /**
      * Format: uuid
      * @description Id of the batch, a UUID.
      */
      batchOffchainId: string;
      /** @description Place in the request, from 0. */
      index: number;
      /**
      * @description WAITING: not begun; UNDER_WAY: its transaction exists; DONE: its transaction is final, or none was needed; FAILED: provably not made; CANCELLED.
      * @enum {string}
      */
      status: "WAITING" | "UNDER_WAY" | "DONE" | "FAILED" | "CANCELLED";
      /** @description Reference of the client, as the request gave it; null: none. */
      externalReference: string | null;
      /** @description The item as it was requested, after validation. */
      itemData: {
        [key: string]: unknown;
      };
      /** @description Of the latest attempt; other items may share it. */
      chainTransaction: {
        /**
        * Format: uuid
        * @description Id of the record in the service, a UUID.
        */
        offchainId: string;
        /** @description Address on chain: base58 of 32 bytes. */
        onchainId: string | null;
        /** @description Status of the transaction; null: not known. */
        status: string | null;
      } | null;
      /** @description Ids of the created account. */
      newAccount?: components["schemas"]["Ids"];
      /** @description Ids of the created position. */
      newPosition?: components["schemas"]["Ids"];
      /** @description Code of the problem that the item failed with. Absent: it did not fail. */
      errorCode?: string;
      /** @description Why the item failed. Absent: it did not fail. */
      errorMessage?: string;
      /**
      * @description REQUESTED: by request; FAILURE: another item failed; REJECTED: an approver rejected the batch; LAPSED: the batch was not approved in time. Absent: not cancelled.
      * @enum {string}
      */
      cancelledBecause?: "REQUESTED" | "FAILURE" | "REJECTED" | "LAPSED";
      /** @description External id of the organization that the record belongs to. */
      tenantOrganizationId: string;
      /** @description Time of the end, ISO 8601 in UTC; null: not ended. */
      endedAt: string | null;
    };
    NewDistribution: {
      /** @description The instrument whose holders are paid. */
      financialInstrument: components["schemas"]["AccountLookup"];
      /**
      * Format: date-time
      * @description Record instant, ISO 8601. What was held at its end counts. It may be in the future.
      */
      recordAt: string;
      /** @description The position that pays; for network currency the wallet alone. A position in another instrument than the payout is refused (400 INSTRUMENT_MISMATCH). */
      source: components["schemas"]["TradeSide"];
      /** @description What is paid: `total`, or `perUnit` for each displayed unit held. */
      payout: {
        /** @description The instrument that is paid. Absent: network currency. */
        financialInstrument?: components["schemas"]["AccountLookup"];
        /** @description Amount to distribute, in display units. Display units: a JSON number of at most 15 significant digits, or a decimal string. */
        total?: number | string | bigint;
        /** @description Amount for each displayed unit held, in display units. It may have more decimals than the payout. Display units: a JSON number of at most 15 significant digits, or a decimal string. */
        perUnit?: number | string | bigint;
      };
      /** @description Owners that get nothing; a position names its owner. Their holdings do not count. */
      excluded?: components["schemas"]["AccountLookup"][];
      /** @description Parts below it, in display units, are not paid and remain at the source. Display units: a JSON number of at most 15 significant digits, or a decimal string. */
      minimum?: number | string | bigint;
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    DistributionDryRun: {
      /** @description What the distribution would pay. With a record instant in the future: to the holders of now. */
      dryRun: {
        /** @description Number of holders that count; null: not computed yet. */
        holdersCount: number;
        /** @description Number of parts that are paid; null: not computed yet. */
        partsCount: number;
        /** @description Number of holders that count and are not paid. */
        unpaidCount: number;
        /** @description Parts and remainder together, in raw integer units; null: not computed yet. A decimal string. */
        totalLamports: string;
        /** @description What is not paid and stays at the source, in raw integer units; null: not computed yet. A decimal string. */
        remainderLamports: string;
        /** @description The first 1000 parts. */
        parts: {
          /** @description Address of the holder. */
          ownerOnchainId: string;
          /** @description Part of the holder, in raw integer units. A decimal string. */
          lamports: string;
        }[];
        /** @description Number of transactions that the items would be made in. */
        transactionsCount: number;
        /** @description Fee (base and priority) in lamports. A decimal string. */
        feeLamports: string;
        /** @description Rent of the accounts that the items would create, in lamports. A decimal string. */
        rentLamports: string;
        /** @description The verdict of each debit limit on all payments together. */
        limits: components["schemas"]["DebitLimitVerdict"][];
      };
    };
    DistributionReference: {
      /**
      * Format: uuid
      * @description Id of the record in the service, a UUID.
      */
      offchainId: string;
    };
    Distribution: {
      /**
      * Format: uuid
      * @description Id of the record in the service, a UUID.
      */
      offchainId: string;
      /**
      * @description WAITING: not computed yet; PAYING; DONE: every part is paid by final transactions; FAILED; CANCELLED.
      * @enum {string}
      */
      status: "WAITING" | "PAYING" | "DONE" | "FAILED" | "CANCELLED";
      /** @description Ids of the instrument whose holders are paid. */
      financialInstrument: {
        /** @description Address on chain: base58 of 32 bytes. */
        onchainId: string;
        /** @description Id of the record in the service, a UUID. */
        offchainId: string | null;
      };
      /**
      * Format: date-time
      * @description Record instant, ISO 8601 in UTC.
      */
      recordAt: string;
      /** @description Lookup of what pays. */
      source: {
        [key: string]: unknown;
      };
      /** @description Ids of the instrument that is paid; null: network currency. */
      payoutInstrument: {
        /** @description Address on chain: base58 of 32 bytes. */
        onchainId: string;
        /** @description Id of the record in the service, a UUID. */
        offchainId: string | null;
      } | null;
      /** @description As requested, in display units; null: not given. A decimal string. */
      total: string | null;
      /** @description As requested, in display units; null: not given. A decimal string. */
      perUnit: string | null;
      /** @description Addresses of the owners that get nothing. */
      excludedOnchainIds: string[];
      /** @description As requested, in display units; null: none. A decimal string. */
      minimum: string | null;
      /** @description Reference of the client, as the request gave it; null: none. */
      externalReference: string | null;
      /** @description Number of holders that count; null: not computed yet. */
      holdersCount: number | null;
      /** @description Number of parts that are paid; null: not computed yet. */
      partsCount: number | null;
      /** @description Parts and remainder together, in raw integer units; null: not computed yet. A decimal string. */
      totalLamports: string | null;
      /** @description What is not paid and stays at the source, in raw integer units; null: not computed yet. A decimal string. */
      remainderLamports: string | null;
      /** @description Time at which the parts were computed, ISO 8601 in UTC; null: not yet. */
      computedAt: string | null;
      /** @description Ids of the batches that pay the parts. */
      batchOffchainIds: string[];
      /** @description Code of the problem that ended it. Absent: none. */
      errorCode?: string;
      /** @description What ended it. Absent: nothing did. */
      errorMessage?: string;
      /** @description External id of the organization that the record belongs to. */
      tenantOrganizationId: string;
      /**
      * Format: date-time
      * @description Time of creation, ISO 8601 in UTC.
      */
      createdAt: string;
      /** @description Time of the end, ISO 8601 in UTC; null: not ended. */
      endedAt: string | null;
    };
    NewApprovalPolicy: {
      /** @description Operations that need approvals. MINT, BURN, AUTHORITY_CHANGE, PAUSE and CLOSE are recognised by the instructions of the transaction, whichever request makes it. */
      operations: ("MINT" | "BURN" | "AUTHORITY_CHANGE" | "PAUSE" | "CLOSE" | "ACCOUNT_POLICY" | "API_KEYS" | "COUNTERPARTIES" | "STRATEGIES" | "APPROVAL_POLICIES")[];
      /** @description Only operations on this instrument. Default: every instrument. Not possible with operations that make no transaction. */
      financialInstrument?: components["schemas"]["AccountLookup"];
      /** @description Only greater amounts of one transaction, in display units. Possible with MINT and BURN only. Display units, zero included: a JSON number or a decimal string. */
      above?: number | string | bigint;
      /** @description Ids of API keys of the tenant with the role DEBIT_LIMIT_APPROVE, or `jwt:` and the subject of a token. */
      approvers: string[];
      /** @description Number of distinct persons among the approvers who must approve. A requester does not count; a subject and the keys that it made are one person. */
      requiredApproversCount: number;
    };
    ApprovalPolicyChanges: {
      /** @description The policy to change, unless `offchainId` is given. */
      approvalPolicy?: components["schemas"]["ApprovalPolicyReference"];
      /**
      * Format: uuid
      * @description Id of the policy to change, unless `approvalPolicy` is given.
      */
      offchainId?: string;
      /** @description Operations that need approvals. MINT, BURN, AUTHORITY_CHANGE, PAUSE and CLOSE are recognised by the instructions of the transaction, whichever request makes it. */
      operations?: ("MINT" | "BURN" | "AUTHORITY_CHANGE" | "PAUSE" | "CLOSE" | "ACCOUNT_POLICY" | "API_KEYS" | "COUNTERPARTIES" | "STRATEGIES" | "APPROVAL_POLICIES")[];
      /** @description Only operations on this instrument; null: every instrument. */
      financialInstrument?: components["schemas"]["AccountLookup"] | null;
      /** @description Only greater amounts of one transaction, in display units. Possible with MINT and BURN only. A JSON number of at most 15 significant digits, else a decimal string. */
      above?: number | string | bigint | null;
      /** @description Ids of API keys of the tenant with the role DEBIT_LIMIT_APPROVE, or `jwt:` and the subject of a token. */
      approvers?: string[];
      /** @description Number of distinct persons among the approvers who must approve. */
      requiredApproversCount?: number;
      /**
      * @description Removes the policy permanently.
      * @constant
      */
      removed?: true;
    };
    ApprovalPolicyReference: {
      /**
      * Format: uuid
      * @description Id of the record in the service, a UUID.
      */
      offchainId: string;
    };
    ApprovalPolicyRelease: {
      /**
      * Format: uuid
      * @description Id of the record in the service, a UUID.
      */
      offchainId: string;
      /** @description Reason of the release; the tenant reads it. */
      reason: string;
    };
    ApprovalPolicy: {
      /**
      * Format: uuid
      * @description Id of the record in the service, a UUID.
      */
      offchainId: string;
      /**
      * @description ACTIVE, or REMOVED: it covers nothing, permanently.
      * @enum {string}
      */
      status: "ACTIVE" | "REMOVED";
      /** @description Operations that need approvals. MINT, BURN, AUTHORITY_CHANGE, PAUSE and CLOSE are recognised by the instructions of the transaction, whichever request makes it. */
      operations: ("MINT" | "BURN" | "AUTHORITY_CHANGE" | "PAUSE" | "CLOSE" | "ACCOUNT_POLICY" | "API_KEYS" | "COUNTERPARTIES" | "STRATEGIES" | "APPROVAL_POLICIES")[];
      /** @description Only operations on this instrument; null: every instrument. */
      financialInstrument: {
        /** @description Address on chain: base58 of 32 bytes. */
        onchainId: string;
        /** @description Id of the record in the service, a UUID. */
        offchainId: string | null;
      } | null;
      /** @description Only greater amounts of one transaction, in display units. Possible with MINT and BURN only. A decimal string. */
      above: string | null;
      /** @description Ids of API keys of the tenant with the role DEBIT_LIMIT_APPROVE, or `jwt:` and the subject of a token. */
      approvers: string[];
      /** @description Number of distinct persons among the approvers who must approve. */
      requiredApproversCount: number;
      /** @description The release that the operator of the service has announced; null: none. */
      release: {
        /** @description Id of the key that announced the release. */
        requestedBy: string;
        /** @description Reason of the release. */
        reason: string;
        /**
        * Format: date-time
        * @description Time of the announcement, ISO 8601 in UTC.
        */
        requestedAt: string;
        /**
        * Format: date-time
        * @description Time from which the policy covers nothing, unless it is kept before, ISO 8601 in UTC.
        */
        effectiveAt: string;
      } | null;
      /**
      * Format: date-time
      * @description Time at which the approvers were last named, ISO 8601 in UTC. A key that another key rotated since does not count.
      */
      approversNamedAt: string;
      /** @description Id of the key that created the policy. */
      createdBy: string;
      /**
      * Format: date-time
      * @description Time of creation, ISO 8601 in UTC.
      */
      createdAt: string;
      /**
      * Format: date-time
      * @description Time of the last change, ISO 8601 in UTC.
      */
      updatedAt: string;
      /** @description External id of the organization that the record belongs to. */
      tenantOrganizationId: string;
    };
    PendingChangeReference: {
      /**
      * Format: uuid
      * @description Id of the record in the service, a UUID.
      */
      offchainId: string;
    };
    PendingChangeRejection: {
      /**
      * Format: uuid
      * @description Id of the record in the service, a UUID.
      */
      offchainId: string;
      /** @description Reason of the rejection. */
      reason?: string;
    };
    /** @description The `itemData` of the operation has neither an idempotencyId nor a private key. */
    NewSchedule: {
      /**
      * @description Operation that every occurrence makes.
      * @enum {string}
      */
      operation: "TRANSFER";
      /** @description The `itemData` of the operation. An `idempotencyId` or a private key is rejected. */
      itemData: components["schemas"]["Transfer"];
      /**
      * Format: date-time
      * @description No occurrence is earlier. The first one of an interval; occurrences before the creation are not made.
      */
      startAt: string;
      /** @description Interval between occurrences. Exactly one of `every` and `at` is given. */
      every?: components["schemas"]["ScheduleInterval"];
      /** @description Local time of the occurrences. Exactly one of `every` and `at` is given. */
      at?: components["schemas"]["ScheduleCalendar"];
      /**
      * Format: date-time
      * @description No occurrence is later. Absent: no end.
      */
      endAt?: string;
      /** @description Occurrences attempted at most. Absent: no bound. */
      maxRuns?: number;
      /**
      * @description What happens after occurrences were due while nothing could be made: RUN_ONCE makes the latest one now, SKIP waits for the next.
      * @default RUN_ONCE
      * @enum {string}
      */
      onMissed?: "RUN_ONCE" | "SKIP";
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    } | {
      /**
      * @description Operation that every occurrence makes.
      * @enum {string}
      */
      operation: "TRANSFER_NETWORK_CURRENCY";
      /** @description The `itemData` of the operation. An `idempotencyId` or a private key is rejected. */
      itemData: components["schemas"]["TransferNetworkCurrency"];
      /**
      * Format: date-time
      * @description No occurrence is earlier. The first one of an interval; occurrences before the creation are not made.
      */
      startAt: string;
      /** @description Interval between occurrences. Exactly one of `every` and `at` is given. */
      every?: components["schemas"]["ScheduleInterval"];
      /** @description Local time of the occurrences. Exactly one of `every` and `at` is given. */
      at?: components["schemas"]["ScheduleCalendar"];
      /**
      * Format: date-time
      * @description No occurrence is later. Absent: no end.
      */
      endAt?: string;
      /** @description Occurrences attempted at most. Absent: no bound. */
      maxRuns?: number;
      /**
      * @description What happens after occurrences were due while nothing could be made: RUN_ONCE makes the latest one now, SKIP waits for the next.
      * @default RUN_ONCE
      * @enum {string}
      */
      onMissed?: "RUN_ONCE" | "SKIP";
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    } | {
      /**
      * @description Operation that every occurrence makes.
      * @enum {string}
      */
      operation: "MINT";
      /** @description The `itemData` of the operation. An `idempotencyId` or a private key is rejected. */
      itemData: components["schemas"]["Mint"];
      /**
      * Format: date-time
      * @description No occurrence is earlier. The first one of an interval; occurrences before the creation are not made.
      */
      startAt: string;
      /** @description Interval between occurrences. Exactly one of `every` and `at` is given. */
      every?: components["schemas"]["ScheduleInterval"];
      /** @description Local time of the occurrences. Exactly one of `every` and `at` is given. */
      at?: components["schemas"]["ScheduleCalendar"];
      /**
      * Format: date-time
      * @description No occurrence is later. Absent: no end.
      */
      endAt?: string;
      /** @description Occurrences attempted at most. Absent: no bound. */
      maxRuns?: number;
      /**
      * @description What happens after occurrences were due while nothing could be made: RUN_ONCE makes the latest one now, SKIP waits for the next.
      * @default RUN_ONCE
      * @enum {string}
      */
      onMissed?: "RUN_ONCE" | "SKIP";
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    } | {
      /**
      * @description Operation that every occurrence makes.
      * @enum {string}
      */
      operation: "BURN";
      /** @description The `itemData` of the operation. An `idempotencyId` or a private key is rejected. */
      itemData: components["schemas"]["Burn"];
      /**
      * Format: date-time
      * @description No occurrence is earlier. The first one of an interval; occurrences before the creation are not made.
      */
      startAt: string;
      /** @description Interval between occurrences. Exactly one of `every` and `at` is given. */
      every?: components["schemas"]["ScheduleInterval"];
      /** @description Local time of the occurrences. Exactly one of `every` and `at` is given. */
      at?: components["schemas"]["ScheduleCalendar"];
      /**
      * Format: date-time
      * @description No occurrence is later. Absent: no end.
      */
      endAt?: string;
      /** @description Occurrences attempted at most. Absent: no bound. */
      maxRuns?: number;
      /**
      * @description What happens after occurrences were due while nothing could be made: RUN_ONCE makes the latest one now, SKIP waits for the next.
      * @default RUN_ONCE
      * @enum {string}
      */
      onMissed?: "RUN_ONCE" | "SKIP";
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    } | {
      /**
      * @description Operation that every occurrence makes.
      * @enum {string}
      */
      operation: "FREEZE";
      /** @description The `itemData` of the operation. An `idempotencyId` or a private key is rejected. */
      itemData: components["schemas"]["SwitchPosition"];
      /**
      * Format: date-time
      * @description No occurrence is earlier. The first one of an interval; occurrences before the creation are not made.
      */
      startAt: string;
      /** @description Interval between occurrences. Exactly one of `every` and `at` is given. */
      every?: components["schemas"]["ScheduleInterval"];
      /** @description Local time of the occurrences. Exactly one of `every` and `at` is given. */
      at?: components["schemas"]["ScheduleCalendar"];
      /**
      * Format: date-time
      * @description No occurrence is later. Absent: no end.
      */
      endAt?: string;
      /** @description Occurrences attempted at most. Absent: no bound. */
      maxRuns?: number;
      /**
      * @description What happens after occurrences were due while nothing could be made: RUN_ONCE makes the latest one now, SKIP waits for the next.
      * @default RUN_ONCE
      * @enum {string}
      */
      onMissed?: "RUN_ONCE" | "SKIP";
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    } | {
      /**
      * @description Operation that every occurrence makes.
      * @enum {string}
      */
      operation: "UNFREEZE";
      /** @description The `itemData` of the operation. An `idempotencyId` or a private key is rejected. */
      itemData: components["schemas"]["SwitchPosition"];
      /**
      * Format: date-time
      * @description No occurrence is earlier. The first one of an interval; occurrences before the creation are not made.
      */
      startAt: string;
      /** @description Interval between occurrences. Exactly one of `every` and `at` is given. */
      every?: components["schemas"]["ScheduleInterval"];
      /** @description Local time of the occurrences. Exactly one of `every` and `at` is given. */
      at?: components["schemas"]["ScheduleCalendar"];
      /**
      * Format: date-time
      * @description No occurrence is later. Absent: no end.
      */
      endAt?: string;
      /** @description Occurrences attempted at most. Absent: no bound. */
      maxRuns?: number;
      /**
      * @description What happens after occurrences were due while nothing could be made: RUN_ONCE makes the latest one now, SKIP waits for the next.
      * @default RUN_ONCE
      * @enum {string}
      */
      onMissed?: "RUN_ONCE" | "SKIP";
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    } | {
      /**
      * @description Operation that every occurrence makes.
      * @enum {string}
      */
      operation: "CREATE_ACCOUNT";
      /** @description The `itemData` of the operation. An `idempotencyId` or a private key is rejected. */
      itemData: components["schemas"]["CreateAccount"];
      /**
      * Format: date-time
      * @description No occurrence is earlier. The first one of an interval; occurrences before the creation are not made.
      */
      startAt: string;
      /** @description Interval between occurrences. Exactly one of `every` and `at` is given. */
      every?: components["schemas"]["ScheduleInterval"];
      /** @description Local time of the occurrences. Exactly one of `every` and `at` is given. */
      at?: components["schemas"]["ScheduleCalendar"];
      /**
      * Format: date-time
      * @description No occurrence is later. Absent: no end.
      */
      endAt?: string;
      /** @description Occurrences attempted at most. Absent: no bound. */
      maxRuns?: number;
      /**
      * @description What happens after occurrences were due while nothing could be made: RUN_ONCE makes the latest one now, SKIP waits for the next.
      * @default RUN_ONCE
      * @enum {string}
      */
      onMissed?: "RUN_ONCE" | "SKIP";
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    } | {
      /**
      * @description Operation that every occurrence makes.
      * @enum {string}
      */
      operation: "INITIALIZE_POSITION";
      /** @description The `itemData` of the operation. An `idempotencyId` or a private key is rejected. */
      itemData: components["schemas"]["NewPosition"];
      /**
      * Format: date-time
      * @description No occurrence is earlier. The first one of an interval; occurrences before the creation are not made.
      */
      startAt: string;
      /** @description Interval between occurrences. Exactly one of `every` and `at` is given. */
      every?: components["schemas"]["ScheduleInterval"];
      /** @description Local time of the occurrences. Exactly one of `every` and `at` is given. */
      at?: components["schemas"]["ScheduleCalendar"];
      /**
      * Format: date-time
      * @description No occurrence is later. Absent: no end.
      */
      endAt?: string;
      /** @description Occurrences attempted at most. Absent: no bound. */
      maxRuns?: number;
      /**
      * @description What happens after occurrences were due while nothing could be made: RUN_ONCE makes the latest one now, SKIP waits for the next.
      * @default RUN_ONCE
      * @enum {string}
      */
      onMissed?: "RUN_ONCE" | "SKIP";
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    /** @description A fixed interval; a day has 24 hours. */
    ScheduleInterval: {
      /**
      * @description Unit of the interval.
      * @enum {string}
      */
      code: "MINUTES" | "HOURS" | "DAYS" | "WEEKS";
      /** @description Number of units, 1 to 1000000. */
      unit: number;
    };
    /** @description A local time of a zone. If clocks skip it, the occurrence is at the end of the gap; if they show it twice, at the first. */
    ScheduleCalendar: {
      /** @description 1 to 31; in a shorter month its last day. Absent: every day. */
      dayOfMonth?: number;
      /**
      * @description Local time, `HH:MM`.
      * @example 09:00
      */
      time: string;
      /**
      * @description IANA time zone.
      * @example Europe/Berlin
      */
      zone: string;
    };
    ScheduleReference: {
      /**
      * Format: uuid
      * @description Id of the record in the service, a UUID.
      */
      offchainId: string;
    };
    Schedule: {
      /**
      * Format: uuid
      * @description Id of the record in the service, a UUID.
      */
      offchainId: string;
      /**
      * @description ACTIVE; PAUSED: by request, or after 10 failures in a row; ENDED: no occurrence is left; CANCELLED.
      * @enum {string}
      */
      status: "ACTIVE" | "PAUSED" | "ENDED" | "CANCELLED";
      /**
      * @description Operation that every occurrence makes.
      * @enum {string}
      */
      operation: "TRANSFER" | "TRANSFER_NETWORK_CURRENCY" | "MINT" | "BURN" | "FREEZE" | "UNFREEZE" | "CREATE_ACCOUNT" | "INITIALIZE_POSITION";
      /** @description The item data of the operation, after validation. */
      itemData: {
        [key: string]: unknown;
      };
      /** @description Reference of the client, as the request gave it; null: none. */
      externalReference: string | null;
      /**
      * Format: date-time
      * @description No occurrence is earlier.
      */
      startAt: string;
      /** @description Interval between occurrences. Absent: the schedule follows a calendar. */
      every?: components["schemas"]["ScheduleInterval"];
      /** @description Local time of the occurrences. Absent: the schedule follows an interval. */
      at?: components["schemas"]["ScheduleCalendar"];
      /** @description No occurrence is later; null: no end. */
      endAt: string | null;
      /** @description Occurrences attempted at most; null: no bound. */
      maxRuns: number | null;
      /**
      * @description What happens after occurrences were missed.
      * @enum {string}
      */
      onMissed: "RUN_ONCE" | "SKIP";
      /** @description Number of the next occurrence, from 1; null: none is left. */
      nextNumber: number | null;
      /** @description Instant of the next occurrence; null: none is planned. */
      nextAt: string | null;
      /** @description Number of occurrences attempted. */
      runsCount: number;
      /** @description Number of occurrences that were due while nothing could be made. */
      missedCount: number;
      /** @description Number of failed occurrences since the last one that succeeded. */
      failuresInARow: number;
      /** @description Time of the latest attempt; null: none. */
      lastRunAt: string | null;
      /** @description Code of the latest failure. Absent: the latest occurrence that ended succeeded, or none has ended. */
      errorCode?: string;
      /** @description Why the latest failure happened. Absent: as `errorCode`. */
      errorMessage?: string;
      /**
      * @description REQUESTED: by request; FAILURES: after 10 failures in a row. Absent: not paused.
      * @enum {string}
      */
      pausedBecause?: "REQUESTED" | "FAILURES";
      /** @description Key id that created the schedule. Each occurrence is made with its rights at that time. */
      createdBy: string;
      /** @description External id of the organization that the record belongs to. */
      tenantOrganizationId: string;
      /**
      * Format: date-time
      * @description Time of the creation, ISO 8601 in UTC.
      */
      createdAt: string;
      /** @description Time of the end, ISO 8601 in UTC; null: not ended. */
      endedAt: string | null;
    };
    ScheduleOccurrence: {
      /**
      * Format: uuid
      * @description Id of the record in the service, a UUID.
      */
      offchainId: string;
      /**
      * Format: uuid
      * @description Id of the schedule, a UUID.
      */
      scheduleOffchainId: string;
      /** @description Number of the occurrence within its schedule, from 1. */
      number: number;
      /**
      * Format: date-time
      * @description Planned instant, ISO 8601 in UTC.
      */
      dueAt: string;
      /** @description Number and planned instant of the last missed occurrence that the record represents. Only with MISSED. */
      missedUntil?: {
        /** @description Number of the last missed occurrence. */
        number: number;
        /**
        * Format: date-time
        * @description Planned instant of the last missed occurrence.
        */
        dueAt: string;
      };
      /**
      * @description UNDER_WAY: its transaction exists; DONE: its transaction is final, or none was needed; FAILED: provably not made; MISSED: not attempted.
      * @enum {string}
      */
      status: "UNDER_WAY" | "DONE" | "FAILED" | "MISSED";
      /** @description Transaction of the occurrence; null: none was made. */
      chainTransaction: {
        /**
        * Format: uuid
        * @description Id of the record in the service, a UUID.
        */
        offchainId: string;
        /** @description Address on chain: base58 of 32 bytes. */
        onchainId: string | null;
        /** @description Status of the transaction; null: not known. */
        status: string | null;
      } | null;
      /** @description Ids of the created account. */
      newAccount?: components["schemas"]["Ids"];
      /** @description Ids of the created position. */
      newPosition?: components["schemas"]["Ids"];
      /** @description Code of the problem that the occurrence failed with. Absent: it did not fail. */
      errorCode?: string;
      /** @description Why the occurrence failed. Absent: it did not fail. */
      errorMessage?: string;
      /** @description External id of the organization that the record belongs to. */
      tenantOrganizationId: string;
      /**
      * Format: date-time
      * @description Time of the attempt, ISO 8601 in UTC.
      */
      startedAt: string;
      /** @description Time of the end, ISO 8601 in UTC; null: not ended. */
      endedAt: string | null;
    };
    NewCounterparty: {
      /**
      * @description Reference of the counterparty in another system. Several counterparties may have the same one.
      * @example CRM-7
      */
      externalReference?: string;
      /** @description Name of the counterparty. */
      name: string;
      /**
      * @description ALLOWED: an allow list admits its addresses; REVIEW: a payment needs an approval; BLOCKED: its addresses are never paid.
      * @enum {string}
      */
      status: "ALLOWED" | "REVIEW" | "BLOCKED";
      /** @description Addresses of the counterparty, at most 100. An address belongs to one counterparty of a tenant. */
      addresses: components["schemas"]["NewCounterpartyAddress"][];
      /** @description Free text. */
      note?: string;
    };
    NewCounterpartyAddress: {
      /**
      * @description The address: of a wallet, and not of its token accounts.
      * @example 11111111111111111111111111111111
      */
      onchainId: string;
      /** @description Label of the address. */
      label?: string;
    };
    CounterpartyChanges: {
      /** @description The counterparty to change, unless `offchainId` or only `externalReference` is given. */
      counterparty?: components["schemas"]["CounterpartyReference"];
      /**
      * Format: uuid
      * @description Id of the counterparty to change, unless `counterparty` or only `externalReference` is given.
      */
      offchainId?: string;
      /** @description New reference of the counterparty in another system; null clears. Without `counterparty` and `offchainId`, it names the counterparty to change: the only one of the organization that has it. */
      externalReference?: string | null;
      /** @description New name of the counterparty. */
      name?: string;
      /**
      * @description New status. The cooling-off time starts again if it permits more than before.
      * @enum {string}
      */
      status?: "ALLOWED" | "REVIEW" | "BLOCKED";
      /** @description All addresses of the counterparty: the list replaces the present one. */
      addresses?: components["schemas"]["NewCounterpartyAddress"][];
      /** @description Free text; null clears. */
      note?: string | null;
    };
    CounterpartyReference: {
      /**
      * Format: uuid
      * @description Id of the record in the service, a UUID.
      */
      offchainId: string;
    };
    CounterpartyLookup: {
      /**
      * Format: uuid
      * @description Id of the counterparty, unless `externalReference` is given.
      */
      offchainId?: string;
      /**
      * @description Reference of the counterparty in another system. Several counterparties may have the same one.
      * @example CRM-7
      */
      externalReference?: string;
    };
    Counterparty: {
      /**
      * Format: uuid
      * @description Id of the record in the service, a UUID.
      */
      offchainId: string;
      /** @description Reference of the counterparty in another system; null: none. */
      externalReference: string | null;
      /** @description Name of the counterparty. */
      name: string;
      /**
      * @description ALLOWED: an allow list admits its addresses; REVIEW: a payment needs an approval; BLOCKED: its addresses are never paid.
      * @enum {string}
      */
      status: "ALLOWED" | "REVIEW" | "BLOCKED";
      /** @description Addresses of the counterparty. */
      addresses: components["schemas"]["CounterpartyAddress"][];
      /** @description Free text; null: none. */
      note: string | null;
      /** @description External id of the organization that the record belongs to. */
      tenantOrganizationId: string;
      /**
      * Format: date-time
      * @description Time of creation, ISO 8601 in UTC.
      */
      createdAt: string;
      /**
      * Format: date-time
      * @description Time of the last change, ISO 8601 in UTC.
      */
      updatedAt: string;
    };
    CounterpartyAddress: {
      /** @description The address. */
      onchainId: string;
      /** @description Label of the address; null: none. */
      label: string | null;
      /**
      * Format: date-time
      * @description Time at which the cooling-off time of the address started, ISO 8601 in UTC.
      */
      listedAt: string;
    };
    NewPaymentRequest: {
      /** @description Wallet of the organization that is to be paid. */
      destination: components["schemas"]["AccountLookup"];
      /** @description What is to be paid. Absent: network currency. */
      financialInstrument?: components["schemas"]["AccountLookup"];
      /** @description Amount to be paid, in display units. Display units: a JSON number of at most 15 significant digits, or a decimal string. */
      amount: number | string | bigint;
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference: string;
      /** @description Memo that the wallet of the payer attaches. It is not part of the evidence of a payment. */
      memo?: string;
      /**
      * Format: date-time
      * @description What arrives in a later block is listed as late. Absent: no expiry.
      */
      expiresAt?: string;
    };
    PaymentRequestReference: {
      /**
      * Format: uuid
      * @description Id of the record in the service, a UUID.
      */
      offchainId: string;
    };
    PaymentRequest: {
      /**
      * Format: uuid
      * @description Id of the record in the service, a UUID.
      */
      offchainId: string;
      /**
      * @description By what arrived in time, at confirmed. EXPIRED and CANCELLED: nothing more is expected.
      * @enum {string}
      */
      status: "OPEN" | "UNDERPAID" | "PAID" | "OVERPAID" | "EXPIRED" | "CANCELLED";
      /** @description True if something arrived in time and all of it is finalized. */
      isFinal: boolean;
      /** @description Wallet that is to be paid. */
      destination: {
        /** @description Address on chain: base58 of 32 bytes. */
        onchainId: string;
        /**
        * Format: uuid
        * @description Id of the record in the service, a UUID.
        */
        offchainId?: string;
      };
      /** @description What is to be paid. Absent: network currency. */
      financialInstrument?: {
        /** @description Address on chain: base58 of 32 bytes. */
        onchainId: string;
        /**
        * Format: uuid
        * @description Id of the record in the service, a UUID.
        */
        offchainId?: string;
      };
      /** @description Amount to be paid, in display units. A decimal string. */
      amount: string;
      /** @description Amount that arrived in time, in display units. A decimal string. */
      receivedAmount: string;
      /** @description Amount that arrived after the expiry or the cancellation, in display units. A decimal string. */
      lateAmount: string;
      /** @description Reference of the client, as the request gave it; null: none. */
      externalReference: string;
      /** @description Memo of the URL; null: none. */
      memo: string | null;
      /** @description Time of the expiry; null: none. */
      expiresAt: string | null;
      /** @description Reference key of the payment request, which nobody can sign with. */
      reference: string;
      /** @description Transfer request URL by the Solana Pay specification. */
      url: string;
      /** @description Path of the page for the payer. Whoever has the path sees the page. */
      payerPage: string;
      /** @description QR code of the URL, as SVG. Absent in lists. */
      qrCode?: string;
      /** @description Transactions with the reference key that paid the destination, oldest first. */
      payments: {
        /** @description Signature of the transaction. */
        onchainId: string;
        /** @description What the transaction added to the receiving account, in display units. A decimal string. */
        amount: string;
        /**
        * @description CONFIRMED: a dropped fork could still undo it; FINALIZED.
        * @enum {string}
        */
        status: "CONFIRMED" | "FINALIZED";
        /** @description True if the block is later than the expiry or the cancellation. */
        late: boolean;
        /**
        * Format: date-time
        * @description Time of the block, ISO 8601 in UTC.
        */
        blockTime: string;
      }[];
      /** @description External id of the organization that the record belongs to. */
      tenantOrganizationId: string;
      /**
      * Format: date-time
      * @description Time of the creation, ISO 8601 in UTC.
      */
      createdAt: string;
      /** @description Time since when the request is paid by final transactions, expired or cancelled; null: none of these. */
      endedAt: string | null;
    };
    NewLoan: {
      /**
      * @description ESCROW_VAULT, or another lending protocol that this service has an adapter for.
      * @example ESCROW_VAULT
      */
      defiProtocol: string;
      /** @description Who lends, and the terms that the borrower expects. */
      lendingDetails: {
        /**
        * @description Address of the vault that lends. Each borrowed item takes the strategy of its instrument.
        * @example 11111111111111111111111111111111
        */
        loanStrategyAddress: string;
        /** @description The terms that the borrower expects. Worse terms of the strategy: 400 LOAN_TERMS_CHANGED. */
        expectedLoanValues?: {
          /** @description Every rate is at most this; 0: not checked. */
          expectedApy?: number;
          /** @description By itemsToPledge: the liquidation ratio is at least this; 0: not checked. */
          expectedLqt?: number[];
        };
      };
      /** @description What is borrowed, one item per instrument. A loan holds at most 5 items. */
      itemsToBorrow: components["schemas"]["ItemToBorrow"][];
      /** @description What is pledged as collateral, transferred to the escrow. A loan holds at most 5 items. */
      itemsToPledge: components["schemas"]["LoanItem"][];
      /** @description The escrow account to create, which holds the collateral. Its key is made by the service: a key, an `onchainId` or `managed: false` is rejected with 400. */
      escrow?: components["schemas"]["NewAccount"];
      /** @description Term of the loan; at most, and by default, the term of the strategy. */
      duration?: components["schemas"]["LoanDuration"];
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    ItemToBorrow: {
      /** @description Position of the borrower in the instrument of the item. */
      positionLookup: components["schemas"]["PositionLookup"];
      /** @description Amount to borrow. Give `amount` or `lamports`, or both if they agree. Display units: a JSON number of at most 15 significant digits, or a decimal string. */
      amount?: number | string | bigint;
      /** @description Amount to borrow. Give `amount` or `lamports`, or both if they agree. Raw integer units: a JSON number or a decimal string. */
      lamports?: number | string | bigint;
      /** @description Position that receives the borrowed amount in place of the position of the borrower. */
      transferTo?: components["schemas"]["PositionLookup"];
    };
    LoanItem: {
      /** @description Position of the borrower in the instrument of the item. */
      positionLookup: components["schemas"]["PositionLookup"];
      /** @description Amount of the item. Give `amount` or `lamports`, or both if they agree. Display units: a JSON number of at most 15 significant digits, or a decimal string. */
      amount?: number | string | bigint;
      /** @description Amount of the item. Give `amount` or `lamports`, or both if they agree. Raw integer units: a JSON number or a decimal string. */
      lamports?: number | string | bigint;
      /** @description Position that supplies the amount in place of the position of the borrower; its owner signs. Rejected on creation for instruments whose positions are frozen by default. */
      transferFrom?: components["schemas"]["PositionLookup"];
      /** @description True: the amount is minted to the supplying position first; the mint authority signs. Default false. Rejected on creation for instruments whose positions are frozen by default. */
      mintAsset?: boolean;
    };
    /** @description A month is 30 days, a year 365. At most 1000 years. */
    LoanDuration: {
      /**
      * @description Unit of time. A month is 30 days, a year 365 days.
      * @enum {string}
      */
      code: "MINUTES" | "DAYS" | "WEEKS" | "MONTHS" | "YEARS";
      /** @description Number of units of time, 1 to 100000, and at most 1000 years. */
      unit: number;
    };
    LoanDetails: {
      /** @description The escrow account that identifies the loan. */
      escrow: components["schemas"]["AccountLookup"];
      /**
      * Format: date-time
      * @description Instant that `estimatedInterest` is computed for, ISO 8601. Default: now.
      */
      computeEstimatedInterestUntil?: string;
    };
    Loan: {
      /**
      * @description OPEN, or CLOSED after Close Loan.
      * @enum {string}
      */
      status: "OPEN" | "CLOSED";
      /**
      * @description PENDING: nothing is lent yet; ACTIVE; OVERDUE: debt remains after the term; LIQUIDATABLE: the debt exceeds the liquidation ratio at fresh prices; REPAID: no debt is left; CLOSED.
      * @enum {string}
      */
      lifecycleState: "PENDING" | "ACTIVE" | "OVERDUE" | "LIQUIDATABLE" | "REPAID" | "CLOSED";
      /** @description Lending protocol: ESCROW_VAULT, the built-in one, or another that the service has an adapter for. */
      defiProtocol: string;
      /** @description How far the latest change is, where it takes several transactions. */
      chainPlan?: components["schemas"]["ChainPlan"];
      /** @description The escrow account that holds the collateral. */
      escrow: components["schemas"]["Account"];
      /** @description Of another tenant no more than the address. */
      borrower: components["schemas"]["Account"] | components["schemas"]["AddressOnly"];
      /** @description Of another tenant no more than the address. */
      lender: components["schemas"]["Account"] | components["schemas"]["AddressOnly"];
      /** @description The collateral that the escrow holds. */
      pledgedItems: {
        /** @description Amount of the instrument in the escrow, in display units. A decimal string. */
        pledgedAmount: string;
        /** @description Position of the escrow in the instrument. */
        accountDetails: components["schemas"]["Account"];
      }[];
      /** @description The debts of the loan, one per borrowed instrument. */
      borrowedItems: {
        /** @description Yearly interest rate, linear on a 365-day year. In hundredths of a basis point: 1000000 is 100 %. */
        apy: number;
        /** @description The lowest loan-to-value ratio among the pledged instruments. In hundredths of a basis point: 1000000 is 100 %. */
        loanToValueRatio: number;
        /** @description The lowest liquidation ratio among the pledged instruments. In hundredths of a basis point: 1000000 is 100 %. */
        liquidationRatio: number;
        /** @description Principal of the debt, in display units. A decimal string. */
        principalDue: string;
        /** @description Principal that has been repaid, in display units. A decimal string. */
        principalRepaid: string;
        /** @description Interest that accrues in a second on the outstanding principal, in display units. A decimal string. */
        interestPerSecond: string;
        /** @description Interest owed as of `lastInterestUpdateTime`, in display units. A decimal string. */
        interestOutstanding: string;
        /** @description Interest owed as of `computeEstimatedInterestUntil`, or now, in display units. A decimal string. */
        estimatedInterest: string;
        /** @description Term of the debt. */
        duration: components["schemas"]["LoanDuration"];
        /**
        * Format: date-time
        * @description Instant that interest was last settled to, ISO 8601 in UTC.
        */
        lastInterestUpdateTime: string;
        /**
        * Format: date-time
        * @description Start of the term, ISO 8601 in UTC.
        */
        startTime: string;
        /**
        * Format: date-time
        * @description End of the term, ISO 8601 in UTC.
        */
        endTime: string;
        /** @description Position of the borrower in the instrument. */
        accountDetails: components["schemas"]["Account"] | components["schemas"]["AddressOnly"];
      }[];
      /** @description Latest prices of the instruments of the loan. */
      marketData: {
        /** @description The instrument that the price is of. */
        financialInstrument: {
          /** @description What the chain holds. */
          onchain: {
            /** @description Address on chain: base58 of 32 bytes. */
            id: string;
          } & {
            [key: string]: unknown;
          };
        } & {
          [key: string]: unknown;
        };
        /** @description The price feed. */
        oracle: {
          /** @description What the chain holds. */
          onchain: {
            /** @description Address on chain: base58 of 32 bytes. */
            id: string;
          } & {
            [key: string]: unknown;
          };
        } & {
          [key: string]: unknown;
        };
        /** @description Price of one display unit in the unit of account; null: none published. A decimal string. */
        price: string | null;
        /** @description Time of the price, ISO 8601 in UTC; null: none published. */
        priceAt: string | null;
        /** @description True if the price is missing or older than the terms of the loan allow. */
        stale: boolean;
      }[];
      /** @description 1000000 without debt, 0 where it becomes liquidatable; null without prices, or for collateral worth next to nothing. */
      health: number | null;
      /** @description Debt (principal and interest of the whole term) relative to the value of the collateral; null without prices, or for collateral worth next to nothing. In hundredths of a basis point: 1000000 is 100 %. */
      currentLoanToValue: number | null;
    };
    SwapCollateral: {
      /**
      * @description ESCROW_VAULT, or another lending protocol that this service has an adapter for.
      * @example ESCROW_VAULT
      */
      defiProtocol: string;
      /** @description The escrow account that identifies the loan. */
      escrow: components["schemas"]["AccountLookup"];
      /** @description Collateral to add, transferred from the borrower to the escrow. */
      itemsToDeposit?: components["schemas"]["LoanItem"][];
      /** @description Collateral to withdraw, transferred from the escrow to the borrower. The loan must remain within its ratios (400 LOAN_UNHEALTHY, LTV_EXCEEDED). */
      itemsToWithdraw?: components["schemas"]["LoanItem"][];
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    RepayLoan: {
      /**
      * @description ESCROW_VAULT, or another lending protocol that this service has an adapter for.
      * @example ESCROW_VAULT
      */
      defiProtocol: string;
      /** @description The escrow account that identifies the loan. */
      escrow: components["schemas"]["AccountLookup"];
      /** @description What is repaid from the borrower to the vault. A payment settles interest first. */
      itemsToRepay?: components["schemas"]["ItemToRepay"][];
      /** @description Collateral to release, transferred from the escrow to the borrower. */
      itemsToRelease?: components["schemas"]["LoanItem"][];
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    ItemToRepay: {
      /** @description Position of the borrower in the instrument of the item. */
      positionLookup: components["schemas"]["PositionLookup"];
      /** @description Amount to repay. Give `amount` or `lamports`, or both if they agree. Exactly one of an amount and `repayAll` is required. Display units: a JSON number of at most 15 significant digits, or a decimal string. */
      amount?: number | string | bigint;
      /** @description Amount to repay. Give `amount` or `lamports`, or both if they agree. Exactly one of an amount and `repayAll` is required. Raw integer units: a JSON number or a decimal string. */
      lamports?: number | string | bigint;
      /** @description Position that supplies the amount in place of the position of the borrower; its owner signs. Rejected on creation for instruments whose positions are frozen by default. */
      transferFrom?: components["schemas"]["PositionLookup"];
      /** @description True: the amount is minted to the supplying position first; the mint authority signs. Default false. Rejected on creation for instruments whose positions are frozen by default. */
      mintAsset?: boolean;
      /** @description True: repay principal and interest in full, to the instant the transaction is built. Default false. */
      repayAll?: boolean;
    };
    LoanReference: {
      /**
      * @description ESCROW_VAULT, or another lending protocol that this service has an adapter for.
      * @example ESCROW_VAULT
      */
      defiProtocol: string;
      /** @description The escrow account that identifies the loan. */
      escrow: components["schemas"]["AccountLookup"];
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    RefinanceLoan: {
      /**
      * @description ESCROW_VAULT, or another lending protocol that this service has an adapter for.
      * @example ESCROW_VAULT
      */
      defiProtocol: string;
      /** @description The escrow account that identifies the loan. */
      escrow: components["schemas"]["AccountLookup"];
      /** @description Who lends, and the terms that the borrower expects. */
      lendingDetails: {
        /**
        * @description Address of the vault that lends. Each borrowed item takes the strategy of its instrument.
        * @example 11111111111111111111111111111111
        */
        loanStrategyAddress: string;
        /** @description The terms that the borrower expects. Worse terms of the strategy: 400 LOAN_TERMS_CHANGED. */
        expectedLoanValues?: {
          /** @description Every rate is at most this; 0: not checked. */
          expectedApy?: number;
          /** @description By itemsToPledge: the liquidation ratio is at least this; 0: not checked. */
          expectedLqt?: number[];
        };
      };
      /** @description New term of the loan; at most, and by default, the term of the strategy. */
      duration?: components["schemas"]["LoanDuration"];
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    NewLoanStrategy: {
      /**
      * @description ESCROW_VAULT, or another lending protocol that this service has an adapter for.
      * @example ESCROW_VAULT
      */
      defiProtocol?: string;
      /** @description The vault: a managed wallet that owns the position in the principal instrument. */
      strategyAccount: components["schemas"]["AccountLookup"];
      /** @description The principal instrument, which the vault lends. A vault has one strategy per principal instrument. */
      financialInstrument: components["schemas"]["AccountLookup"];
      /** @description The instruments accepted as collateral, with the terms of each. A loan keeps the terms of its origination. To change: also requires the role ACCOUNT_POLICY_WRITE. */
      collateral: {
        /** @description Instrument that can be pledged. */
        financialInstrument: components["schemas"]["AccountLookup"];
        /** @description Yearly interest rate of a loan secured by this instrument; with several, the highest applies. In hundredths of a basis point: 1000000 is 100 %. */
        apy: number;
        /** @description Part of the value of the collateral that may be owed (principal and interest of the whole term) at origination, withdrawal and refinance. At most `liquidationRatio` (400 STRATEGY_TERMS_INVALID). In hundredths of a basis point: 1000000 is 100 %. */
        loanToValueRatio: number;
        /** @description Part of the value of the collateral above which a debt can be liquidated. In hundredths of a basis point: 1000000 is 100 %. */
        liquidationRatio: number;
        /** @description Age in seconds above which the price of the instrument is stale (400 PRICE_STALE). */
        maxPriceAgeSeconds: number;
        /** @description Price feed of the collateral. Default: the only PRICE feed of the organization of the strategy for the instrument; none or several: 400. */
        onchainDataSource?: components["schemas"]["AccountLookup"];
      }[];
      /** @description The longest term, and the default term, of a loan of this strategy. */
      duration: components["schemas"]["LoanDuration"];
      /** @description Price feed of the principal. Default: the only PRICE feed of the organization of the strategy for the instrument; none or several: 400. All feeds of a strategy are in one unit of account. */
      onchainDataSource?: components["schemas"]["AccountLookup"];
      /** @description Organizations that may borrow. Absent or null: the organizations of the tenant of the strategy. An organization of another tenant requires a `cap`. */
      borrowers?: components["schemas"]["StrategyBorrower"][] | null;
      /**
      * @description What is lent counts against no debit limit of the vault.
      * @default false
      */
      exemptFromDebitLimits?: boolean;
      /**
      * @description False: the strategy makes no new loans.
      * @default true
      */
      originationsEnabled?: boolean;
      /** @description The largest principal of one loan, in display units (400 INSUFFICIENT_PRINCIPAL). null: no limit. A JSON number of at most 15 significant digits, else a decimal string. */
      originationCap?: number | string | bigint | null;
      /** @description Part of all principal, lent or not, that must remain in the vault (400 INSUFFICIENT_PRINCIPAL). null: 0. In hundredths of a basis point: 1000000 is 100 %. */
      liquidityBuffer?: number | null;
    };
    /** @description An organization, with the most outstanding principal it may owe the strategy (display units). Its external id alone, or no `cap`: no such bound, for organizations of the same tenant only. */
    StrategyBorrower: string | {
      /** @description External id of the organization. */
      organizationExternalId: string;
      /** @description The largest outstanding principal of the organization, in display units. null: no limit. A JSON number of at most 15 significant digits, else a decimal string. */
      cap?: number | string | bigint | null;
    };
    /** @description Absent members keep their value; null lifts a limit. */
    LoanStrategyChanges: {
      /** @description Reference to the strategy. */
      strategy: {
        /**
        * Format: uuid
        * @description Id of the strategy, a UUID.
        */
        offchainId: string;
      };
      /** @description The instruments accepted as collateral, with the terms of each. A loan keeps the terms of its origination. To change: also requires the role ACCOUNT_POLICY_WRITE. */
      collateral?: {
        /** @description Instrument that can be pledged. */
        financialInstrument: components["schemas"]["AccountLookup"];
        /** @description Yearly interest rate of a loan secured by this instrument; with several, the highest applies. In hundredths of a basis point: 1000000 is 100 %. */
        apy: number;
        /** @description Part of the value of the collateral that may be owed (principal and interest of the whole term) at origination, withdrawal and refinance. At most `liquidationRatio` (400 STRATEGY_TERMS_INVALID). In hundredths of a basis point: 1000000 is 100 %. */
        loanToValueRatio: number;
        /** @description Part of the value of the collateral above which a debt can be liquidated. In hundredths of a basis point: 1000000 is 100 %. */
        liquidationRatio: number;
        /** @description Age in seconds above which the price of the instrument is stale (400 PRICE_STALE). */
        maxPriceAgeSeconds: number;
        /** @description Price feed of the collateral. Default: the only PRICE feed of the organization of the strategy for the instrument; none or several: 400. */
        onchainDataSource?: components["schemas"]["AccountLookup"];
      }[];
      /** @description The longest term, and the default term, of new loans. Existing loans keep their term. */
      duration?: components["schemas"]["LoanDuration"];
      /** @description New price feed of the principal. To change: also requires the role ACCOUNT_POLICY_WRITE. */
      onchainDataSource?: components["schemas"]["AccountLookup"];
      /** @description Organizations that may borrow. Absent or null: the organizations of the tenant of the strategy. An organization of another tenant requires a `cap`. */
      borrowers?: components["schemas"]["StrategyBorrower"][] | null;
      /**
      * @description What is lent counts against no debit limit of the vault.
      * @default false
      */
      exemptFromDebitLimits?: boolean;
      /**
      * @description False: the strategy makes no new loans.
      * @default true
      */
      originationsEnabled?: boolean;
      /** @description The largest principal of one loan, in display units (400 INSUFFICIENT_PRINCIPAL). null: no limit. A JSON number of at most 15 significant digits, else a decimal string. */
      originationCap?: number | string | bigint | null;
      /** @description Part of all principal, lent or not, that must remain in the vault (400 INSUFFICIENT_PRINCIPAL). null: 0. In hundredths of a basis point: 1000000 is 100 %. */
      liquidityBuffer?: number | null;
    };
    LoanStrategyReference: {
      /** @description Reference to the strategy. */
      strategy: {
        /**
        * Format: uuid
        * @description Id of the strategy, a UUID.
        */
        offchainId: string;
      };
    };
    LoanStrategy: {
      /**
      * Format: uuid
      * @description Id of the strategy, a UUID.
      */
      offchainId: string;
      /** @description The vault. */
      onchainId: string;
      /** @description Lending protocol: ESCROW_VAULT, the built-in one, or another that the service has an adapter for. */
      defiProtocol: string;
      /** @description The vault: a managed wallet that owns the position in the principal instrument. */
      strategyAccount: {
        /** @description What the chain holds. */
        onchain: {
          /** @description Address on chain: base58 of 32 bytes. */
          id: string;
        } & {
          [key: string]: unknown;
        };
      } & {
        [key: string]: unknown;
      };
      /** @description The principal instrument, which the vault lends. */
      financialInstrument: {
        /** @description What the chain holds. */
        onchain: {
          /** @description Address on chain: base58 of 32 bytes. */
          id: string;
        } & {
          [key: string]: unknown;
        };
      } & {
        [key: string]: unknown;
      };
      /** @description Price feed of the principal. */
      onchainDataSource: {
        /** @description What the chain holds. */
        onchain: {
          /** @description Address on chain: base58 of 32 bytes. */
          id: string;
        } & {
          [key: string]: unknown;
        };
      } & {
        [key: string]: unknown;
      };
      /** @description The instruments accepted as collateral, with the terms of each. A loan keeps the terms of its origination. To change: also requires the role ACCOUNT_POLICY_WRITE. */
      collateral: {
        /** @description Instrument that can be pledged. */
        financialInstrument: {
          /** @description What the chain holds. */
          onchain: {
            /** @description Address on chain: base58 of 32 bytes. */
            id: string;
          } & {
            [key: string]: unknown;
          };
        } & {
          [key: string]: unknown;
        };
        /** @description Yearly interest rate of a loan secured by this instrument; with several, the highest applies. In hundredths of a basis point: 1000000 is 100 %. */
        apy: number;
        /** @description Part of the value of the collateral that may be owed (principal and interest of the whole term) at origination, withdrawal and refinance. At most `liquidationRatio` (400 STRATEGY_TERMS_INVALID). In hundredths of a basis point: 1000000 is 100 %. */
        loanToValueRatio: number;
        /** @description Part of the value of the collateral above which a debt can be liquidated. In hundredths of a basis point: 1000000 is 100 %. */
        liquidationRatio: number;
        /** @description Age in seconds above which the price of the instrument is stale (400 PRICE_STALE). */
        maxPriceAgeSeconds: number;
        /** @description Price feed of the collateral. Default: the only PRICE feed of the organization of the strategy for the instrument; none or several: 400. */
        onchainDataSource: {
          /** @description What the chain holds. */
          onchain: {
            /** @description Address on chain: base58 of 32 bytes. */
            id: string;
          } & {
            [key: string]: unknown;
          };
        } & {
          [key: string]: unknown;
        };
      }[];
      /** @description The longest term, and the default term, of a loan of this strategy. */
      duration: components["schemas"]["LoanDuration"];
      /** @description Where none were named: the organizations of its own tenant, as they are now. */
      borrowers: {
        /** @description External id of the organization. */
        organizationExternalId: string;
        /** @description The largest outstanding principal of the organization, in display units. null: no limit. A decimal string. */
        cap: string | null;
      }[];
      /** @description True: what the vault lends does not count against its debit limits. */
      exemptFromDebitLimits: boolean;
      /** @description False: the strategy makes no new loans. */
      originationsEnabled: boolean;
      /** @description The largest principal of one loan, in display units (400 INSUFFICIENT_PRINCIPAL). null: no limit. A decimal string. */
      originationCap: string | null;
      /** @description Part of all principal, lent or not, that must remain in the vault (400 INSUFFICIENT_PRINCIPAL). null: 0. In hundredths of a basis point: 1000000 is 100 %. */
      liquidityBuffer: number | null;
      /**
      * Format: date-time
      * @description Time of creation, ISO 8601 in UTC.
      */
      createdAt: string;
      /**
      * Format: date-time
      * @description Time of the last change, ISO 8601 in UTC.
      */
      updatedAt: string;
      /** @description External id of the organization that the record belongs to. */
      tenantOrganizationId: string;
    };
    /** @description authority is needed unless the table is on chain already. */
    NewAddressLookupTable: {
      /** @description The table to create or onboard. Its address is derived: `onchainId` or a key only with `alreadyOnchain`. */
      addressLookupTable?: components["schemas"]["NewAccount"];
      /** @description Authority of the table, which signs. Required unless the table is `alreadyOnchain`. */
      authority?: components["schemas"]["AccountLookup"];
      /** @description At most 256, none twice. They can never be removed. */
      componentAddresses?: components["schemas"]["AccountLookup"][];
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    AddressLookupTableExtension: {
      /** @description Lookup of the table. */
      addressLookupTable: components["schemas"]["AccountLookup"];
      /** @description Accounts to add to the table, at most 256 in all, none twice (400 DUPLICATE_ADDRESS). They can never be removed. */
      componentAddresses: components["schemas"]["AccountLookup"][];
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    AddressLookupTableChanges: {
      /** @description Lookup of the table. */
      addressLookupTable: components["schemas"]["AccountLookup"];
      /** @description References to change. Absent members keep their value; null removes one. */
      offchainReferences?: components["schemas"]["ReferenceChanges"] | null;
      /** @description Free text of the client, at most 4096 characters. In an update null removes it; in a record null means none. */
      comments?: string | null;
      /**
      * @description FREEZE: gives up the authority for ever; DEACTIVATE: the first step to close the table; CLOSE: closes a deactivated table (400 TABLE_DEACTIVATING if it is too early). Absent: only the record changes.
      * @enum {string}
      */
      action?: "FREEZE" | "DEACTIVATE" | "CLOSE";
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    AddressLookupTable: {
      /** @description Account record of the table. */
      addressLookupTable: components["schemas"]["Account"];
      /** @description null once the table is frozen. */
      authority: components["schemas"]["Account"] | components["schemas"]["AddressOnly"] | null;
      /** @description The addresses of the table, by index. */
      addresses: {
        /** @description Address on chain: base58 of 32 bytes. */
        onchainId: string;
        /**
        * Format: uuid
        * @description Id of the account record, a UUID. Absent: not onboarded.
        */
        offchainId?: string;
      }[];
      /**
      * @description ACTIVE: usable; DEACTIVATING: can be closed soon; CLOSED; FROZEN: usable, cannot change.
      * @enum {string}
      */
      state: "ACTIVE" | "DEACTIVATING" | "CLOSED" | "FROZEN";
    };
    NewNonces: {
      /** @description Account that may advance the nonce. */
      nonceAuthority: components["schemas"]["AccountLookup"];
      /** @description The nonce accounts to create or onboard, 1 to 100. Exactly one of `nonceAccounts` and `count` is required. */
      nonceAccounts?: components["schemas"]["NewAccount"][];
      /** @description Number of nonce accounts to create with keys made by the service, 1 to 100. Exactly one of `nonceAccounts` and `count` is required. */
      count?: number;
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    DurableNonceAccount: {
      /** @description Account record of the nonce account. */
      nonceAccount: components["schemas"]["Account"];
      /** @description Account that may advance the nonce. */
      nonceAuthority: {
        /** @description Address of the authority. */
        onchain: {
          /** @description Address on chain: base58 of 32 bytes. */
          id: string;
        };
        /** @description Reference to the record of the authority. */
        offchain: {
          /** @description Id of the account record, a UUID; null: not onboarded. */
          id: string | null;
        };
        /** @description True if the service holds the private key of the account. */
        managed: boolean;
        /** @description External id of the organization that the account belongs to; null: not onboarded. */
        tenantOrganizationId: string | null;
      };
      /** @description As the chain showed it last, finalized; null before the first look. */
      nonceHash: string | null;
      /** @description The transaction that leases the nonce; null: the nonce is free. */
      inUse: {
        /**
        * Format: uuid
        * @description Id of the transaction, a UUID.
        */
        transactionOffchainId: string;
        /**
        * Format: date-time
        * @description Start of the lease, ISO 8601 in UTC.
        */
        transactionAt: string;
      } | null;
    };
    NewOnchainDataSource: {
      /**
      * @description Provider of the feed: PUBLISHED_FEED, the built-in one.
      * @enum {string}
      */
      defiProtocol: "PUBLISHED_FEED";
      /** @description The account of the feed to create. Default: a new account. `alreadyOnchain` is rejected. */
      onchainDataSource?: components["schemas"]["NewAccount"];
      /** @description The instrument that the data is about. */
      financialInstrument: components["schemas"]["AccountLookup"];
      /** @description Account whose key publishes the values. Readers of the feed trust this key. */
      onchainDataSourceAuthority: components["schemas"]["AccountLookup"];
      /** @description What the data is. */
      dataDetails: {
        /**
        * @description PRICE of a display unit, or RATING.
        * @enum {string}
        */
        kind: "PRICE" | "RATING";
        /** @description Agency that a rating is from; null: none. Ratings only. */
        ratingProvider?: string | null;
      };
      /** @description Where the value comes from. */
      oracleProviderDetails: {
        /**
        * @description Kind of the definition: QUOTES, which is the default.
        * @enum {string}
        */
        kind?: "QUOTES";
        /** @description JSON of an oracle job, or of an array of jobs: then the median of those that succeed. */
        jobDefinition: string;
      };
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    /** @description What is given replaces; the rest stays. */
    OnchainDataSourceChanges: {
      /** @description Lookup of the data source. */
      onchainDataSource: components["schemas"]["AccountLookup"];
      /** @description New instrument that the data is about. */
      financialInstrument?: components["schemas"]["AccountLookup"];
      /** @description Account whose key publishes the values. Readers of the feed trust this key. */
      onchainDataSourceAuthority?: components["schemas"]["AccountLookup"];
      /** @description What the data is. */
      dataDetails?: {
        /**
        * @description PRICE of a display unit, or RATING.
        * @enum {string}
        */
        kind?: "PRICE" | "RATING";
        /** @description Agency that a rating is from; null: none. Ratings only. */
        ratingProvider?: string | null;
      };
      /** @description Where the value comes from. */
      oracleProviderDetails?: {
        /**
        * @description Kind of the definition: QUOTES, which is the default.
        * @enum {string}
        */
        kind?: "QUOTES";
        /** @description JSON of an oracle job, or of an array of jobs: then the median of those that succeed. */
        jobDefinition?: string;
      };
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    RefreshOnchainDataSource: {
      /** @description Lookup of the data source. */
      onchainDataSource: components["schemas"]["AccountLookup"];
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    NamedOnchainDataSource: {
      /** @description Lookup of the data source. */
      onchainDataSource: components["schemas"]["AccountLookup"];
    };
    OnchainDataSource: {
      /**
      * @description Provider of the feed: PUBLISHED_FEED, the built-in one.
      * @enum {string}
      */
      defiProtocol: "PUBLISHED_FEED";
      /** @description Account record of the feed. */
      onchainDataSource: components["schemas"]["Account"];
      /** @description The instrument that the data is about. Of one that the caller may not see, only the address. */
      financialInstrument: components["schemas"]["Account"] | components["schemas"]["AddressOnly"];
      /** @description Account whose key publishes the values. Readers of the feed trust this key. */
      onchainDataSourceAuthority: components["schemas"]["Account"] | components["schemas"]["AddressOnly"];
      /** @description What the data is. */
      dataDetails: {
        /**
        * @description PRICE of a display unit, or RATING.
        * @enum {string}
        */
        kind: "PRICE" | "RATING";
        /** @description Agency that a rating is from; null: none. Ratings only. */
        ratingProvider: string | null;
      };
      /** @description Where the value comes from. */
      oracleProviderDetails: {
        /** @description Kind of the definition: QUOTES, which is the default. */
        kind: string;
        /** @description null: of another tenant. */
        jobDefinition: string | null;
      };
      /** @description The value that was last published on chain. */
      latest: {
        /** @description The published value: a decimal number, or the text of a rating. */
        value: string;
        /**
        * Format: date-time
        * @description Time at which the value was computed, ISO 8601 in UTC.
        */
        asOf: string;
        /** @description Slot that the value was published for. */
        slot: number;
        /** @description Number of the publication; increases with each one. */
        sequence: number;
      } | null;
      /** @description True if nothing is published, or the value is older than the setting of the service allows (default: one hour). */
      stale: boolean;
      /** @description The jobs when they were executed last, whatever came of it. */
      lastRun: {
        /**
        * Format: date-time
        * @description Time of the run, ISO 8601 in UTC.
        */
        at: string;
        /** @description The result: the median of the jobs that succeeded; null: none succeeded. */
        value: string | null;
        /** @description The result of each job, in the order of the definition. */
        jobs: {
          /** @description True if the job yielded a value. */
          succeeded: boolean;
          /** @description The value of the job. Absent: it failed. */
          value?: string;
          /** @description The job, the task and the reason. */
          error?: string;
        }[];
      } | null;
    };
    /** @description offchainId or onchainId (the first signature); both must agree. */
    TransactionReference: {
      /**
      * Format: uuid
      * @description Id of the record in the service, a UUID.
      */
      offchainId?: string;
      /** @description First signature of the transaction: base58 of 64 bytes. */
      onchainId?: string;
    };
    Transaction: {
      /** @description True from SIGNED on, unless the transaction failed, was cancelled or expired. */
      success: boolean;
      /**
      * Format: uuid
      * @description Id of the record in the service, a UUID.
      */
      offchainId: string;
      /**
      * @description PREPARED: built, waits for signatures or approval; PARTIALLY_SIGNED; SIGNED: complete; SUBMITTED: sent; PROCESSED, CONFIRMED, FINALIZED: as the cluster reports; BLOCKCHAIN_ERROR: finalized with an error; NON_BLOCKCHAIN_ERROR: accepted but could not be built or signed; CANCELLED; EXPIRED: provably never executed.
      * @enum {string}
      */
      status: "PREPARED" | "PARTIALLY_SIGNED" | "SIGNED" | "SUBMITTED" | "PROCESSED" | "CONFIRMED" | "FINALIZED" | "BLOCKCHAIN_ERROR" | "NON_BLOCKCHAIN_ERROR" | "CANCELLED" | "EXPIRED";
      /** @description The first signature; null while there is none. */
      onchainId: string | null;
      /** @description Confirmations that the cluster reported; 0 before the first. 32: finalized. */
      confirmationsCount: number | null;
      /** @description Base64 of the message. */
      serializedMessage: string | null;
      /** @description Why the transaction failed. Absent: it did not. */
      errorMessage?: string;
      /** @description The transaction is signed and sent only once others have approved it. */
      approval?: {
        /** @description The debit limits that are exceeded. */
        entries: components["schemas"]["DebitLimitVerdict"][];
        /** @description The approval policies that cover it. */
        policies: components["schemas"]["CoveringPolicy"][];
        /** @description Payments to counterparties under review. Absent: none. */
        reviews?: components["schemas"]["PaymentReview"][];
        /** @description Answers of screening services because of which the approval is needed. Absent: none. */
        screenings?: components["schemas"]["ScreeningReview"][];
        /** @description The fewest keys that can approve it. */
        required: number;
        /** @description Number of keys that have approved every entry of which they are approvers. */
        given: number;
        /**
        * Format: date-time
        * @description Time at which the transaction lapses without approval (CANCELLED), ISO 8601 in UTC.
        */
        expiresAt: string;
      };
      /**
      * Format: date-time
      * @description With microseconds.
      */
      txnTimestamp: string;
      /** @description Fee (base and priority) in the network currency, in display units. A decimal string. */
      fee: string;
      /** @description Account that pays the fee. */
      feePayer: {
        /** @description Address on chain: base58 of 32 bytes. */
        onchainId: string;
        /** @description Id of the account record, a UUID; null: not onboarded. */
        offchainId: string | null;
      };
      /** @description Accounts of the message, in its order. */
      accounts: {
        /** @description Address on chain: base58 of 32 bytes. */
        onchainId: string;
        /** @description Id of the account record, a UUID; null: not onboarded. */
        offchainId: string | null;
        /** @description Counterparty that lists the address, or the owner of the token account. Absent: none; only in the details of a transaction. */
        counterparty?: components["schemas"]["CounterpartyName"];
      }[];
      /** @description RECENT_BLOCKHASH or DURABLE_NONCE. */
      messageLifetimeStrategy: string;
      /** @description Blockhash or nonce value of the message; null: none. */
      recentBlockhash: string | null;
      /** @description Last block height at which the message can be executed; null under a durable nonce. */
      lastValidBlockHeight: number | null;
      /** @description The nonce account of a DURABLE_NONCE message; null: none. */
      nonceAccount: {
        /** @description Address on chain: base58 of 32 bytes. */
        onchainId: string;
        /** @description Id of the account record, a UUID; null: not onboarded. */
        offchainId: string | null;
      } | null;
      /** @description Format of the message: V0, which can use address lookup tables, or LEGACY. */
      transactionVersion: string;
      /** @description Compute units that the execution used; null: not known yet. */
      computeUnitsConsumed: number | null;
      /** @description Limit of compute units in the message; null: that of the cluster. */
      computeUnitsLimit: number | null;
      /** @description Price of a compute unit in micro-lamports; null: none. A decimal string. */
      computeUnitPrice: string | null;
      /** @description The instructions of the message, in order. */
      instructions: {
        /** @description Name of the instruction. */
        type: string;
        /** @description Address of the program. */
        programId: string;
      }[];
      /** @description Endpoint that made the transaction, such as `POST /api/v1/positions/transfer`; null: none. */
      endpoint: string | null;
      /** @description As the request gave it. */
      externalReference: string | null;
      /** @description References of the items of a batch, or of the item data of a schedule; absent: none. */
      itemReferences?: string[];
      /** @description Time of the block, ISO 8601 in UTC; null: not known yet. */
      blockTime: string | null;
      /** @description Slot of the block; null: not known yet. */
      slot: number | null;
      /**
      * Format: date-time
      * @description Time at which the transaction was built, ISO 8601 in UTC.
      */
      preparedAt: string;
      /** @description External id of the organization that the record belongs to. */
      tenantOrganizationId: string;
      /** @description Every status reached and every attempt to send, in order. */
      history: {
        /** @description Status that was reached, or in which the attempt was made. */
        status: string;
        /**
        * Format: date-time
        * @description Time of the entry, ISO 8601 in UTC.
        */
        at: string;
        /** @description Further information about the entry; null or absent: none. */
        detail?: string | null;
      }[];
      /** @description Name under which the caller knows the fee payer: its code, its name or its counterparty; null: none. */
      feePayerName: string | null;
      /** @description What the message moves, at most 16 movements; `/transactions/explain` has every instruction. */
      movements: components["schemas"]["TransactionMovement"][];
    };
    TransactionMovement: {
      /**
      * @description What happens.
      * @enum {string}
      */
      type: "TRANSFER" | "TRANSFER_NETWORK_CURRENCY" | "MINT" | "BURN" | "FREEZE" | "UNFREEZE";
      /** @description The account that is debited; null: none. */
      source: components["schemas"]["MovementParty"] | null;
      /** @description The account that is credited, frozen or unfrozen; null: none. */
      destination: components["schemas"]["MovementParty"] | null;
      /** @description Amount in display units; null: none, or its decimals are not known. A decimal string. */
      amount: string | null;
      /** @description Symbol of the instrument, else its code or address; null: not known. */
      symbol: string | null;
    };
    MovementParty: {
      /** @description Address of the account. */
      onchainId: string;
      /** @description Id of the account record, a UUID; null: none that the caller may read. */
      offchainId: string | null;
      /** @description Address of the owner, if the account is a token account on record; null: not known. */
      ownerOnchainId: string | null;
      /** @description Name under which the caller knows the account or its owner: code, name or counterparty; null: none. */
      name: string | null;
    };
    TransactionCompact: {
      /** @description True from SIGNED on, unless the transaction failed, was cancelled or expired. */
      success: boolean;
      /**
      * Format: uuid
      * @description Id of the record in the service, a UUID.
      */
      offchainId: string;
      /**
      * @description PREPARED: built, waits for signatures or approval; PARTIALLY_SIGNED; SIGNED: complete; SUBMITTED: sent; PROCESSED, CONFIRMED, FINALIZED: as the cluster reports; BLOCKCHAIN_ERROR: finalized with an error; NON_BLOCKCHAIN_ERROR: accepted but could not be built or signed; CANCELLED; EXPIRED: provably never executed.
      * @enum {string}
      */
      status: "PREPARED" | "PARTIALLY_SIGNED" | "SIGNED" | "SUBMITTED" | "PROCESSED" | "CONFIRMED" | "FINALIZED" | "BLOCKCHAIN_ERROR" | "NON_BLOCKCHAIN_ERROR" | "CANCELLED" | "EXPIRED";
      /** @description The first signature; null while there is none. */
      onchainId: string | null;
      /** @description Confirmations that the cluster reported; 0 before the first. 32: finalized. */
      confirmationsCount: number | null;
      /** @description Base64 of the message. */
      serializedMessage: string | null;
      /** @description Why the transaction failed. Absent: it did not. */
      errorMessage?: string;
      /** @description The transaction is signed and sent only once others have approved it. */
      approval?: {
        /** @description The debit limits that are exceeded. */
        entries: components["schemas"]["DebitLimitVerdict"][];
        /** @description The approval policies that cover it. */
        policies: components["schemas"]["CoveringPolicy"][];
        /** @description Payments to counterparties under review. Absent: none. */
        reviews?: components["schemas"]["PaymentReview"][];
        /** @description Answers of screening services because of which the approval is needed. Absent: none. */
        screenings?: components["schemas"]["ScreeningReview"][];
        /** @description The fewest keys that can approve it. */
        required: number;
        /** @description Number of keys that have approved every entry of which they are approvers. */
        given: number;
        /**
        * Format: date-time
        * @description Time at which the transaction lapses without approval (CANCELLED), ISO 8601 in UTC.
        */
        expiresAt: string;
      };
      /**
      * Format: date-time
      * @description With microseconds.
      */
      txnTimestamp: string;
      /** @description External id of the organization that the record belongs to. */
      tenantOrganizationId: string;
      /** @description As the request gave it. */
      externalReference: string | null;
    };
    TransactionIdentifiers: {
      /** @description External id of the organization that the record belongs to. */
      tenantOrganizationId: string;
      /**
      * Format: uuid
      * @description Id of the record in the service, a UUID.
      */
      offchainId: string;
      /** @description The first signature; null while there is none. */
      onchainId: string | null;
    };
    Explanation: {
      /** @description The transaction: its result and its external reference. */
      transaction: {
        /** @description True from SIGNED on, unless the transaction failed, was cancelled or expired. */
        success: boolean;
        /**
        * Format: uuid
        * @description Id of the transaction in the service, a UUID.
        */
        offchainId: string;
        /**
        * @description PREPARED: built, waits for signatures or approval; PARTIALLY_SIGNED; SIGNED: complete; SUBMITTED: sent; PROCESSED, CONFIRMED, FINALIZED: as the cluster reports; BLOCKCHAIN_ERROR: finalized with an error; NON_BLOCKCHAIN_ERROR: accepted but could not be built or signed; CANCELLED; EXPIRED: provably never executed.
        * @enum {string}
        */
        status: "PREPARED" | "PARTIALLY_SIGNED" | "SIGNED" | "SUBMITTED" | "PROCESSED" | "CONFIRMED" | "FINALIZED" | "BLOCKCHAIN_ERROR" | "NON_BLOCKCHAIN_ERROR" | "CANCELLED" | "EXPIRED";
        /** @description The first signature; null while there is none. */
        onchainId: string | null;
        /** @description Confirmations that the cluster reported; 0 before the first. 32: finalized. */
        confirmationsCount: number | null;
        /** @description Base64 of the message. */
        serializedMessage: string | null;
        /** @description Why the transaction failed. Absent: it did not. */
        errorMessage?: string;
        /** @description The transaction is signed and sent only once others have approved it. */
        approval?: {
          /** @description The debit limits that are exceeded. */
          entries: components["schemas"]["DebitLimitVerdict"][];
          /** @description The approval policies that cover it. */
          policies: components["schemas"]["CoveringPolicy"][];
          /** @description Payments to counterparties under review. Absent: none. */
          reviews?: components["schemas"]["PaymentReview"][];
          /** @description Answers of screening services because of which the approval is needed. Absent: none. */
          screenings?: components["schemas"]["ScreeningReview"][];
          /** @description The fewest keys that can approve it. */
          required: number;
          /** @description Number of keys that have approved every entry of which they are approvers. */
          given: number;
          /**
          * Format: date-time
          * @description Time at which the transaction lapses without approval (CANCELLED), ISO 8601 in UTC.
          */
          expiresAt: string;
        };
        /**
        * Format: date-time
        * @description With microseconds.
        */
        txnTimestamp: string;
        /** @description Reference of the client, as the request gave it; null: none. */
        externalReference: string | null;
      };
      /** @description The checks that the transaction passed or still has to pass. */
      checks: {
        /** @description Name of the check, such as DEBIT_LIMITS. */
        rule: string;
        /**
        * @description PENDING: decided with the first signature of the service. NOT_REACHED: it ended before.
        * @enum {string}
        */
        verdict: "PASSED" | "PENDING" | "NOT_REACHED" | "LEFT_TO_CHAIN";
        /** @description The result of the check in one sentence. */
        detail: string;
        /** @description The facts that the check is based on. */
        judgedOn: {
          [key: string]: unknown;
        };
      }[];
      /** @description Every send of the transaction. Later sends share an entry. */
      attempts: {
        /** @description Status at the time of the send. */
        status: string;
        /**
        * Format: date-time
        * @description Time of the send, ISO 8601 in UTC.
        */
        at: string;
        /** @description The entry as the history of the transaction records it. */
        detail: string | null;
        /** @description Number of the send, from 1; of a shared entry, that of the last. */
        attempt: number;
        /** @description Equal to attempt, or the first of those that the entry counts. */
        since: number;
        /** @description RPC endpoint that the transaction was sent to. */
        endpoint: string | null;
        /** @description Response of the RPC endpoint; null: none recorded. */
        answer: string | null;
      }[];
      /** @description The required signatures. */
      signatures: {
        /** @description Address of the signer. */
        onchainId: string;
        /** @description Id of the account record of the signer, a UUID; null: not onboarded. */
        offchainId: string | null;
        /** @description True if the signature exists. */
        signed: boolean;
        /** @description True if the service made the signature, or would make it. */
        ours: boolean;
        /** @description A remote signer was asked, and may have signed. */
        asked: boolean;
        /** @description Base58. Ours is shown once it has left the service. */
        signature: string | null;
      }[];
      /** @description Amounts that the transaction still reserves. */
      reservations: {
        /**
        * Format: uuid
        * @description Id of the record whose balance is reserved, a UUID.
        */
        offchainId: string;
        /** @description What is reserved: `lamports`, `tokens` or `supply`. */
        asset: string;
        /** @description Reserved amount in raw integer units. A decimal string. */
        amount: string;
      }[];
      /** @description Every status reached and every attempt to send, in order. */
      history: {
        /** @description Status that was reached, or in which the attempt was made. */
        status: string;
        /**
        * Format: date-time
        * @description Time of the entry, ISO 8601 in UTC.
        */
        at: string;
        /** @description Further information about the entry; null or absent: none. */
        detail: string | null;
      }[];
      /** @description The outcome that administrators attested. Absent: none. */
      attestation?: {
        /** @description The attested outcome. */
        outcome: string;
        /** @description Id of the API key that attested it. */
        keyId: string;
      } & {
        [key: string]: unknown;
      };
      /** @description While it is under way; unproven: why it is not known to have expired. */
      watch?: {
        /** @description Number of sends since the service started to watch the transaction. */
        attempts: number;
        /** @description Why the transaction is not proven to have expired; null: not examined yet. */
        unproven: string | null;
      } & {
        [key: string]: unknown;
      };
      /** @description The facts that prove that the transaction can never be executed. Absent: no proof. */
      expiryProof?: {
        [key: string]: unknown;
      };
    };
    /** @description Signatures brought from outside, and managed signers that sign now. */
    SignTransaction: {
      /** @description A transaction of the service. Exactly one of `transaction` and `serializedTransaction` is required. */
      transaction?: {
        /**
        * Format: uuid
        * @description Id of the transaction in the service, a UUID.
        */
        offchainId: string;
      };
      /** @description A transaction made elsewhere: base64 of its bytes. It passes the same checks as a transaction of the service (400 TRANSACTION_MALFORMED, 403 INSTRUCTION_NOT_ALLOWED). */
      serializedTransaction?: string;
      /** @description Managed accounts that sign now. */
      signers?: components["schemas"]["AccountLookup"][];
      /** @description Signatures made outside the service. */
      signatures?: {
        /**
        * @description Address of the signer: base58 of 32 bytes.
        * @example 11111111111111111111111111111111
        */
        onchainId: string;
        /** @description Signature of the message: base58 of 64 bytes. */
        signature: string;
      }[];
      /** @description True: the response contains the transaction with the signatures of the service. Default false. */
      returnSerialized?: boolean;
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
      /**
      * Format: uuid
      * @description Idempotency key in the body, a UUID; the same as the header Idempotency-Key. Two different keys: 400.
      */
      idempotencyId?: string;
    };
    SignedTransaction: {
      /** @description True from SIGNED on, unless the transaction failed, was cancelled or expired. */
      success: boolean;
      /**
      * Format: uuid
      * @description Id of the record in the service, a UUID.
      */
      offchainId: string;
      /**
      * @description PREPARED: built, waits for signatures or approval; PARTIALLY_SIGNED; SIGNED: complete; SUBMITTED: sent; PROCESSED, CONFIRMED, FINALIZED: as the cluster reports; BLOCKCHAIN_ERROR: finalized with an error; NON_BLOCKCHAIN_ERROR: accepted but could not be built or signed; CANCELLED; EXPIRED: provably never executed.
      * @enum {string}
      */
      status: "PREPARED" | "PARTIALLY_SIGNED" | "SIGNED" | "SUBMITTED" | "PROCESSED" | "CONFIRMED" | "FINALIZED" | "BLOCKCHAIN_ERROR" | "NON_BLOCKCHAIN_ERROR" | "CANCELLED" | "EXPIRED";
      /** @description The first signature; null while there is none. */
      onchainId: string | null;
      /** @description Confirmations that the cluster reported; 0 before the first. 32: finalized. */
      confirmationsCount: number | null;
      /** @description Base64 of the message. */
      serializedMessage: string | null;
      /** @description Why the transaction failed. Absent: it did not. */
      errorMessage?: string;
      /** @description The transaction is signed and sent only once others have approved it. */
      approval?: {
        /** @description The debit limits that are exceeded. */
        entries: components["schemas"]["DebitLimitVerdict"][];
        /** @description The approval policies that cover it. */
        policies: components["schemas"]["CoveringPolicy"][];
        /** @description Payments to counterparties under review. Absent: none. */
        reviews?: components["schemas"]["PaymentReview"][];
        /** @description Answers of screening services because of which the approval is needed. Absent: none. */
        screenings?: components["schemas"]["ScreeningReview"][];
        /** @description The fewest keys that can approve it. */
        required: number;
        /** @description Number of keys that have approved every entry of which they are approvers. */
        given: number;
        /**
        * Format: date-time
        * @description Time at which the transaction lapses without approval (CANCELLED), ISO 8601 in UTC.
        */
        expiresAt: string;
      };
      /**
      * Format: date-time
      * @description With microseconds.
      */
      txnTimestamp: string;
      /** @description Base64 of the transaction with its signatures, if the request asks for it. */
      serializedTransaction?: string;
    };
    SubmitTransaction: {
      /** @description A transaction of the service. Exactly one of `transaction` and `serializedTransaction` is required. */
      transaction?: {
        /**
        * Format: uuid
        * @description Id of the transaction in the service, a UUID.
        */
        offchainId: string;
      };
      /** @description A transaction made elsewhere: base64 of its bytes. It passes the same checks as a transaction of the service (400 TRANSACTION_MALFORMED, 403 INSTRUCTION_NOT_ALLOWED). */
      serializedTransaction?: string;
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
      /**
      * Format: uuid
      * @description Idempotency key in the body, a UUID; the same as the header Idempotency-Key. Two different keys: 400.
      */
      idempotencyId?: string;
    };
    /** @description A transaction or batch whose debit may exceed its limits. */
    ApproveTransaction: {
      /**
      * Format: uuid
      * @description Id of the transaction to approve, a UUID.
      */
      offchainId: string;
    };
    /** @description Of a batch: the members of a transaction result. The transactions are those of its items. */
    BatchResult: {
      /** @description True once it is under way, unless it ended as FAILED or CANCELLED. */
      success: boolean;
      /**
      * Format: uuid
      * @description Id of the record in the service, a UUID.
      */
      offchainId: string;
      /**
      * @description PREPARED: it waits for approval. FAILED: every item has ended, and some failed.
      * @enum {string}
      */
      status: "WAITING" | "PREPARED" | "UNDER_WAY" | "DONE" | "FAILED" | "CANCELLED";
      /** @description Address on chain: base58 of 32 bytes. */
      onchainId: null;
      /** @description Confirmations that the cluster reported; 0 before the first. 32: finalized. */
      confirmationsCount: null;
      /** @description A batch has no message of its own. */
      serializedMessage: null;
      /** @description The transaction is signed and sent only once others have approved it. */
      approval?: {
        /** @description The debit limits that are exceeded. */
        entries: components["schemas"]["DebitLimitVerdict"][];
        /** @description The approval policies that cover it. */
        policies: components["schemas"]["CoveringPolicy"][];
        /** @description Payments to counterparties under review. Absent: none. */
        reviews?: components["schemas"]["PaymentReview"][];
        /** @description Answers of screening services because of which the approval is needed. Absent: none. */
        screenings?: components["schemas"]["ScreeningReview"][];
        /** @description The fewest keys that can approve it. */
        required: number;
        /** @description Number of keys that have approved every entry of which they are approvers. */
        given: number;
        /**
        * Format: date-time
        * @description Time at which the transaction lapses without approval (CANCELLED), ISO 8601 in UTC.
        */
        expiresAt: string;
      };
      /**
      * Format: date-time
      * @description When the batch ended, else when it was created.
      */
      txnTimestamp: string;
      /** @description Id of the batch that the key has approved. */
      approvedBatch?: {
        /**
        * Format: uuid
        * @description Id of the record in the service, a UUID.
        */
        offchainId: string;
      };
      /** @description Id of the batch that the key has rejected. */
      rejectedBatch?: {
        /**
        * Format: uuid
        * @description Id of the record in the service, a UUID.
        */
        offchainId: string;
      };
      /** @description Id of the batch whose waiting items are cancelled. */
      cancelledBatch?: {
        /**
        * Format: uuid
        * @description Id of the record in the service, a UUID.
        */
        offchainId: string;
      };
    };
    /** @description What became of it, when nothing can prove it any more. */
    AttestTransaction: {
      /**
      * Format: uuid
      * @description Id of the transaction whose outcome is attested, a UUID.
      */
      offchainId: string;
      /**
      * @description The outcome that the evidence shows. Two PLATFORM_ADMIN keys must attest the same outcome.
      * @enum {string}
      */
      outcome: "FINALIZED" | "BLOCKCHAIN_ERROR" | "EXPIRED";
      /** @description The evidence on which this key attests the outcome. Kept for ever. */
      evidence: string;
    };
    /** @description A transaction, or a batch whose waiting items are cancelled. */
    CancelTransaction: {
      /**
      * Format: uuid
      * @description Id of the transaction to cancel, a UUID.
      */
      offchainId: string;
    };
    NewStatement: {
      /** @description Account: the statement covers its network currency and all positions that it owns. */
      account?: components["schemas"]["AccountLookup"];
      /** @description Position, by a position lookup or an account lookup that names it: the statement covers its tokens and the network currency of its token account. By owner and instrument: the latest closed one if none is open. */
      position?: components["schemas"]["TradeSide"];
      /** @description External id of the organization that the request acts for: the statement covers all of its records. */
      organization?: string;
      /**
      * Format: date-time
      * @description Start, inclusive, ISO 8601. Movements of records older than a release without statements are known from its upgrade on.
      */
      from: string;
      /**
      * Format: date-time
      * @description End, exclusive, ISO 8601. Absent: now. A statement never ends later than its movements are final.
      */
      to?: string;
      /**
      * @description JSON, or CSV with one row for each opening balance, movement and closing balance.
      * @default JSON
      * @enum {string}
      */
      format?: "JSON" | "CSV";
    };
    Statement: {
      /**
      * Format: date-time
      * @description Start, inclusive, ISO 8601 in UTC.
      */
      from: string;
      /**
      * Format: date-time
      * @description End, exclusive, ISO 8601 in UTC: the end asked for, or the time until which movements are final, if that is earlier.
      */
      to: string;
      /** @description One entry for each balance that was not zero at the start or moved. The opening balance and the amounts of the movements add up to the closing balance exactly. */
      balances: components["schemas"]["StatementBalance"][];
    };
    StatementBalance: {
      /** @description Account or token account that holds the balance. */
      account: {
        /** @description Address on chain: base58 of 32 bytes. */
        onchainId: string;
        /**
        * Format: uuid
        * @description Id of the record in the service, a UUID.
        */
        offchainId: string;
        /** @description Name of the record, else its account number or code. */
        name: string | null;
      };
      /** @description Address of the owner of a token account; null: not a token account. */
      ownerOnchainId: string | null;
      /** @description Instrument of the balance; null: network currency. */
      financialInstrument: {
        /** @description Address on chain: base58 of 32 bytes. */
        onchainId: string;
        /** @description Id of the record in the service, a UUID. */
        offchainId: string | null;
      } | null;
      /** @description Symbol of the instrument or of the network currency; null: none known. */
      symbol: string | null;
      /** @description Balance before the first movement. */
      openingBalance: components["schemas"]["AmountPair"];
      /** @description Movements of the interval, in order: one for each payment of a transaction, and one for the rest of what it moved. */
      movements: components["schemas"]["StatementMovement"][];
      /** @description Balance after the last movement. */
      closingBalance: components["schemas"]["AmountPair"];
    };
    StatementMovement: {
      /**
      * Format: date-time
      * @description Time at which the records took the movement, ISO 8601 in UTC.
      */
      time: string;
      /**
      * @description TRANSACTION: of this service, made or signed by the organization's tenant. OUTSIDE: anything else that the chain shows. ONBOARDED: the balance that the account had when its record was made.
      * @enum {string}
      */
      kind: "TRANSACTION" | "OUTSIDE" | "ONBOARDED";
      /** @description Change of the balance, `fee` and `rent` included; negative for a debit. Fee and rent are in a movement of their own if the transaction made several payments. */
      amount: components["schemas"]["AmountPair"];
      /** @description Parties that gave the amount; empty: not known. */
      from: components["schemas"]["StatementParty"][];
      /** @description Parties that received the amount; empty: not known, or nothing but the fee was paid. */
      to: components["schemas"]["StatementParty"][];
      /** @description Fee that the account paid for the transaction, part of the amount, in display units of the network currency. A decimal string. */
      fee: string;
      /** @description Rent that the account paid for other accounts, part of the amount, in display units of the network currency. A decimal string. */
      rent: string;
      /** @description Reference of the client, as the request gave it; null: none. */
      externalReference: string | null;
      /** @description Reference of the item of a batch that the payment belongs to, of all items of the transaction if it concerns them all; empty: none, or not readable by the caller. */
      itemReferences: string[];
      /** @description Endpoint that made the transaction; null: not a transaction that the caller may read. */
      operation: string | null;
      /** @description Transaction of the movement; null: not one of this service that the tenant made or signed. */
      transaction: {
        /** @description Id of the transaction, a UUID; null: made by another tenant or organization, and not readable by the caller. */
        offchainId: string | null;
        /** @description Address on chain: base58 of 32 bytes. */
        onchainId: string | null;
        /** @description Time of the block, ISO 8601 in UTC; null: not known yet. */
        blockTime: string | null;
        /** @description Slot of the block; null: not known yet. */
        slot: number | null;
      } | null;
      /** @description Balance after the movement. */
      balanceAfter: components["schemas"]["AmountPair"];
    };
    StatementParty: {
      /** @description Address on chain: base58 of 32 bytes. */
      onchainId: string;
      /** @description Id of the record in the service, a UUID. */
      offchainId: string | null;
      /** @description Address of the owner of a token account; null: not a token account, or not known. */
      ownerOnchainId: string | null;
      /** @description Name of the record or of the counterparty at the address, else of the owner; null: none on record. */
      name: string | null;
    };
    NewWebhook: {
      /**
      * Format: uri
      * @description Target of deliveries: an absolute https URL on port 443 of a public host, or a target that the service is set to allow.
      * @example https://example.org/hooks/holdfast
      */
      url: string;
      /** @description Types of events to deliver: a type, or a prefix followed by `*`. Default: all. */
      eventTypes?: string[];
    };
    CreatedWebhook: {
      /** @description Id of the created webhook. */
      newWebhook: {
        /**
        * Format: uuid
        * @description Id of the record in the service, a UUID.
        */
        offchainId: string;
      };
      /** @description Shown once; absent in a replay. */
      secret?: string;
    };
    /** @description Never holds a secret. */
    Webhook: {
      /**
      * Format: uuid
      * @description Id of the record in the service, a UUID.
      */
      offchainId: string;
      /** @description External id of the organization that the record belongs to. */
      tenantOrganizationId: string;
      /** @description Target of deliveries: an absolute https URL on port 443 of a public host, or a target that the service is set to allow. */
      url: string;
      /** @description Types of events to deliver: a type, or a prefix followed by `*`. Default: all. */
      eventTypes: string[];
      /**
      * @description ENABLED, or DISABLED: nothing is delivered.
      * @enum {string}
      */
      status: "ENABLED" | "DISABLED";
      /** @description True if disabled. */
      disabled: boolean;
      /** @description Time at which the webhook was disabled, ISO 8601 in UTC; null: it is enabled. */
      disabledAt: string | null;
      /** @description REQUESTED: by request; GONE: the receiver answered 410; EXHAUSTED: all attempts failed; null: it is enabled. */
      disabledBecause: ("REQUESTED" | "GONE" | "EXHAUSTED") | null;
      /**
      * Format: date-time
      * @description Time of creation, ISO 8601 in UTC.
      */
      createdAt: string;
      /** @description Id of the API key that created the record, or `jwt:` and the subject of a token. */
      createdBy: string;
      /** @description Time of the last rotation, ISO 8601 in UTC; null: none. */
      rotatedAt: string | null;
      /** @description Time until which the previous secret remains valid, ISO 8601 in UTC; null: it is not. */
      previousSecretValidUntil: string | null;
      /** @description Events up to this one are delivered, but for those of what waits. */
      lastSequence: number;
      /** @description Time of the last successful delivery, ISO 8601 in UTC; null: none. */
      lastDeliveredAt: string | null;
      /** @description Resources whose next event waits for another attempt. */
      waiting: {
        /**
        * Format: uuid
        * @description Id of the resource, a UUID.
        */
        resourceOffchainId: string;
        /** @description Sequence of the event that waits. */
        sequence: number;
        /** @description Number of failed attempts of that event. */
        failures: number;
        /**
        * Format: date-time
        * @description Time of the next attempt, ISO 8601 in UTC.
        */
        nextAttemptAt: string;
      }[];
      /** @description The latest tries, newest first. */
      deliveries: {
        /**
        * Format: uuid
        * @description Id of the event, a UUID.
        */
        eventId: string;
        /** @description Sequence of the event. */
        sequence: number;
        /** @description Type of the event. */
        type: string;
        /** @description Number of the attempt, from 1. */
        attempt: number;
        /**
        * Format: date-time
        * @description Time of the attempt, ISO 8601 in UTC.
        */
        at: string;
        /** @description HTTP status of the response; null: no response. */
        httpStatus: number | null;
        /** @description True if the receiver accepted the event. */
        delivered: boolean;
        /** @description Why the attempt failed; null: it did not. */
        errorMessage: string | null;
      }[];
    };
    RotateWebhook: {
      /**
      * Format: uuid
      * @description Id of the record in the service, a UUID.
      */
      offchainId: string;
      /**
      * @description Seconds during which the previous secret also signs, at most 30 days.
      * @default 86400
      */
      graceSeconds?: number;
    };
    RotatedWebhook: {
      /** @description Id of the webhook whose secret was rotated. */
      rotatedWebhook: {
        /**
        * Format: uuid
        * @description Id of the record in the service, a UUID.
        */
        offchainId: string;
      };
      /** @description Time until which the previous secret remains valid, ISO 8601 in UTC; null: it is not. */
      previousSecretValidUntil: string | null;
      /** @description Shown once; absent in a replay. */
      secret?: string;
    };
    DisableWebhook: {
      /**
      * Format: uuid
      * @description Id of the record in the service, a UUID.
      */
      offchainId: string;
    };
    /** @description The event from which on everything is delivered again; neither: what failed is tried at once. */
    RedeliverWebhook: {
      /**
      * Format: uuid
      * @description Id of the record in the service, a UUID.
      */
      offchainId: string;
      /**
      * Format: uuid
      * @description Id of the first event to deliver again (400 EVENT_NOT_FOUND). Excludes `sequence`.
      */
      eventId?: string;
      /** @description Sequence of the first event to deliver again (400 NOT_DELIVERED_YET). Excludes `eventId`. */
      sequence?: number;
    };
    AuditRow: {
      /** @description Counts the rows of a tenant, from 1, without gaps. */
      sequence: number;
      /**
      * Format: date-time
      * @description Time of the row, ISO 8601 in UTC.
      */
      at: string;
      /** @description Id of the API key that made the request, or `jwt:` and the subject of a token. */
      keyId: string;
      /**
      * @description The endpoint.
      * @example POST /api/v1/accounts
      */
      action: string;
      /**
      * @description DONE: the change was made; REFUSED: the key lacked the right.
      * @enum {string}
      */
      outcome: "DONE" | "REFUSED";
      /** @description The record that the entry is about. */
      resource: {
        /** @description Kind of the record; null in the row of a refusal. */
        kind: string | null;
        /** @description Address or signature of the record; null: none. */
        onchainId: string | null;
        /** @description Id of the record; of an API key its key id, of an organization its external id; null: none. */
        offchainId: string | null;
      };
      /** @description Id of the request. */
      requestId: string;
      /** @description Of a row that stands for repeats of a refusal (same key, endpoint and resource, within a minute of the first): how many. */
      count?: number;
      /** @description 64 zeros before the first row. */
      previousHash: string;
      /** @description SHA-256 (hex) of the RFC 8785 canonical JSON of all other members. */
      hash: string;
    };
    NewOrganization: {
      /** @description External id of the organization, unique in the service. */
      externalId: string;
      /** @description Name of the organization. */
      name: string;
      /** @description External id of the root organization that the new organization belongs to. Absent: a new tenant, which requires the role PLATFORM_ADMIN. */
      parentExternalId?: string;
    };
    Organization: {
      /** @description External id of the organization, unique in the service. */
      externalId: string;
      /** @description Name of the organization. */
      name: string;
      /** @description External id of the root organization; null: the organization is a root. */
      parentExternalId: string | null;
      /** @description Programs that transactions made elsewhere may call. */
      allowedPrograms: string[];
      /** @description Other tenants' accounts that may pay its fees. */
      acceptedFeePayers: string[];
      /** @description Other tenants may ask its keys to sign without a grant. */
      acceptsSigningRequests: boolean;
      /**
      * @description OPEN: any address that is not blocked is paid; ALLOW_LIST: own managed accounts and allowed counterparties only.
      * @enum {string}
      */
      destinationPolicy: "OPEN" | "ALLOW_LIST";
      /** @description Hours after which an allow list of the organization admits an address that was listed or changed, at most 8760. Default 0. */
      coolingOffHours: number;
      /** @description Who approves payments to counterparties in REVIEW. null: one other key with the role DEBIT_LIMIT_APPROVE of the organization or of the root of its tenant. */
      reviewApproval: {
        /** @description Ids of the API keys that may approve. */
        approvers: string[];
        /** @description Number of different keys that have to approve. */
        requiredApproversCount: number;
      } | null;
      /** @description Service that is asked before a key of the organization signs; null: none. */
      screening: components["schemas"]["Screening"] | null;
      /**
      * @description ACTIVE, or FROZEN: no account of the organization signs.
      * @enum {string}
      */
      status: "ACTIVE" | "FROZEN";
      /** @description Ids of the clusters on which the submission lanes of the organization are suspended; of a root: of its tenant. */
      suspendedOnClusters: string[];
    };
    Screening: {
      /** @description URL that the movements are sent to. */
      url: string;
      /** @description Milliseconds to wait for an answer. */
      timeoutMs: number;
      /**
      * @description Without a usable answer: REFUSE the payment, or REVIEW: it waits for approval.
      * @enum {string}
      */
      onUnavailable: "REFUSE" | "REVIEW";
    };
    OrganizationChanges: {
      /** @description External id of the organization, unique in the service. */
      externalId: string;
      /** @description New name of the organization. */
      name?: string;
      /** @description Addresses of further programs that transactions made elsewhere may call. The list replaces the present one; null: none. */
      allowedPrograms?: string[] | null;
      /** @description Accounts of other tenants that may pay fees of this organization; the system tenant's need not be listed. null: none. */
      acceptedFeePayers?: string[] | null;
      /** @description True: other tenants may request signatures of the accounts of this organization without a grant. Default false, which null restores. */
      acceptsSigningRequests?: boolean | null;
      /** @description OPEN: the accounts of the organization pay any address that is not blocked; ALLOW_LIST: own managed accounts and allowed counterparties only, else 403 DESTINATION_NOT_ALLOWED. Default OPEN, which null restores. */
      destinationPolicy?: ("OPEN" | "ALLOW_LIST") | null;
      /** @description Hours after which an allow list of the organization admits an address that was listed or changed, at most 8760. Default 0. null restores it. */
      coolingOffHours?: number | null;
      /** @description Who approves payments to counterparties in REVIEW. null: one other key with the role DEBIT_LIMIT_APPROVE of the organization or of the root of its tenant. */
      reviewApproval?: components["schemas"]["ReviewApproval"] | null;
      /** @description Service that is asked about every movement before a key of the organization signs. null: none. */
      screening?: components["schemas"]["NewScreening"] | null;
    };
    ReviewApproval: {
      /** @description Ids of API keys of the tenant that may approve; they need the role DEBIT_LIMIT_APPROVE. */
      approvers: string[];
      /** @description Number of different keys that have to approve. Default 1. */
      requiredApproversCount?: number;
    };
    NewScreening: {
      /**
      * Format: uri
      * @description URL that the movements are sent to by POST, signed as webhooks are.
      * @example https://screening.example.org/payments
      */
      url: string;
      /**
      * @description Secret of the signatures: `whsec_` and the base64 of 24 to 64 bytes. Never shown. Absent: the stored one.
      * @example whsec_c2hvd24gb25jZSwgc28ga2VlcCBpdCBzb21ld2hlcmU=
      */
      secret?: string;
      /** @description Milliseconds to wait for an answer, 100 to 10000. Default 3000. */
      timeoutMs?: number;
      /**
      * @description Without a usable answer: REFUSE the payment (503), or REVIEW: it waits for approval. Default REFUSE.
      * @enum {string}
      */
      onUnavailable?: "REFUSE" | "REVIEW";
    };
    NewApiKey: {
      /** @description External id of the organization of the key; at or below that of the caller. */
      organizationExternalId: string;
      /** @description Name of the key. */
      name: string;
      /** @description Roles of the key, each of which the caller must have. Exactly one of `roles` and `bundle` is required. */
      roles?: ("ACCOUNTS_READ" | "ACCOUNTS_WRITE" | "INSTRUMENTS_READ" | "INSTRUMENTS_WRITE" | "POSITIONS_READ" | "POSITIONS_WRITE" | "LOANS_READ" | "LOANS_WRITE" | "NONCES_READ" | "NONCES_WRITE" | "LOOKUP_TABLES_READ" | "LOOKUP_TABLES_WRITE" | "MARKET_DATA_READ" | "MARKET_DATA_WRITE" | "TRANSACTIONS_READ" | "TRANSACTIONS_WRITE" | "ACCOUNT_POLICY_WRITE" | "APPROVAL_POLICIES_WRITE" | "PRIVATE_KEY_EXPORT" | "PLATFORM_UPDATE_DEBIT_API_KEYS" | "DEBIT_LIMIT_APPROVE" | "ORGANIZATION_OVERRIDE" | "COUNTERPARTIES_WRITE" | "TENANT_ADMIN" | "PLATFORM_ADMIN" | "AUDIT_READ" | "EVENTS_READ" | "EVENTS_WRITE")[];
      /**
      * @description Named set of roles. OPERATOR: all reads, and all writes but ACCOUNT_POLICY_WRITE, APPROVAL_POLICIES_WRITE and COUNTERPARTIES_WRITE; VIEWER: all reads; ADMIN: every role but PLATFORM_ADMIN. Exactly one of `roles` and `bundle` is required.
      * @enum {string}
      */
      bundle?: "OPERATOR" | "VIEWER" | "ADMIN";
      /**
      * Format: date-time
      * @description Time at which the key expires, ISO 8601. Default: never.
      */
      expiresAt?: string;
      /** @description Ids of the clusters that the key may use. Default: all that the caller may use. */
      clusters?: ("CHAIN_DEVNET" | "CHAIN_DEVNET_1" | "CHAIN_MAINNET_TESTING" | "CHAIN_MAINNET" | "CHAIN_PERMISSIONED")[];
    };
    ApiKey: {
      /** @description Id of the API key: 12 base62 characters; of a token, `jwt:` and its subject. */
      keyId: string;
      /** @description Shown once; absent in a replay. */
      apiKey?: string;
    };
    /** @description Never holds a secret. */
    ApiKeyRecord: {
      /** @description Id of the API key: 12 base62 characters; of a token, `jwt:` and its subject. */
      keyId: string;
      /** @description Name of the key. */
      name: string;
      /** @description External id of the organization of the key. */
      organizationExternalId: string;
      /** @description Roles of the key. */
      roles: string[];
      /** @description None listed: all. */
      clusters: string[];
      /** @description True if disabled. */
      disabled: boolean;
      /** @description Time of expiry, ISO 8601 in UTC; null: never. */
      expiresAt: string | null;
      /** @description Time of the last request, ISO 8601 in UTC; null: none. */
      lastUsedAt: string | null;
      /**
      * Format: date-time
      * @description Time of creation, ISO 8601 in UTC.
      */
      createdAt: string;
      /** @description Id of the API key that created the record, or `jwt:` and the subject of a token. */
      createdBy: string;
      /** @description Time of the last rotation, ISO 8601 in UTC; null: none. */
      rotatedAt: string | null;
      /** @description Time until which the previous secret remains valid, ISO 8601 in UTC; null: it is not. */
      previousSecretValidUntil: string | null;
      /** @description Time until which approvals of the key do not count, because another key rotated it (24 hours), ISO 8601 in UTC; null: they count. */
      approvalsSuspendedUntil: string | null;
    };
    RotateApiKey: {
      /** @description Id of the API key: 12 base62 characters; of a token, `jwt:` and its subject. */
      keyId: string;
      /** @description Seconds during which the previous secret remains valid, at most 30 days. Default 0. */
      graceSeconds?: number;
    };
    DisableApiKey: {
      /** @description Id of the API key: 12 base62 characters; of a token, `jwt:` and its subject. */
      keyId: string;
      /** @description A disabled key is refused at once, so only 0 is accepted. */
      graceSeconds?: number;
    };
    /** @description An organization or an account; neither: everything. */
    FreezeTarget: {
      /** @description External id of the organization to freeze or unfreeze. */
      organizationExternalId?: string;
      /** @description The account to freeze or unfreeze. */
      account?: components["schemas"]["AccountLookup"];
    };
    /** @description An organization, or the account of a fee payer or nonce; neither: the whole cluster. */
    LaneTarget: {
      /** @description External id of the organization whose submission lanes are suspended or resumed; of a root: of the whole tenant. */
      organizationExternalId?: string;
      /** @description Fee payer or nonce account whose submission lane is suspended or resumed. */
      account?: components["schemas"]["AccountLookup"];
    };
    Event: {
      /**
      * Format: uuid
      * @description Identifies the event in every read and delivery.
      */
      id: string;
      /** @description Number of the event in its tenant, from 1, without gaps. */
      sequence: number;
      /**
      * @description Type of the event: kind of record and what happened.
      * @example account.created
      * @example position.updated
      * @example transaction.confirmed
      * @example account.network_activity
      */
      type: string;
      /**
      * Format: date-time
      * @description Time of the change, ISO 8601 in UTC.
      */
      at: string;
      /** @description External id of the organization that the record belongs to. */
      tenantOrganizationId: string;
      /** @description Id of the cluster (a setting of the service). */
      chainClusterId: string;
      /** @description The record that the entry is about. */
      resource: {
        /** @description Kind of the record: the first part of the event type, such as `account`. */
        kind: string;
        /** @description Address of the record, or signature of the transaction; null: none, or not submitted yet. */
        onchainId: string | null;
        /**
        * Format: uuid
        * @description Id of the record in the service, a UUID.
        */
        offchainId: string;
      };
      /** @description The changed members, in the form of the read model of the record. */
      data: {
        [key: string]: unknown;
      };
    };
    /** @description The organization and the rights of the API key. */
    Identity: {
      /** @description Id of the API key: 12 base62 characters; of a token, `jwt:` and its subject. */
      keyId: string;
      /** @description External id of the organization of the key. */
      organizationExternalId: string;
      /** @description The root organization of its tenant. */
      tenantOrganizationId: string;
      /** @description Roles of the key. */
      roles: string[];
      /** @description null: all. */
      clusters: string[] | null;
      /** @description Freezes and suspensions in force that concern the key. */
      switches?: components["schemas"]["SwitchesInForce"];
    };
    SwitchesInForce: {
      /** @description True if everything is frozen: no account of any tenant signs. */
      everythingFrozen: boolean;
      /** @description True if the root organization of the tenant is frozen: no account of the tenant signs. */
      tenantFrozen: boolean;
      /** @description True if the organization of the key is frozen. */
      organizationFrozen: boolean;
      /** @description Ids of the clusters on which all submission lanes are suspended. */
      suspendedClusters: string[];
      /** @description Ids of the clusters on which the submission lanes of the tenant are suspended. */
      tenantSuspendedOn: string[];
      /** @description Ids of the clusters on which the submission lanes of the organization are suspended. */
      organizationSuspendedOn: string[];
    };
    /** @description An answer of a custodian to a request for a signature. */
    RemoteSignerAnswer: {
      /** @description Code of the custodian in HOLDFAST_SIGNERS. */
      signer: string;
      /** @description Id of the request that is answered. */
      id: string;
      /**
      * @description REFUSED: the custodian has not signed the message and never will.
      * @enum {string}
      */
      status: "SIGNED" | "REFUSED";
      /** @description Base58 of 64 bytes; required with SIGNED. */
      signature?: string;
      /** @description Why it was refused, for the history of the transaction. */
      reason?: string;
    };
    /** @description Whether a transaction waited for the answer. */
    RemoteSignerAnswered: {
      /** @description Id of the request that was answered. */
      id: string;
      /** @description False: no transaction waits for the answer; it is too late, or repeated. */
      used: boolean;
    };
    Problem: {
      /** @description URI of the kind of problem (RFC 9457): the address of the code in the documentation, or a registered type. */
      type: string;
      /** @description Reason phrase of the HTTP status. */
      title: string;
      /** @description The HTTP status. */
      status: number;
      /** @description The first problem in one sentence, and the number of further ones. */
      detail?: string;
      /**
      * Format: uuid
      * @description Id of the request: `x-request-id` of the request, or the id generated for it.
      */
      requestId: string;
      /** @description All problems of the request. The problems of a body are reported together. */
      errors: {
        /** @description Stable. */
        code: string;
        /** @description What is wrong, for a person. The text may change; `code` does not. */
        message: string;
        /** @description JSON Pointer into the request body. */
        pointer?: string;
        /** @description True only if nothing was signed or sent. */
        retryable: boolean;
        /** @description The debit limits that are exceeded. */
        entries?: components["schemas"]["DebitLimitVerdict"][];
      }[];
      /** @description Of a 429: the exceeded policies of the header `RateLimit-Policy`. */
      "violated-policies"?: string[];
    };
    DeliveredEvent: {
      /**
      * Format: uuid
      * @description Identifies the event in every read and delivery.
      */
      id: string;
      /** @description Number of the event in its tenant, from 1, without gaps. */
      sequence: number;
      /**
      * @description Type of the event: kind of record and what happened.
      * @example account.created
      * @example position.updated
      * @example transaction.confirmed
      * @example account.network_activity
      */
      type: string;
      /**
      * Format: date-time
      * @description Time of the change, ISO 8601 in UTC.
      */
      at: string;
      /** @description External id of the organization that the record belongs to. */
      tenantOrganizationId: string;
      /** @description Id of the cluster (a setting of the service). */
      chainClusterId: string;
      /** @description The record that the entry is about. */
      resource: {
        /** @description Kind of the record: the first part of the event type, such as `account`. */
        kind: string;
        /** @description Address of the record, or signature of the transaction; null: none, or not submitted yet. */
        onchainId: string | null;
        /**
        * Format: uuid
        * @description Id of the record in the service, a UUID.
        */
        offchainId: string;
      };
      /** @description The changed members, in the form of the read model of the record. */
      data: {
        [key: string]: unknown;
      };
      /**
      * Format: date-time
      * @description Time of the event, the same in every attempt.
      */
      timestamp: string;
    };
  };
  responses: never;
  parameters: {
    /** @description The cluster; the default cluster if absent. */
    chainClusterId: string;
    /** @description A UUID, returned in the response; generated if absent. */
    xRequestId: string;
    /** @description A request with the same key and body is executed once; later ones return its result. */
    idempotencyKey: string;
    /** @description respond-async: respond once the transaction is signed and durable. wait=N: wait N seconds at most. */
    prefer: string;
    /** @description true: respond with 200 and the expected result, and change nothing. 200 does not mean that the request would be accepted: the result has the verdict of each debit limit in `limits`. */
    dryRun: "true" | "false";
  };
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  postAccounts: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
        /** @description respond-async: respond once the transaction is signed and durable. wait=N: wait N seconds at most. */
        Prefer?: components["parameters"]["prefer"];
        /** @description true: respond with 200 and the expected result, and change nothing. 200 does not mean that the request would be accepted: the result has the verdict of each debit limit in `limits`. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["CreateAccount"];
          /** @description How the transaction is built: fee payer, compute budget, lifetime, version, and the commitment to wait for. Every member has a default. */
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description The expected result: fee, size, accounts, signers, the verdicts of limits and the simulation */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DryRun"];
        };
      };
      /** @description Success; `status` states whether the transaction is final */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Ids of the created account. */
            newAccount: components["schemas"]["Ids"];
            /** @description The last transaction of the operation. Absent if the operation needed no transaction. */
            chainTransaction?: components["schemas"]["ChainTransactionResult"];
          };
        };
      };
    };
  };
  patchAccounts: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["AccountChanges"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Ids of the changed account. */
            updatedAccount: components["schemas"]["Ids"];
          };
        };
      };
      /** @description Approval policies cover the request: it waits for approvals as a pending change */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["HeldBack"];
        };
      };
    };
  };
  patchAccountsInactivate: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
        /** @description respond-async: respond once the transaction is signed and durable. wait=N: wait N seconds at most. */
        Prefer?: components["parameters"]["prefer"];
        /** @description true: respond with 200 and the expected result, and change nothing. 200 does not mean that the request would be accepted: the result has the verdict of each debit limit in `limits`. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["InactivateAccount"];
          /** @description How the transaction is built: fee payer, compute budget, lifetime, version, and the commitment to wait for. Every member has a default. */
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Ids of the inactivated account. */
            inactivatedAccount: components["schemas"]["Ids"];
            /** @description The last transaction of the operation. Absent if the operation needed no transaction. */
            chainTransaction?: components["schemas"]["ChainTransactionResult"];
          } | components["schemas"]["DryRun"];
        };
      };
    };
  };
  postAccountsDiscover: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
        /** @description respond-async: respond once the transaction is signed and durable. wait=N: wait N seconds at most. */
        Prefer?: components["parameters"]["prefer"];
        /** @description true: respond with 200 and the expected result, and change nothing. 200 does not mean that the request would be accepted: the result has the verdict of each debit limit in `limits`. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["Discovery"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description What was found and recorded. */
            discovered: components["schemas"]["Discovered"];
          } | components["schemas"]["DiscoveryDryRun"];
        };
      };
    };
  };
  postAccountsSingle: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["AccountLookup"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Account"];
        };
      };
    };
  };
  postAccountsSingleBalance: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["AccountLookup"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Balance"];
        };
      };
    };
  };
  postAccountsBulkDetailLevel: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path: {
        "detail-level": "detailed" | "compact" | "identifiers";
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Filter, order and page of the records. Default: all records in the default order, the first 100. */
          itemQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of managed, type, code, alId, accountNumber, externalOrganizationId, offchainReferenceName, status, privateKeyLocation, comments, tenantOrganizationId, orgsIsGlobalFeePayerFor, orgsAllowedToSignWithPrivateKey, solDebitApiKeys, tokenDebitApiKeys, lastTransactionAt, creationTransactionAt, wasAlreadyOnchain, canPayFees, sharedAccrossTenants, lamportsBalance.
              * @example managed
              * @example type
              * @example code
              * @example alId
              * @example accountNumber
              * @example externalOrganizationId
              * @example offchainReferenceName
              * @example status
              * @example privateKeyLocation
              * @example comments
              * @example tenantOrganizationId
              * @example orgsIsGlobalFeePayerFor
              * @example orgsAllowedToSignWithPrivateKey
              * @example solDebitApiKeys
              * @example tokenDebitApiKeys
              * @example lastTransactionAt
              * @example creationTransactionAt
              * @example wasAlreadyOnchain
              * @example canPayFees
              * @example sharedAccrossTenants
              * @example lamportsBalance
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of managed, type, code, alId, accountNumber, externalOrganizationId, offchainReferenceName, status, privateKeyLocation, comments, tenantOrganizationId, orgsIsGlobalFeePayerFor, orgsAllowedToSignWithPrivateKey, solDebitApiKeys, tokenDebitApiKeys, lastTransactionAt, creationTransactionAt, wasAlreadyOnchain, canPayFees, sharedAccrossTenants, lamportsBalance.
              * @example managed
              * @example type
              * @example code
              * @example alId
              * @example accountNumber
              * @example externalOrganizationId
              * @example offchainReferenceName
              * @example status
              * @example privateKeyLocation
              * @example comments
              * @example tenantOrganizationId
              * @example orgsIsGlobalFeePayerFor
              * @example orgsAllowedToSignWithPrivateKey
              * @example solDebitApiKeys
              * @example tokenDebitApiKeys
              * @example lastTransactionAt
              * @example creationTransactionAt
              * @example wasAlreadyOnchain
              * @example canPayFees
              * @example sharedAccrossTenants
              * @example lamportsBalance
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of managed, type, code, alId, accountNumber, externalOrganizationId, offchainReferenceName, status, privateKeyLocation, comments, tenantOrganizationId, orgsIsGlobalFeePayerFor, orgsAllowedToSignWithPrivateKey, solDebitApiKeys, tokenDebitApiKeys, lastTransactionAt, creationTransactionAt, wasAlreadyOnchain, canPayFees, sharedAccrossTenants, lamportsBalance.
              * @example managed
              * @example type
              * @example code
              * @example alId
              * @example accountNumber
              * @example externalOrganizationId
              * @example offchainReferenceName
              * @example status
              * @example privateKeyLocation
              * @example comments
              * @example tenantOrganizationId
              * @example orgsIsGlobalFeePayerFor
              * @example orgsAllowedToSignWithPrivateKey
              * @example solDebitApiKeys
              * @example tokenDebitApiKeys
              * @example lastTransactionAt
              * @example creationTransactionAt
              * @example wasAlreadyOnchain
              * @example canPayFees
              * @example sharedAccrossTenants
              * @example lamportsBalance
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of managed, type, code, alId, accountNumber, externalOrganizationId, offchainReferenceName, status, privateKeyLocation, comments, tenantOrganizationId, orgsIsGlobalFeePayerFor, orgsAllowedToSignWithPrivateKey, solDebitApiKeys, tokenDebitApiKeys, lastTransactionAt, creationTransactionAt, wasAlreadyOnchain, canPayFees, sharedAccrossTenants, lamportsBalance.
              * @example managed
              * @example type
              * @example code
              * @example alId
              * @example accountNumber
              * @example externalOrganizationId
              * @example offchainReferenceName
              * @example status
              * @example privateKeyLocation
              * @example comments
              * @example tenantOrganizationId
              * @example orgsIsGlobalFeePayerFor
              * @example orgsAllowedToSignWithPrivateKey
              * @example solDebitApiKeys
              * @example tokenDebitApiKeys
              * @example lastTransactionAt
              * @example creationTransactionAt
              * @example wasAlreadyOnchain
              * @example canPayFees
              * @example sharedAccrossTenants
              * @example lamportsBalance
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Number of records that match the filter, before `skip` and `limit`. */
            count: number;
            /** @description The records of this page, in the requested order. */
            items: (components["schemas"]["Account"] | components["schemas"]["AccountCompact"] | components["schemas"]["AccountIdentifiers"])[];
          };
        };
      };
    };
  };
  postAccountsSinglePrivateKey: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["PrivateKeyLookup"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description The exported key. */
            privateKeyDetails: {
              /** @description Where the private key is stored: DATABASE, SECRETS, DKG or REMOTE. */
              location: string[];
              /** @description Public key, which is the address of the account: base58 of 32 bytes. */
              publickKey: string;
              /** @description Base58. */
              privateKey?: string;
              /** @description Compact JWE, with encryptTo. */
              privateKeyJwe?: string;
            } & {
              [key: string]: unknown;
            };
          };
        };
      };
    };
  };
  postFinancialInstruments: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
        /** @description respond-async: respond once the transaction is signed and durable. wait=N: wait N seconds at most. */
        Prefer?: components["parameters"]["prefer"];
        /** @description true: respond with 200 and the expected result, and change nothing. 200 does not mean that the request would be accepted: the result has the verdict of each debit limit in `limits`. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["NewFinancialInstrument"];
          /** @description How the transaction is built: fee payer, compute budget, lifetime, version, and the commitment to wait for. Every member has a default. */
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description The expected result: fee, size, accounts, signers, the verdicts of limits and the simulation */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DryRun"];
        };
      };
      /** @description Success; `status` states whether the transaction is final */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Ids of the created instrument. */
            newFinancialInstrument: {
              /** @description Address on chain: base58 of 32 bytes. */
              onchainId: string;
              /**
              * Format: uuid
              * @description Id of the record in the service, a UUID.
              */
              offchainId: string;
              /** @description Additional identifier that the client gave the instrument. Absent: none. */
              alId?: string;
            };
            /** @description The last transaction of the operation. Absent if the operation needed no transaction. */
            chainTransaction?: components["schemas"]["ChainTransactionResult"];
          };
        };
      };
    };
  };
  patchFinancialInstruments: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
        /** @description respond-async: respond once the transaction is signed and durable. wait=N: wait N seconds at most. */
        Prefer?: components["parameters"]["prefer"];
        /** @description true: respond with 200 and the expected result, and change nothing. 200 does not mean that the request would be accepted: the result has the verdict of each debit limit in `limits`. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["FinancialInstrumentChanges"];
          /** @description How the transaction is built: fee payer, compute budget, lifetime, version, and the commitment to wait for. Every member has a default. */
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Ids of the changed instrument. */
            updatedFinancialInstrument: components["schemas"]["Ids"];
            /** @description The last transaction of the operation. Absent if the operation needed no transaction. */
            chainTransaction?: components["schemas"]["ChainTransactionResult"];
            /** @description All transactions of the operation that exist so far, in order. */
            chainTransactions?: components["schemas"]["ChainTransactionResult"][];
            /** @description Progress of an operation that needs several transactions. Absent if one transaction is enough. */
            chainPlan?: components["schemas"]["ChainPlan"];
          } | components["schemas"]["DryRun"];
        };
      };
      /** @description Approval policies cover the request: it waits for approvals as a pending change */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["HeldBack"];
        };
      };
    };
  };
  patchFinancialInstrumentsAuthorities: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
        /** @description respond-async: respond once the transaction is signed and durable. wait=N: wait N seconds at most. */
        Prefer?: components["parameters"]["prefer"];
        /** @description true: respond with 200 and the expected result, and change nothing. 200 does not mean that the request would be accepted: the result has the verdict of each debit limit in `limits`. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["FinancialInstrumentAuthorities"];
          /** @description How the transaction is built: fee payer, compute budget, lifetime, version, and the commitment to wait for. Every member has a default. */
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Ids of the changed instrument. */
            updatedFinancialInstrument: components["schemas"]["Ids"];
            /** @description The last transaction of the operation. Absent if the operation needed no transaction. */
            chainTransaction?: components["schemas"]["ChainTransactionResult"];
          } | components["schemas"]["DryRun"];
        };
      };
    };
  };
  patchFinancialInstrumentsPause: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
        /** @description respond-async: respond once the transaction is signed and durable. wait=N: wait N seconds at most. */
        Prefer?: components["parameters"]["prefer"];
        /** @description true: respond with 200 and the expected result, and change nothing. 200 does not mean that the request would be accepted: the result has the verdict of each debit limit in `limits`. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["SwitchFinancialInstrument"];
          /** @description How the transaction is built: fee payer, compute budget, lifetime, version, and the commitment to wait for. Every member has a default. */
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ChainTransactionResult"] | components["schemas"]["DryRun"];
        };
      };
    };
  };
  patchFinancialInstrumentsUnpause: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
        /** @description respond-async: respond once the transaction is signed and durable. wait=N: wait N seconds at most. */
        Prefer?: components["parameters"]["prefer"];
        /** @description true: respond with 200 and the expected result, and change nothing. 200 does not mean that the request would be accepted: the result has the verdict of each debit limit in `limits`. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["SwitchFinancialInstrument"];
          /** @description How the transaction is built: fee payer, compute budget, lifetime, version, and the commitment to wait for. Every member has a default. */
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ChainTransactionResult"] | components["schemas"]["DryRun"];
        };
      };
    };
  };
  patchFinancialInstrumentsClose: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
        /** @description respond-async: respond once the transaction is signed and durable. wait=N: wait N seconds at most. */
        Prefer?: components["parameters"]["prefer"];
        /** @description true: respond with 200 and the expected result, and change nothing. 200 does not mean that the request would be accepted: the result has the verdict of each debit limit in `limits`. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["CloseFinancialInstrument"];
          /** @description How the transaction is built: fee payer, compute budget, lifetime, version, and the commitment to wait for. Every member has a default. */
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Ids of the closed instrument. */
            closedFinancialInstrument: components["schemas"]["Ids"];
            /** @description The last transaction of the operation. Absent if the operation needed no transaction. */
            chainTransaction?: components["schemas"]["ChainTransactionResult"];
          } | components["schemas"]["DryRun"];
        };
      };
    };
  };
  postFinancialInstrumentsSingleCirculatingSupply: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["CirculatingSupplyLookup"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Supply that the chain reports now. */
            onchainCirculatingSupply: components["schemas"]["AmountPair"];
            /** @description By the books. */
            offchainCirculatingSupply: components["schemas"]["AmountPair"];
            /** @description True if the books and the chain differ; reconciliation then reads the account from the chain. */
            outOfBalance: boolean;
          };
        };
      };
    };
  };
  postFinancialInstrumentsHoldersBulk: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: {
            /** @description The financial instrument. */
            financialInstrument: components["schemas"]["AccountLookup"];
            /**
            * Format: date-time
            * @description The instant, ISO 8601. Absent: now. In the future: 400 IN_FUTURE. Before the history of balances of a store that an earlier release wrote: 400 BEFORE_HISTORY.
            */
            asOf?: string;
          };
          /** @description Filter, order and page of the records. Default: all records in the default order, the first 100. */
          itemQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of ownerOnchainId, ownerOffchainId, tokenBalance, positionsCount.
              * @example ownerOnchainId
              * @example ownerOffchainId
              * @example tokenBalance
              * @example positionsCount
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of ownerOnchainId, ownerOffchainId, tokenBalance, positionsCount.
              * @example ownerOnchainId
              * @example ownerOffchainId
              * @example tokenBalance
              * @example positionsCount
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of ownerOnchainId, ownerOffchainId, tokenBalance, positionsCount.
              * @example ownerOnchainId
              * @example ownerOffchainId
              * @example tokenBalance
              * @example positionsCount
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of ownerOnchainId, ownerOffchainId, tokenBalance, positionsCount.
              * @example ownerOnchainId
              * @example ownerOffchainId
              * @example tokenBalance
              * @example positionsCount
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Holders"];
        };
      };
    };
  };
  postFinancialInstrumentsSingle: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["AccountLookup"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["FinancialInstrument"];
        };
      };
    };
  };
  postFinancialInstrumentsTokenExtensionsCalculator: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Extensions to compute the size for. Default: none. CONFIDENTIAL_MINT_BURN alone: 400 EXTENSION_CONFLICT. */
          extensions?: ("PERMANENT_DELEGATE" | "MINT_CLOSE" | "DEFAULT_ACCOUNT_STATE" | "SCALED_UI_AMOUNT" | "PAUSABLE" | "TRANSFER_HOOK" | "CONFIDENTIAL_TRANSFER" | "CONFIDENTIAL_MINT_BURN" | "METADATA_POINTER" | "TOKEN_METADATA")[];
          /** @description Implies METADATA_POINTER and TOKEN_METADATA. Members of any other name are keys of the metadata. */
          metadata?: {
            /** @description Name of the token. */
            name?: string;
            /** @description Symbol of the token. */
            symbol?: string;
            /** @description URI of further metadata. */
            uri?: string;
            /** @description Additional metadata: text by key. */
            additionalMetadata?: {
              [key: string]: string;
            };
            /** @description The same as `additionalMetadata`. A key with two different values: 400 MUTUALLY_EXCLUSIVE. */
            simpleCustomMetadata?: {
              [key: string]: string;
            };
          } & {
            [key: string]: string;
          };
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Bytes to allocate: the dataLength of an existingMintAccount. */
            mintAccountSize: number;
            /** @description Bytes once the metadata is in. */
            mintAccountSizeWithMetadata: number;
            /** @description Display units; the rent of the size with metadata. A decimal string. */
            estimatedRentAmount: string;
            /** @description Rent of the size with metadata, in lamports. A decimal string. */
            estimatedRentLamports: string;
          };
        };
      };
    };
  };
  postFinancialInstrumentsBulkDetailLevel: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path: {
        "detail-level": "detailed" | "compact" | "identifiers";
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Filter, order and page of the records. Default: all records in the default order, the first 100. */
          itemQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of managed, alId, offchainReferenceName, comments, tenantOrganizationId, lastTransactionAt, creationTransactionAt, wasAlreadyOnchain, sharedAccrossTenants, version, defaultPositionState, paused, mintAuthorityOnchainId, mintAuthorityOffchainId, updateAuthorityOnchainId, udpateAuthorityOffchainId, freezeAuthorityOnchainId, freezeAuthorityOffchainId, permanentDelegateAuthorityOnchainId, permanentDelegateAuthorityOffchainId, closingAuthorityOnchainId, closingAuthorityOffchainId, pausableAuthorityOnchainId, pausableAuthorityOffchainId, scaledUiAmountAuthorityOnchainId, scaledUiAmountAuthorityOffchainId, transferHookProgramOnchainId, transferHookProgramOffchainId, transferHookAuthorityOnchainId, transferHookAuthorityOffchainId, confidentialTransferAuthorityOnchainId, confidentialTransferAuthorityOffchainId, confidentialMintBurnAuthorityOnchainId, confidentialMintBurnAuthorityOffchainId, metadataPointerAuthorityOnchainId, metadataPointerAuthorityOffchainId.
              * @example managed
              * @example alId
              * @example offchainReferenceName
              * @example comments
              * @example tenantOrganizationId
              * @example lastTransactionAt
              * @example creationTransactionAt
              * @example wasAlreadyOnchain
              * @example sharedAccrossTenants
              * @example version
              * @example defaultPositionState
              * @example paused
              * @example mintAuthorityOnchainId
              * @example mintAuthorityOffchainId
              * @example updateAuthorityOnchainId
              * @example udpateAuthorityOffchainId
              * @example freezeAuthorityOnchainId
              * @example freezeAuthorityOffchainId
              * @example permanentDelegateAuthorityOnchainId
              * @example permanentDelegateAuthorityOffchainId
              * @example closingAuthorityOnchainId
              * @example closingAuthorityOffchainId
              * @example pausableAuthorityOnchainId
              * @example pausableAuthorityOffchainId
              * @example scaledUiAmountAuthorityOnchainId
              * @example scaledUiAmountAuthorityOffchainId
              * @example transferHookProgramOnchainId
              * @example transferHookProgramOffchainId
              * @example transferHookAuthorityOnchainId
              * @example transferHookAuthorityOffchainId
              * @example confidentialTransferAuthorityOnchainId
              * @example confidentialTransferAuthorityOffchainId
              * @example confidentialMintBurnAuthorityOnchainId
              * @example confidentialMintBurnAuthorityOffchainId
              * @example metadataPointerAuthorityOnchainId
              * @example metadataPointerAuthorityOffchainId
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of managed, alId, offchainReferenceName, comments, tenantOrganizationId, lastTransactionAt, creationTransactionAt, wasAlreadyOnchain, sharedAccrossTenants, version, defaultPositionState, paused, mintAuthorityOnchainId, mintAuthorityOffchainId, updateAuthorityOnchainId, udpateAuthorityOffchainId, freezeAuthorityOnchainId, freezeAuthorityOffchainId, permanentDelegateAuthorityOnchainId, permanentDelegateAuthorityOffchainId, closingAuthorityOnchainId, closingAuthorityOffchainId, pausableAuthorityOnchainId, pausableAuthorityOffchainId, scaledUiAmountAuthorityOnchainId, scaledUiAmountAuthorityOffchainId, transferHookProgramOnchainId, transferHookProgramOffchainId, transferHookAuthorityOnchainId, transferHookAuthorityOffchainId, confidentialTransferAuthorityOnchainId, confidentialTransferAuthorityOffchainId, confidentialMintBurnAuthorityOnchainId, confidentialMintBurnAuthorityOffchainId, metadataPointerAuthorityOnchainId, metadataPointerAuthorityOffchainId.
              * @example managed
              * @example alId
              * @example offchainReferenceName
              * @example comments
              * @example tenantOrganizationId
              * @example lastTransactionAt
              * @example creationTransactionAt
              * @example wasAlreadyOnchain
              * @example sharedAccrossTenants
              * @example version
              * @example defaultPositionState
              * @example paused
              * @example mintAuthorityOnchainId
              * @example mintAuthorityOffchainId
              * @example updateAuthorityOnchainId
              * @example udpateAuthorityOffchainId
              * @example freezeAuthorityOnchainId
              * @example freezeAuthorityOffchainId
              * @example permanentDelegateAuthorityOnchainId
              * @example permanentDelegateAuthorityOffchainId
              * @example closingAuthorityOnchainId
              * @example closingAuthorityOffchainId
              * @example pausableAuthorityOnchainId
              * @example pausableAuthorityOffchainId
              * @example scaledUiAmountAuthorityOnchainId
              * @example scaledUiAmountAuthorityOffchainId
              * @example transferHookProgramOnchainId
              * @example transferHookProgramOffchainId
              * @example transferHookAuthorityOnchainId
              * @example transferHookAuthorityOffchainId
              * @example confidentialTransferAuthorityOnchainId
              * @example confidentialTransferAuthorityOffchainId
              * @example confidentialMintBurnAuthorityOnchainId
              * @example confidentialMintBurnAuthorityOffchainId
              * @example metadataPointerAuthorityOnchainId
              * @example metadataPointerAuthorityOffchainId
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of managed, alId, offchainReferenceName, comments, tenantOrganizationId, lastTransactionAt, creationTransactionAt, wasAlreadyOnchain, sharedAccrossTenants, version, defaultPositionState, paused, mintAuthorityOnchainId, mintAuthorityOffchainId, updateAuthorityOnchainId, udpateAuthorityOffchainId, freezeAuthorityOnchainId, freezeAuthorityOffchainId, permanentDelegateAuthorityOnchainId, permanentDelegateAuthorityOffchainId, closingAuthorityOnchainId, closingAuthorityOffchainId, pausableAuthorityOnchainId, pausableAuthorityOffchainId, scaledUiAmountAuthorityOnchainId, scaledUiAmountAuthorityOffchainId, transferHookProgramOnchainId, transferHookProgramOffchainId, transferHookAuthorityOnchainId, transferHookAuthorityOffchainId, confidentialTransferAuthorityOnchainId, confidentialTransferAuthorityOffchainId, confidentialMintBurnAuthorityOnchainId, confidentialMintBurnAuthorityOffchainId, metadataPointerAuthorityOnchainId, metadataPointerAuthorityOffchainId.
              * @example managed
              * @example alId
              * @example offchainReferenceName
              * @example comments
              * @example tenantOrganizationId
              * @example lastTransactionAt
              * @example creationTransactionAt
              * @example wasAlreadyOnchain
              * @example sharedAccrossTenants
              * @example version
              * @example defaultPositionState
              * @example paused
              * @example mintAuthorityOnchainId
              * @example mintAuthorityOffchainId
              * @example updateAuthorityOnchainId
              * @example udpateAuthorityOffchainId
              * @example freezeAuthorityOnchainId
              * @example freezeAuthorityOffchainId
              * @example permanentDelegateAuthorityOnchainId
              * @example permanentDelegateAuthorityOffchainId
              * @example closingAuthorityOnchainId
              * @example closingAuthorityOffchainId
              * @example pausableAuthorityOnchainId
              * @example pausableAuthorityOffchainId
              * @example scaledUiAmountAuthorityOnchainId
              * @example scaledUiAmountAuthorityOffchainId
              * @example transferHookProgramOnchainId
              * @example transferHookProgramOffchainId
              * @example transferHookAuthorityOnchainId
              * @example transferHookAuthorityOffchainId
              * @example confidentialTransferAuthorityOnchainId
              * @example confidentialTransferAuthorityOffchainId
              * @example confidentialMintBurnAuthorityOnchainId
              * @example confidentialMintBurnAuthorityOffchainId
              * @example metadataPointerAuthorityOnchainId
              * @example metadataPointerAuthorityOffchainId
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of managed, alId, offchainReferenceName, comments, tenantOrganizationId, lastTransactionAt, creationTransactionAt, wasAlreadyOnchain, sharedAccrossTenants, version, defaultPositionState, paused, mintAuthorityOnchainId, mintAuthorityOffchainId, updateAuthorityOnchainId, udpateAuthorityOffchainId, freezeAuthorityOnchainId, freezeAuthorityOffchainId, permanentDelegateAuthorityOnchainId, permanentDelegateAuthorityOffchainId, closingAuthorityOnchainId, closingAuthorityOffchainId, pausableAuthorityOnchainId, pausableAuthorityOffchainId, scaledUiAmountAuthorityOnchainId, scaledUiAmountAuthorityOffchainId, transferHookProgramOnchainId, transferHookProgramOffchainId, transferHookAuthorityOnchainId, transferHookAuthorityOffchainId, confidentialTransferAuthorityOnchainId, confidentialTransferAuthorityOffchainId, confidentialMintBurnAuthorityOnchainId, confidentialMintBurnAuthorityOffchainId, metadataPointerAuthorityOnchainId, metadataPointerAuthorityOffchainId.
              * @example managed
              * @example alId
              * @example offchainReferenceName
              * @example comments
              * @example tenantOrganizationId
              * @example lastTransactionAt
              * @example creationTransactionAt
              * @example wasAlreadyOnchain
              * @example sharedAccrossTenants
              * @example version
              * @example defaultPositionState
              * @example paused
              * @example mintAuthorityOnchainId
              * @example mintAuthorityOffchainId
              * @example updateAuthorityOnchainId
              * @example udpateAuthorityOffchainId
              * @example freezeAuthorityOnchainId
              * @example freezeAuthorityOffchainId
              * @example permanentDelegateAuthorityOnchainId
              * @example permanentDelegateAuthorityOffchainId
              * @example closingAuthorityOnchainId
              * @example closingAuthorityOffchainId
              * @example pausableAuthorityOnchainId
              * @example pausableAuthorityOffchainId
              * @example scaledUiAmountAuthorityOnchainId
              * @example scaledUiAmountAuthorityOffchainId
              * @example transferHookProgramOnchainId
              * @example transferHookProgramOffchainId
              * @example transferHookAuthorityOnchainId
              * @example transferHookAuthorityOffchainId
              * @example confidentialTransferAuthorityOnchainId
              * @example confidentialTransferAuthorityOffchainId
              * @example confidentialMintBurnAuthorityOnchainId
              * @example confidentialMintBurnAuthorityOffchainId
              * @example metadataPointerAuthorityOnchainId
              * @example metadataPointerAuthorityOffchainId
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Number of records that match the filter, before `skip` and `limit`. */
            count: number;
            /** @description The records of this page, in the requested order. */
            items: (components["schemas"]["FinancialInstrument"] | components["schemas"]["FinancialInstrumentCompact"] | components["schemas"]["FinancialInstrumentIdentifiers"])[];
          };
        };
      };
    };
  };
  postPositions: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
        /** @description respond-async: respond once the transaction is signed and durable. wait=N: wait N seconds at most. */
        Prefer?: components["parameters"]["prefer"];
        /** @description true: respond with 200 and the expected result, and change nothing. 200 does not mean that the request would be accepted: the result has the verdict of each debit limit in `limits`. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["NewPosition"];
          /** @description How the transaction is built: fee payer, compute budget, lifetime, version, and the commitment to wait for. Every member has a default. */
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description The expected result: fee, size, accounts, signers, the verdicts of limits and the simulation */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DryRun"];
        };
      };
      /** @description Success; `status` states whether the transaction is final */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Ids of the created position. */
            newPosition: components["schemas"]["Ids"];
            /** @description The last transaction of the operation. Absent if the operation needed no transaction. */
            chainTransaction?: components["schemas"]["ChainTransactionResult"];
          };
        };
      };
    };
  };
  patchPositions: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["PositionChanges"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Ids of the changed position. */
            updatedPosition: components["schemas"]["Ids"];
          };
        };
      };
      /** @description Approval policies cover the request: it waits for approvals as a pending change */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["HeldBack"];
        };
      };
    };
  };
  patchPositionsFreeze: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
        /** @description respond-async: respond once the transaction is signed and durable. wait=N: wait N seconds at most. */
        Prefer?: components["parameters"]["prefer"];
        /** @description true: respond with 200 and the expected result, and change nothing. 200 does not mean that the request would be accepted: the result has the verdict of each debit limit in `limits`. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["SwitchPosition"];
          /** @description How the transaction is built: fee payer, compute budget, lifetime, version, and the commitment to wait for. Every member has a default. */
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ChainTransactionResult"] | components["schemas"]["DryRun"];
        };
      };
    };
  };
  patchPositionsUnfreeze: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
        /** @description respond-async: respond once the transaction is signed and durable. wait=N: wait N seconds at most. */
        Prefer?: components["parameters"]["prefer"];
        /** @description true: respond with 200 and the expected result, and change nothing. 200 does not mean that the request would be accepted: the result has the verdict of each debit limit in `limits`. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["SwitchPosition"];
          /** @description How the transaction is built: fee payer, compute budget, lifetime, version, and the commitment to wait for. Every member has a default. */
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ChainTransactionResult"] | components["schemas"]["DryRun"];
        };
      };
    };
  };
  postPositionsMint: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
        /** @description respond-async: respond once the transaction is signed and durable. wait=N: wait N seconds at most. */
        Prefer?: components["parameters"]["prefer"];
        /** @description true: respond with 200 and the expected result, and change nothing. 200 does not mean that the request would be accepted: the result has the verdict of each debit limit in `limits`. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["Mint"];
          /** @description How the transaction is built: fee payer, compute budget, lifetime, version, and the commitment to wait for. Every member has a default. */
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description The expected result: fee, size, accounts, signers, the verdicts of limits and the simulation */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DryRun"];
        };
      };
      /** @description Success; `status` states whether the transaction is final */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ChainTransactionResult"];
        };
      };
    };
  };
  postPositionsBurn: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
        /** @description respond-async: respond once the transaction is signed and durable. wait=N: wait N seconds at most. */
        Prefer?: components["parameters"]["prefer"];
        /** @description true: respond with 200 and the expected result, and change nothing. 200 does not mean that the request would be accepted: the result has the verdict of each debit limit in `limits`. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["Burn"];
          /** @description How the transaction is built: fee payer, compute budget, lifetime, version, and the commitment to wait for. Every member has a default. */
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description The expected result: fee, size, accounts, signers, the verdicts of limits and the simulation */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DryRun"];
        };
      };
      /** @description Success; `status` states whether the transaction is final */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ChainTransactionResult"];
        };
      };
    };
  };
  postPositionsTransfer: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
        /** @description respond-async: respond once the transaction is signed and durable. wait=N: wait N seconds at most. */
        Prefer?: components["parameters"]["prefer"];
        /** @description true: respond with 200 and the expected result, and change nothing. 200 does not mean that the request would be accepted: the result has the verdict of each debit limit in `limits`. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["Transfer"];
          /** @description How the transaction is built: fee payer, compute budget, lifetime, version, and the commitment to wait for. Every member has a default. */
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description The expected result: fee, size, accounts, signers, the verdicts of limits and the simulation */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DryRun"];
        };
      };
      /** @description Success; `status` states whether the transaction is final */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ChainTransactionResult"];
        };
      };
    };
  };
  postPositionsTransferNetworkCurrency: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
        /** @description respond-async: respond once the transaction is signed and durable. wait=N: wait N seconds at most. */
        Prefer?: components["parameters"]["prefer"];
        /** @description true: respond with 200 and the expected result, and change nothing. 200 does not mean that the request would be accepted: the result has the verdict of each debit limit in `limits`. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["TransferNetworkCurrency"];
          /** @description How the transaction is built: fee payer, compute budget, lifetime, version, and the commitment to wait for. Every member has a default. */
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description The expected result: fee, size, accounts, signers, the verdicts of limits and the simulation */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DryRun"];
        };
      };
      /** @description Success; `status` states whether the transaction is final */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ChainTransactionResult"];
        };
      };
    };
  };
  postPositionsTrade: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
        /** @description respond-async: respond once the transaction is signed and durable. wait=N: wait N seconds at most. */
        Prefer?: components["parameters"]["prefer"];
        /** @description true: respond with 200 and the expected result, and change nothing. 200 does not mean that the request would be accepted: the result has the verdict of each debit limit in `limits`. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["Trade"];
          /** @description How the transaction is built: fee payer, compute budget, lifetime, version, and the commitment to wait for. Every member has a default. */
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description The expected result: fee, size, accounts, signers, the verdicts of limits and the simulation */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DryRun"];
        };
      };
      /** @description Success; `status` states whether the transaction is final */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ChainTransactionResult"];
        };
      };
    };
  };
  patchPositionsClose: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
        /** @description respond-async: respond once the transaction is signed and durable. wait=N: wait N seconds at most. */
        Prefer?: components["parameters"]["prefer"];
        /** @description true: respond with 200 and the expected result, and change nothing. 200 does not mean that the request would be accepted: the result has the verdict of each debit limit in `limits`. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["ClosePosition"];
          /** @description How the transaction is built: fee payer, compute budget, lifetime, version, and the commitment to wait for. Every member has a default. */
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ChainTransactionResult"] | components["schemas"]["DryRun"];
        };
      };
    };
  };
  postPositionsSingle: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["PositionLookup"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Position"];
        };
      };
    };
  };
  postPositionsSingleBalance: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["PositionLookup"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Balance"];
        };
      };
    };
  };
  postPositionsBulkDetailLevel: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path: {
        "detail-level": "detailed" | "compact" | "identifiers";
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Filter, order and page of the records. Default: all records in the default order, the first 100. */
          itemQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of managed, type, code, alId, accountNumber, externalOrganizationId, offchainReferenceName, status, privateKeyLocation, comments, tenantOrganizationId, orgsIsGlobalFeePayerFor, orgsAllowedToSignWithPrivateKey, solDebitApiKeys, tokenDebitApiKeys, lastTransactionAt, creationTransactionAt, wasAlreadyOnchain, canPayFees, sharedAccrossTenants, state, tokenBalance, ownerOnchainId, ownerOffchainId, financialInstrumentOnchainId, financialInstrumentOffchainId.
              * @example managed
              * @example type
              * @example code
              * @example alId
              * @example accountNumber
              * @example externalOrganizationId
              * @example offchainReferenceName
              * @example status
              * @example privateKeyLocation
              * @example comments
              * @example tenantOrganizationId
              * @example orgsIsGlobalFeePayerFor
              * @example orgsAllowedToSignWithPrivateKey
              * @example solDebitApiKeys
              * @example tokenDebitApiKeys
              * @example lastTransactionAt
              * @example creationTransactionAt
              * @example wasAlreadyOnchain
              * @example canPayFees
              * @example sharedAccrossTenants
              * @example state
              * @example tokenBalance
              * @example ownerOnchainId
              * @example ownerOffchainId
              * @example financialInstrumentOnchainId
              * @example financialInstrumentOffchainId
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of managed, type, code, alId, accountNumber, externalOrganizationId, offchainReferenceName, status, privateKeyLocation, comments, tenantOrganizationId, orgsIsGlobalFeePayerFor, orgsAllowedToSignWithPrivateKey, solDebitApiKeys, tokenDebitApiKeys, lastTransactionAt, creationTransactionAt, wasAlreadyOnchain, canPayFees, sharedAccrossTenants, state, tokenBalance, ownerOnchainId, ownerOffchainId, financialInstrumentOnchainId, financialInstrumentOffchainId.
              * @example managed
              * @example type
              * @example code
              * @example alId
              * @example accountNumber
              * @example externalOrganizationId
              * @example offchainReferenceName
              * @example status
              * @example privateKeyLocation
              * @example comments
              * @example tenantOrganizationId
              * @example orgsIsGlobalFeePayerFor
              * @example orgsAllowedToSignWithPrivateKey
              * @example solDebitApiKeys
              * @example tokenDebitApiKeys
              * @example lastTransactionAt
              * @example creationTransactionAt
              * @example wasAlreadyOnchain
              * @example canPayFees
              * @example sharedAccrossTenants
              * @example state
              * @example tokenBalance
              * @example ownerOnchainId
              * @example ownerOffchainId
              * @example financialInstrumentOnchainId
              * @example financialInstrumentOffchainId
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of managed, type, code, alId, accountNumber, externalOrganizationId, offchainReferenceName, status, privateKeyLocation, comments, tenantOrganizationId, orgsIsGlobalFeePayerFor, orgsAllowedToSignWithPrivateKey, solDebitApiKeys, tokenDebitApiKeys, lastTransactionAt, creationTransactionAt, wasAlreadyOnchain, canPayFees, sharedAccrossTenants, state, tokenBalance, ownerOnchainId, ownerOffchainId, financialInstrumentOnchainId, financialInstrumentOffchainId.
              * @example managed
              * @example type
              * @example code
              * @example alId
              * @example accountNumber
              * @example externalOrganizationId
              * @example offchainReferenceName
              * @example status
              * @example privateKeyLocation
              * @example comments
              * @example tenantOrganizationId
              * @example orgsIsGlobalFeePayerFor
              * @example orgsAllowedToSignWithPrivateKey
              * @example solDebitApiKeys
              * @example tokenDebitApiKeys
              * @example lastTransactionAt
              * @example creationTransactionAt
              * @example wasAlreadyOnchain
              * @example canPayFees
              * @example sharedAccrossTenants
              * @example state
              * @example tokenBalance
              * @example ownerOnchainId
              * @example ownerOffchainId
              * @example financialInstrumentOnchainId
              * @example financialInstrumentOffchainId
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of managed, type, code, alId, accountNumber, externalOrganizationId, offchainReferenceName, status, privateKeyLocation, comments, tenantOrganizationId, orgsIsGlobalFeePayerFor, orgsAllowedToSignWithPrivateKey, solDebitApiKeys, tokenDebitApiKeys, lastTransactionAt, creationTransactionAt, wasAlreadyOnchain, canPayFees, sharedAccrossTenants, state, tokenBalance, ownerOnchainId, ownerOffchainId, financialInstrumentOnchainId, financialInstrumentOffchainId.
              * @example managed
              * @example type
              * @example code
              * @example alId
              * @example accountNumber
              * @example externalOrganizationId
              * @example offchainReferenceName
              * @example status
              * @example privateKeyLocation
              * @example comments
              * @example tenantOrganizationId
              * @example orgsIsGlobalFeePayerFor
              * @example orgsAllowedToSignWithPrivateKey
              * @example solDebitApiKeys
              * @example tokenDebitApiKeys
              * @example lastTransactionAt
              * @example creationTransactionAt
              * @example wasAlreadyOnchain
              * @example canPayFees
              * @example sharedAccrossTenants
              * @example state
              * @example tokenBalance
              * @example ownerOnchainId
              * @example ownerOffchainId
              * @example financialInstrumentOnchainId
              * @example financialInstrumentOffchainId
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Number of records that match the filter, before `skip` and `limit`. */
            count: number;
            /** @description The records of this page, in the requested order. */
            items: (components["schemas"]["Position"] | components["schemas"]["PositionCompact"] | components["schemas"]["PositionIdentifiers"])[];
          };
        };
      };
    };
  };
  postBatches: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
        /** @description respond-async: respond once the transaction is signed and durable. wait=N: wait N seconds at most. */
        Prefer?: components["parameters"]["prefer"];
        /** @description true: respond with 200 and the expected result, and change nothing. 200 does not mean that the request would be accepted: the result has the verdict of each debit limit in `limits`. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["NewBatch"];
          /** @description How the transaction is built: fee payer, compute budget, lifetime, version, and the commitment to wait for. Every member has a default. */
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description The expected result: fee, size, accounts, signers, the verdicts of limits and the simulation */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["BatchDryRun"];
        };
      };
      /** @description Success; `status` states whether the transaction is final */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Id of the created batch. */
            newBatch: {
              /**
              * Format: uuid
              * @description Id of the record in the service, a UUID.
              */
              offchainId: string;
            };
          };
        };
      };
    };
  };
  postBatchesSingle: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["BatchReference"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Batch"];
        };
      };
    };
  };
  postBatchesItemsBulk: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData?: components["schemas"]["BatchReference"];
          /** @description Filter, order and page of the records. Default: all records in the default order, the first 100. */
          itemQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of offchainId, batchOffchainId, index, status, externalReference, transactionOffchainId, errorCode, endedAt.
              * @example offchainId
              * @example batchOffchainId
              * @example index
              * @example status
              * @example externalReference
              * @example transactionOffchainId
              * @example errorCode
              * @example endedAt
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of offchainId, batchOffchainId, index, status, externalReference, transactionOffchainId, errorCode, endedAt.
              * @example offchainId
              * @example batchOffchainId
              * @example index
              * @example status
              * @example externalReference
              * @example transactionOffchainId
              * @example errorCode
              * @example endedAt
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of offchainId, batchOffchainId, index, status, externalReference, transactionOffchainId, errorCode, endedAt.
              * @example offchainId
              * @example batchOffchainId
              * @example index
              * @example status
              * @example externalReference
              * @example transactionOffchainId
              * @example errorCode
              * @example endedAt
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of offchainId, batchOffchainId, index, status, externalReference, transactionOffchainId, errorCode, endedAt.
              * @example offchainId
              * @example batchOffchainId
              * @example index
              * @example status
              * @example externalReference
              * @example transactionOffchainId
              * @example errorCode
              * @example endedAt
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Number of records that match the filter, before `skip` and `limit`. */
            count: number;
            /** @description The records of this page, in the requested order. */
            items: components["schemas"]["BatchItem"][];
          };
        };
      };
    };
  };
  postBatchesBulk: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Filter, order and page of the records. Default: all records in the default order, the first 100. */
          itemQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of offchainId, operation, status, stopOnFailure, externalReference, itemsCount, failedCount, awaitsApprovalBy, createdAt, endedAt.
              * @example offchainId
              * @example operation
              * @example status
              * @example stopOnFailure
              * @example externalReference
              * @example itemsCount
              * @example failedCount
              * @example awaitsApprovalBy
              * @example createdAt
              * @example endedAt
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of offchainId, operation, status, stopOnFailure, externalReference, itemsCount, failedCount, awaitsApprovalBy, createdAt, endedAt.
              * @example offchainId
              * @example operation
              * @example status
              * @example stopOnFailure
              * @example externalReference
              * @example itemsCount
              * @example failedCount
              * @example awaitsApprovalBy
              * @example createdAt
              * @example endedAt
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of offchainId, operation, status, stopOnFailure, externalReference, itemsCount, failedCount, awaitsApprovalBy, createdAt, endedAt.
              * @example offchainId
              * @example operation
              * @example status
              * @example stopOnFailure
              * @example externalReference
              * @example itemsCount
              * @example failedCount
              * @example awaitsApprovalBy
              * @example createdAt
              * @example endedAt
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of offchainId, operation, status, stopOnFailure, externalReference, itemsCount, failedCount, awaitsApprovalBy, createdAt, endedAt.
              * @example offchainId
              * @example operation
              * @example status
              * @example stopOnFailure
              * @example externalReference
              * @example itemsCount
              * @example failedCount
              * @example awaitsApprovalBy
              * @example createdAt
              * @example endedAt
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Number of records that match the filter, before `skip` and `limit`. */
            count: number;
            /** @description The records of this page, in the requested order. */
            items: components["schemas"]["Batch"][];
          };
        };
      };
    };
  };
  patchBatchesCancel: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["BatchReference"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Id of the batch whose waiting items are cancelled. */
            cancelledBatch: {
              /**
              * Format: uuid
              * @description Id of the record in the service, a UUID.
              */
              offchainId: string;
            };
          };
        };
      };
    };
  };
  patchBatchesRetry: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["BatchReference"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Id of the batch whose failed items are attempted again. */
            retriedBatch: {
              /**
              * Format: uuid
              * @description Id of the record in the service, a UUID.
              */
              offchainId: string;
            };
          };
        };
      };
    };
  };
  patchBatchesApprove: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["BatchReference"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Id of the batch that the key has approved. */
            approvedBatch: {
              /**
              * Format: uuid
              * @description Id of the record in the service, a UUID.
              */
              offchainId: string;
            };
          };
        };
      };
    };
  };
  patchBatchesReject: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["BatchReference"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Id of the batch that the key has rejected. */
            rejectedBatch: {
              /**
              * Format: uuid
              * @description Id of the record in the service, a UUID.
              */
              offchainId: string;
            };
          };
        };
      };
    };
  };
  postDistributions: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
        /** @description respond-async: respond once the transaction is signed and durable. wait=N: wait N seconds at most. */
        Prefer?: components["parameters"]["prefer"];
        /** @description true: respond with 200 and the expected result, and change nothing. 200 does not mean that the request would be accepted: the result has the verdict of each debit limit in `limits`. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["NewDistribution"];
          /** @description How the transaction is built: fee payer, compute budget, lifetime, version, and the commitment to wait for. Every member has a default. */
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description The expected result: fee, size, accounts, signers, the verdicts of limits and the simulation */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DistributionDryRun"];
        };
      };
      /** @description Success; `status` states whether the transaction is final */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Id of the created distribution. */
            newDistribution: {
              /**
              * Format: uuid
              * @description Id of the record in the service, a UUID.
              */
              offchainId: string;
            };
          };
        };
      };
    };
  };
  postDistributionsSingle: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["DistributionReference"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Distribution"];
        };
      };
    };
  };
  postDistributionsBulk: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Filter, order and page of the records. Default: all records in the default order, the first 100. */
          itemQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of offchainId, status, financialInstrumentOnchainId, externalReference, batchOffchainIds, recordAt, createdAt, endedAt.
              * @example offchainId
              * @example status
              * @example financialInstrumentOnchainId
              * @example externalReference
              * @example batchOffchainIds
              * @example recordAt
              * @example createdAt
              * @example endedAt
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of offchainId, status, financialInstrumentOnchainId, externalReference, batchOffchainIds, recordAt, createdAt, endedAt.
              * @example offchainId
              * @example status
              * @example financialInstrumentOnchainId
              * @example externalReference
              * @example batchOffchainIds
              * @example recordAt
              * @example createdAt
              * @example endedAt
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of offchainId, status, financialInstrumentOnchainId, externalReference, batchOffchainIds, recordAt, createdAt, endedAt.
              * @example offchainId
              * @example status
              * @example financialInstrumentOnchainId
              * @example externalReference
              * @example batchOffchainIds
              * @example recordAt
              * @example createdAt
              * @example endedAt
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of offchainId, status, financialInstrumentOnchainId, externalReference, batchOffchainIds, recordAt, createdAt, endedAt.
              * @example offchainId
              * @example status
              * @example financialInstrumentOnchainId
              * @example externalReference
              * @example batchOffchainIds
              * @example recordAt
              * @example createdAt
              * @example endedAt
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Number of records that match the filter, before `skip` and `limit`. */
            count: number;
            /** @description The records of this page, in the requested order. */
            items: components["schemas"]["Distribution"][];
          };
        };
      };
    };
  };
  patchDistributionsCancel: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["DistributionReference"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Id of the cancelled distribution. */
            cancelledDistribution: {
              /**
              * Format: uuid
              * @description Id of the record in the service, a UUID.
              */
              offchainId: string;
            };
          };
        };
      };
    };
  };
  postApprovalPolicies: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["NewApprovalPolicy"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Success; `status` states whether the transaction is final */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Id of the created policy. */
            newApprovalPolicy: {
              /**
              * Format: uuid
              * @description Id of the record in the service, a UUID.
              */
              offchainId: string;
            };
          };
        };
      };
      /** @description Approval policies cover the request: it waits for approvals as a pending change */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["HeldBack"];
        };
      };
    };
  };
  patchApprovalPolicies: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["ApprovalPolicyChanges"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Id of the changed policy. */
            updatedApprovalPolicy: {
              /**
              * Format: uuid
              * @description Id of the record in the service, a UUID.
              */
              offchainId: string;
            };
          };
        };
      };
      /** @description Approval policies cover the request: it waits for approvals as a pending change */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["HeldBack"];
        };
      };
    };
  };
  patchApprovalPoliciesRelease: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["ApprovalPolicyRelease"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Id of the changed policy. */
            updatedApprovalPolicy: {
              /**
              * Format: uuid
              * @description Id of the record in the service, a UUID.
              */
              offchainId: string;
            };
          };
        };
      };
    };
  };
  patchApprovalPoliciesKeep: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["ApprovalPolicyReference"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Id of the changed policy. */
            updatedApprovalPolicy: {
              /**
              * Format: uuid
              * @description Id of the record in the service, a UUID.
              */
              offchainId: string;
            };
          };
        };
      };
    };
  };
  postApprovalPoliciesSingle: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["ApprovalPolicyReference"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ApprovalPolicy"];
        };
      };
    };
  };
  postApprovalPoliciesBulk: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Filter, order and page of the records. Default: all records in the default order, the first 100. */
          itemQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of offchainId, status, operations, above, approvers, requiredApproversCount, financialInstrumentOnchainId, createdAt, updatedAt.
              * @example offchainId
              * @example status
              * @example operations
              * @example above
              * @example approvers
              * @example requiredApproversCount
              * @example financialInstrumentOnchainId
              * @example createdAt
              * @example updatedAt
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of offchainId, status, operations, above, approvers, requiredApproversCount, financialInstrumentOnchainId, createdAt, updatedAt.
              * @example offchainId
              * @example status
              * @example operations
              * @example above
              * @example approvers
              * @example requiredApproversCount
              * @example financialInstrumentOnchainId
              * @example createdAt
              * @example updatedAt
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of offchainId, status, operations, above, approvers, requiredApproversCount, financialInstrumentOnchainId, createdAt, updatedAt.
              * @example offchainId
              * @example status
              * @example operations
              * @example above
              * @example approvers
              * @example requiredApproversCount
              * @example financialInstrumentOnchainId
              * @example createdAt
              * @example updatedAt
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of offchainId, status, operations, above, approvers, requiredApproversCount, financialInstrumentOnchainId, createdAt, updatedAt.
              * @example offchainId
              * @example status
              * @example operations
              * @example above
              * @example approvers
              * @example requiredApproversCount
              * @example financialInstrumentOnchainId
              * @example createdAt
              * @example updatedAt
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Number of records that match the filter, before `skip` and `limit`. */
            count: number;
            /** @description The records of this page, in the requested order. */
            items: components["schemas"]["ApprovalPolicy"][];
          };
        };
      };
    };
  };
  postPendingChangesApprove: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["PendingChangeReference"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["HeldBack"];
        };
      };
    };
  };
  postPendingChangesReject: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["PendingChangeRejection"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["HeldBack"];
        };
      };
    };
  };
  postPendingChangesSingle: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["PendingChangeReference"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PendingChange"];
        };
      };
    };
  };
  postPendingChangesBulk: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Filter, order and page of the records. Default: all records in the default order, the first 100. */
          itemQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of offchainId, status, operation, endpoint, requestedBy, approvers, awaitsApprovalBy, createdAt, endedAt.
              * @example offchainId
              * @example status
              * @example operation
              * @example endpoint
              * @example requestedBy
              * @example approvers
              * @example awaitsApprovalBy
              * @example createdAt
              * @example endedAt
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of offchainId, status, operation, endpoint, requestedBy, approvers, awaitsApprovalBy, createdAt, endedAt.
              * @example offchainId
              * @example status
              * @example operation
              * @example endpoint
              * @example requestedBy
              * @example approvers
              * @example awaitsApprovalBy
              * @example createdAt
              * @example endedAt
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of offchainId, status, operation, endpoint, requestedBy, approvers, awaitsApprovalBy, createdAt, endedAt.
              * @example offchainId
              * @example status
              * @example operation
              * @example endpoint
              * @example requestedBy
              * @example approvers
              * @example awaitsApprovalBy
              * @example createdAt
              * @example endedAt
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of offchainId, status, operation, endpoint, requestedBy, approvers, awaitsApprovalBy, createdAt, endedAt.
              * @example offchainId
              * @example status
              * @example operation
              * @example endpoint
              * @example requestedBy
              * @example approvers
              * @example awaitsApprovalBy
              * @example createdAt
              * @example endedAt
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Number of records that match the filter, before `skip` and `limit`. */
            count: number;
            /** @description The records of this page, in the requested order. */
            items: components["schemas"]["PendingChange"][];
          };
        };
      };
    };
  };
  postSchedules: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["NewSchedule"];
          /** @description How the transaction is built: fee payer, compute budget, lifetime, version, and the commitment to wait for. Every member has a default. */
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Success; `status` states whether the transaction is final */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Id of the created schedule. */
            newSchedule: {
              /**
              * Format: uuid
              * @description Id of the record in the service, a UUID.
              */
              offchainId: string;
            };
          };
        };
      };
    };
  };
  postSchedulesSingle: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["ScheduleReference"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Schedule"];
        };
      };
    };
  };
  postSchedulesBulk: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Filter, order and page of the records. Default: all records in the default order, the first 100. */
          itemQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of offchainId, operation, status, externalReference, startAt, nextAt, runsCount, missedCount, errorCode, createdAt, endedAt.
              * @example offchainId
              * @example operation
              * @example status
              * @example externalReference
              * @example startAt
              * @example nextAt
              * @example runsCount
              * @example missedCount
              * @example errorCode
              * @example createdAt
              * @example endedAt
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of offchainId, operation, status, externalReference, startAt, nextAt, runsCount, missedCount, errorCode, createdAt, endedAt.
              * @example offchainId
              * @example operation
              * @example status
              * @example externalReference
              * @example startAt
              * @example nextAt
              * @example runsCount
              * @example missedCount
              * @example errorCode
              * @example createdAt
              * @example endedAt
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of offchainId, operation, status, externalReference, startAt, nextAt, runsCount, missedCount, errorCode, createdAt, endedAt.
              * @example offchainId
              * @example operation
              * @example status
              * @example externalReference
              * @example startAt
              * @example nextAt
              * @example runsCount
              * @example missedCount
              * @example errorCode
              * @example createdAt
              * @example endedAt
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of offchainId, operation, status, externalReference, startAt, nextAt, runsCount, missedCount, errorCode, createdAt, endedAt.
              * @example offchainId
              * @example operation
              * @example status
              * @example externalReference
              * @example startAt
              * @example nextAt
              * @example runsCount
              * @example missedCount
              * @example errorCode
              * @example createdAt
              * @example endedAt
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Number of records that match the filter, before `skip` and `limit`. */
            count: number;
            /** @description The records of this page, in the requested order. */
            items: components["schemas"]["Schedule"][];
          };
        };
      };
    };
  };
  postSchedulesOccurrencesBulk: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData?: components["schemas"]["ScheduleReference"];
          /** @description Filter, order and page of the records. Default: all records in the default order, the first 100. */
          itemQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of offchainId, scheduleOffchainId, number, dueAt, status, transactionOffchainId, errorCode, endedAt.
              * @example offchainId
              * @example scheduleOffchainId
              * @example number
              * @example dueAt
              * @example status
              * @example transactionOffchainId
              * @example errorCode
              * @example endedAt
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of offchainId, scheduleOffchainId, number, dueAt, status, transactionOffchainId, errorCode, endedAt.
              * @example offchainId
              * @example scheduleOffchainId
              * @example number
              * @example dueAt
              * @example status
              * @example transactionOffchainId
              * @example errorCode
              * @example endedAt
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of offchainId, scheduleOffchainId, number, dueAt, status, transactionOffchainId, errorCode, endedAt.
              * @example offchainId
              * @example scheduleOffchainId
              * @example number
              * @example dueAt
              * @example status
              * @example transactionOffchainId
              * @example errorCode
              * @example endedAt
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of offchainId, scheduleOffchainId, number, dueAt, status, transactionOffchainId, errorCode, endedAt.
              * @example offchainId
              * @example scheduleOffchainId
              * @example number
              * @example dueAt
              * @example status
              * @example transactionOffchainId
              * @example errorCode
              * @example endedAt
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Number of records that match the filter, before `skip` and `limit`. */
            count: number;
            /** @description The records of this page, in the requested order. */
            items: components["schemas"]["ScheduleOccurrence"][];
          };
        };
      };
    };
  };
  patchSchedulesPause: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["ScheduleReference"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Id of the paused schedule. */
            pausedSchedule: {
              /**
              * Format: uuid
              * @description Id of the record in the service, a UUID.
              */
              offchainId: string;
            };
          };
        };
      };
    };
  };
  patchSchedulesResume: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["ScheduleReference"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Id of the resumed schedule. */
            resumedSchedule: {
              /**
              * Format: uuid
              * @description Id of the record in the service, a UUID.
              */
              offchainId: string;
            };
          };
        };
      };
    };
  };
  patchSchedulesCancel: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["ScheduleReference"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Id of the cancelled schedule. */
            cancelledSchedule: {
              /**
              * Format: uuid
              * @description Id of the record in the service, a UUID.
              */
              offchainId: string;
            };
          };
        };
      };
    };
  };
  postCounterparties: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["NewCounterparty"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Success; `status` states whether the transaction is final */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Id of the created counterparty. */
            newCounterparty: {
              /**
              * Format: uuid
              * @description Id of the record in the service, a UUID.
              */
              offchainId: string;
            };
          };
        };
      };
      /** @description Approval policies cover the request: it waits for approvals as a pending change */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["HeldBack"];
        };
      };
    };
  };
  patchCounterparties: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["CounterpartyChanges"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Id of the changed counterparty. */
            updatedCounterparty: {
              /**
              * Format: uuid
              * @description Id of the record in the service, a UUID.
              */
              offchainId: string;
            };
          };
        };
      };
      /** @description Approval policies cover the request: it waits for approvals as a pending change */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["HeldBack"];
        };
      };
    };
  };
  postCounterpartiesSingle: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["CounterpartyLookup"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Counterparty"];
        };
      };
    };
  };
  postCounterpartiesBulk: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Filter, order and page of the records. Default: all records in the default order, the first 100. */
          itemQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of offchainId, externalReference, name, status, onchainId, note, createdAt, updatedAt.
              * @example offchainId
              * @example externalReference
              * @example name
              * @example status
              * @example onchainId
              * @example note
              * @example createdAt
              * @example updatedAt
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of offchainId, externalReference, name, status, onchainId, note, createdAt, updatedAt.
              * @example offchainId
              * @example externalReference
              * @example name
              * @example status
              * @example onchainId
              * @example note
              * @example createdAt
              * @example updatedAt
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of offchainId, externalReference, name, status, onchainId, note, createdAt, updatedAt.
              * @example offchainId
              * @example externalReference
              * @example name
              * @example status
              * @example onchainId
              * @example note
              * @example createdAt
              * @example updatedAt
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of offchainId, externalReference, name, status, onchainId, note, createdAt, updatedAt.
              * @example offchainId
              * @example externalReference
              * @example name
              * @example status
              * @example onchainId
              * @example note
              * @example createdAt
              * @example updatedAt
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Number of records that match the filter, before `skip` and `limit`. */
            count: number;
            /** @description The records of this page, in the requested order. */
            items: components["schemas"]["Counterparty"][];
          };
        };
      };
    };
  };
  postPaymentRequests: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["NewPaymentRequest"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Success; `status` states whether the transaction is final */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description The created payment request. */
            newPaymentRequest: {
              /**
              * Format: uuid
              * @description Id of the record in the service, a UUID.
              */
              offchainId: string;
              /** @description Transfer request URL by the Solana Pay specification. */
              url: string;
              /** @description Reference key of the payment request, which nobody can sign with. */
              reference: string;
              /** @description Path of the page for the payer. Whoever has the path sees the page. */
              payerPage: string;
              /** @description QR code of the URL, as SVG. Absent in lists. */
              qrCode: string;
            };
          };
        };
      };
    };
  };
  postPaymentRequestsSingle: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["PaymentRequestReference"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PaymentRequest"];
        };
      };
    };
  };
  postPaymentRequestsBulk: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Filter, order and page of the records. Default: all records in the default order, the first 100. */
          itemQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of offchainId, status, externalReference, memo, reference, destinationOnchainId, financialInstrumentOnchainId, amount, receivedAmount, expiresAt, createdAt, endedAt.
              * @example offchainId
              * @example status
              * @example externalReference
              * @example memo
              * @example reference
              * @example destinationOnchainId
              * @example financialInstrumentOnchainId
              * @example amount
              * @example receivedAmount
              * @example expiresAt
              * @example createdAt
              * @example endedAt
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of offchainId, status, externalReference, memo, reference, destinationOnchainId, financialInstrumentOnchainId, amount, receivedAmount, expiresAt, createdAt, endedAt.
              * @example offchainId
              * @example status
              * @example externalReference
              * @example memo
              * @example reference
              * @example destinationOnchainId
              * @example financialInstrumentOnchainId
              * @example amount
              * @example receivedAmount
              * @example expiresAt
              * @example createdAt
              * @example endedAt
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of offchainId, status, externalReference, memo, reference, destinationOnchainId, financialInstrumentOnchainId, amount, receivedAmount, expiresAt, createdAt, endedAt.
              * @example offchainId
              * @example status
              * @example externalReference
              * @example memo
              * @example reference
              * @example destinationOnchainId
              * @example financialInstrumentOnchainId
              * @example amount
              * @example receivedAmount
              * @example expiresAt
              * @example createdAt
              * @example endedAt
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of offchainId, status, externalReference, memo, reference, destinationOnchainId, financialInstrumentOnchainId, amount, receivedAmount, expiresAt, createdAt, endedAt.
              * @example offchainId
              * @example status
              * @example externalReference
              * @example memo
              * @example reference
              * @example destinationOnchainId
              * @example financialInstrumentOnchainId
              * @example amount
              * @example receivedAmount
              * @example expiresAt
              * @example createdAt
              * @example endedAt
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Number of records that match the filter, before `skip` and `limit`. */
            count: number;
            /** @description The records of this page, in the requested order. */
            items: components["schemas"]["PaymentRequest"][];
          };
        };
      };
    };
  };
  patchPaymentRequestsCancel: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["PaymentRequestReference"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Id of the cancelled payment request. */
            cancelledPaymentRequest: {
              /**
              * Format: uuid
              * @description Id of the record in the service, a UUID.
              */
              offchainId: string;
            };
          };
        };
      };
    };
  };
  postLoans: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
        /** @description respond-async: respond once the transaction is signed and durable. wait=N: wait N seconds at most. */
        Prefer?: components["parameters"]["prefer"];
        /** @description true: respond with 200 and the expected result, and change nothing. 200 does not mean that the request would be accepted: the result has the verdict of each debit limit in `limits`. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["NewLoan"];
          /** @description How the transaction is built: fee payer, compute budget, lifetime, version, and the commitment to wait for. Every member has a default. */
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description The expected result: fee, size, accounts, signers, the verdicts of limits and the simulation */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DryRun"];
        };
      };
      /** @description Success; `status` states whether the transaction is final */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Ids of the escrow of the new loan. */
            newLoan: components["schemas"]["Ids"];
            /** @description The last transaction of the operation. Absent if the operation needed no transaction. */
            chainTransaction?: components["schemas"]["ChainTransactionResult"];
            /** @description All transactions of the operation that exist so far, in order. */
            chainTransactions?: components["schemas"]["ChainTransactionResult"][];
            /** @description Progress of an operation that needs several transactions. Absent if one transaction is enough. */
            chainPlan?: components["schemas"]["ChainPlan"];
          };
        };
      };
    };
  };
  postLoansSingle: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["LoanDetails"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /** @description Accepted, but without effect: the request makes no transaction. */
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Loan"];
        };
      };
    };
  };
  postLoansBulk: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Filter, order and page of the records. Default: all records in the default order, the first 100. */
          itemQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of status, escrowOnchainId, escrowOffchainId, borrowerOnchainId, borrowerOffchainId, lenderOnchainId, lenderOffchainId, pledgedItemOnchainId, pledgedItemOffchainId, borrowedItemOnchainId, borrowedItemOffchainId, pledgedItemAmount, borrowedItemDueAmount, loanDurationUnit, loanDurationCode.
              * @example status
              * @example escrowOnchainId
              * @example escrowOffchainId
              * @example borrowerOnchainId
              * @example borrowerOffchainId
              * @example lenderOnchainId
              * @example lenderOffchainId
              * @example pledgedItemOnchainId
              * @example pledgedItemOffchainId
              * @example borrowedItemOnchainId
              * @example borrowedItemOffchainId
              * @example pledgedItemAmount
              * @example borrowedItemDueAmount
              * @example loanDurationUnit
              * @example loanDurationCode
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of status, escrowOnchainId, escrowOffchainId, borrowerOnchainId, borrowerOffchainId, lenderOnchainId, lenderOffchainId, pledgedItemOnchainId, pledgedItemOffchainId, borrowedItemOnchainId, borrowedItemOffchainId, pledgedItemAmount, borrowedItemDueAmount, loanDurationUnit, loanDurationCode.
              * @example status
              * @example escrowOnchainId
              * @example escrowOffchainId
              * @example borrowerOnchainId
              * @example borrowerOffchainId
              * @example lenderOnchainId
              * @example lenderOffchainId
              * @example pledgedItemOnchainId
              * @example pledgedItemOffchainId
              * @example borrowedItemOnchainId
              * @example borrowedItemOffchainId
              * @example pledgedItemAmount
              * @example borrowedItemDueAmount
              * @example loanDurationUnit
              * @example loanDurationCode
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of status, escrowOnchainId, escrowOffchainId, borrowerOnchainId, borrowerOffchainId, lenderOnchainId, lenderOffchainId, pledgedItemOnchainId, pledgedItemOffchainId, borrowedItemOnchainId, borrowedItemOffchainId, pledgedItemAmount, borrowedItemDueAmount, loanDurationUnit, loanDurationCode.
              * @example status
              * @example escrowOnchainId
              * @example escrowOffchainId
              * @example borrowerOnchainId
              * @example borrowerOffchainId
              * @example lenderOnchainId
              * @example lenderOffchainId
              * @example pledgedItemOnchainId
              * @example pledgedItemOffchainId
              * @example borrowedItemOnchainId
              * @example borrowedItemOffchainId
              * @example pledgedItemAmount
              * @example borrowedItemDueAmount
              * @example loanDurationUnit
              * @example loanDurationCode
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of status, escrowOnchainId, escrowOffchainId, borrowerOnchainId, borrowerOffchainId, lenderOnchainId, lenderOffchainId, pledgedItemOnchainId, pledgedItemOffchainId, borrowedItemOnchainId, borrowedItemOffchainId, pledgedItemAmount, borrowedItemDueAmount, loanDurationUnit, loanDurationCode.
              * @example status
              * @example escrowOnchainId
              * @example escrowOffchainId
              * @example borrowerOnchainId
              * @example borrowerOffchainId
              * @example lenderOnchainId
              * @example lenderOffchainId
              * @example pledgedItemOnchainId
              * @example pledgedItemOffchainId
              * @example borrowedItemOnchainId
              * @example borrowedItemOffchainId
              * @example pledgedItemAmount
              * @example borrowedItemDueAmount
              * @example loanDurationUnit
              * @example loanDurationCode
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Number of records that match the filter, before `skip` and `limit`. */
            count: number;
            /** @description The records of this page, in the requested order. */
            items: components["schemas"]["Loan"][];
          };
        };
      };
    };
  };
  patchLoansSwapCollateral: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
        /** @description respond-async: respond once the transaction is signed and durable. wait=N: wait N seconds at most. */
        Prefer?: components["parameters"]["prefer"];
        /** @description true: respond with 200 and the expected result, and change nothing. 200 does not mean that the request would be accepted: the result has the verdict of each debit limit in `limits`. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["SwapCollateral"];
          /** @description How the transaction is built: fee payer, compute budget, lifetime, version, and the commitment to wait for. Every member has a default. */
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Ids of the escrow of the changed loan. */
            updatedLoan: components["schemas"]["Ids"];
            /** @description The last transaction of the operation. Absent if the operation needed no transaction. */
            chainTransaction?: components["schemas"]["ChainTransactionResult"];
            /** @description All transactions of the operation that exist so far, in order. */
            chainTransactions?: components["schemas"]["ChainTransactionResult"][];
            /** @description Progress of an operation that needs several transactions. Absent if one transaction is enough. */
            chainPlan?: components["schemas"]["ChainPlan"];
          } | components["schemas"]["DryRun"];
        };
      };
    };
  };
  patchLoansRepay: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
        /** @description respond-async: respond once the transaction is signed and durable. wait=N: wait N seconds at most. */
        Prefer?: components["parameters"]["prefer"];
        /** @description true: respond with 200 and the expected result, and change nothing. 200 does not mean that the request would be accepted: the result has the verdict of each debit limit in `limits`. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["RepayLoan"];
          /** @description How the transaction is built: fee payer, compute budget, lifetime, version, and the commitment to wait for. Every member has a default. */
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Ids of the escrow of the changed loan. */
            updatedLoan: components["schemas"]["Ids"];
            /** @description The last transaction of the operation. Absent if the operation needed no transaction. */
            chainTransaction?: components["schemas"]["ChainTransactionResult"];
            /** @description All transactions of the operation that exist so far, in order. */
            chainTransactions?: components["schemas"]["ChainTransactionResult"][];
            /** @description Progress of an operation that needs several transactions. Absent if one transaction is enough. */
            chainPlan?: components["schemas"]["ChainPlan"];
          } | components["schemas"]["DryRun"];
        };
      };
    };
  };
  patchLoansClose: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
        /** @description respond-async: respond once the transaction is signed and durable. wait=N: wait N seconds at most. */
        Prefer?: components["parameters"]["prefer"];
        /** @description true: respond with 200 and the expected result, and change nothing. 200 does not mean that the request would be accepted: the result has the verdict of each debit limit in `limits`. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["LoanReference"];
          /** @description How the transaction is built: fee payer, compute budget, lifetime, version, and the commitment to wait for. Every member has a default. */
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Ids of the escrow of the closed loan. */
            closedLoan: components["schemas"]["Ids"];
            /** @description The last transaction of the operation. Absent if the operation needed no transaction. */
            chainTransaction?: components["schemas"]["ChainTransactionResult"];
            /** @description All transactions of the operation that exist so far, in order. */
            chainTransactions?: components["schemas"]["ChainTransactionResult"][];
            /** @description Progress of an operation that needs several transactions. Absent if one transaction is enough. */
            chainPlan?: components["schemas"]["ChainPlan"];
          } | components["schemas"]["DryRun"];
        };
      };
    };
  };
  patchLoansRefinance: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
        /** @description respond-async: respond once the transaction is signed and durable. wait=N: wait N seconds at most. */
        Prefer?: components["parameters"]["prefer"];
        /** @description true: respond with 200 and the expected result, and change nothing. 200 does not mean that the request would be accepted: the result has the verdict of each debit limit in `limits`. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["RefinanceLoan"];
          /** @description How the transaction is built: fee payer, compute budget, lifetime, version, and the commitment to wait for. Every member has a default. */
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Ids of the escrow of the changed loan. */
            updatedLoan: components["schemas"]["Ids"];
            /** @description The last transaction of the operation. Absent if the operation needed no transaction. */
            chainTransaction?: components["schemas"]["ChainTransactionResult"];
          } | components["schemas"]["DryRun"];
        };
      };
    };
  };
  patchLoansLiquidate: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
        /** @description respond-async: respond once the transaction is signed and durable. wait=N: wait N seconds at most. */
        Prefer?: components["parameters"]["prefer"];
        /** @description true: respond with 200 and the expected result, and change nothing. 200 does not mean that the request would be accepted: the result has the verdict of each debit limit in `limits`. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["LoanReference"];
          /** @description How the transaction is built: fee payer, compute budget, lifetime, version, and the commitment to wait for. Every member has a default. */
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Ids of the escrow of the changed loan. */
            updatedLoan: components["schemas"]["Ids"];
            /** @description The last transaction of the operation. Absent if the operation needed no transaction. */
            chainTransaction?: components["schemas"]["ChainTransactionResult"];
          } | components["schemas"]["DryRun"];
        };
      };
    };
  };
  postLoansStrategies: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["NewLoanStrategy"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Success; `status` states whether the transaction is final */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Ids of the created strategy: `offchainId` of the strategy, `onchainId` of the vault. */
            newStrategy: components["schemas"]["Ids"];
          };
        };
      };
      /** @description Approval policies cover the request: it waits for approvals as a pending change */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["HeldBack"];
        };
      };
    };
  };
  patchLoansStrategies: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["LoanStrategyChanges"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Ids of the changed strategy: `offchainId` of the strategy, `onchainId` of the vault. */
            updatedStrategy: components["schemas"]["Ids"];
          };
        };
      };
      /** @description Approval policies cover the request: it waits for approvals as a pending change */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["HeldBack"];
        };
      };
    };
  };
  postLoansStrategiesSingle: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["LoanStrategyReference"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["LoanStrategy"];
        };
      };
    };
  };
  postLoansStrategiesBulk: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Filter, order and page of the records. Default: all records in the default order, the first 100. */
          itemQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of offchainId, strategyAccountOnchainId, strategyAccountOffchainId, financialInstrumentOnchainId, financialInstrumentOffchainId, originationsEnabled.
              * @example offchainId
              * @example strategyAccountOnchainId
              * @example strategyAccountOffchainId
              * @example financialInstrumentOnchainId
              * @example financialInstrumentOffchainId
              * @example originationsEnabled
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of offchainId, strategyAccountOnchainId, strategyAccountOffchainId, financialInstrumentOnchainId, financialInstrumentOffchainId, originationsEnabled.
              * @example offchainId
              * @example strategyAccountOnchainId
              * @example strategyAccountOffchainId
              * @example financialInstrumentOnchainId
              * @example financialInstrumentOffchainId
              * @example originationsEnabled
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of offchainId, strategyAccountOnchainId, strategyAccountOffchainId, financialInstrumentOnchainId, financialInstrumentOffchainId, originationsEnabled.
              * @example offchainId
              * @example strategyAccountOnchainId
              * @example strategyAccountOffchainId
              * @example financialInstrumentOnchainId
              * @example financialInstrumentOffchainId
              * @example originationsEnabled
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of offchainId, strategyAccountOnchainId, strategyAccountOffchainId, financialInstrumentOnchainId, financialInstrumentOffchainId, originationsEnabled.
              * @example offchainId
              * @example strategyAccountOnchainId
              * @example strategyAccountOffchainId
              * @example financialInstrumentOnchainId
              * @example financialInstrumentOffchainId
              * @example originationsEnabled
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Number of records that match the filter, before `skip` and `limit`. */
            count: number;
            /** @description The records of this page, in the requested order. */
            items: components["schemas"]["LoanStrategy"][];
          };
        };
      };
    };
  };
  postAddressLookupTables: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
        /** @description respond-async: respond once the transaction is signed and durable. wait=N: wait N seconds at most. */
        Prefer?: components["parameters"]["prefer"];
        /** @description true: respond with 200 and the expected result, and change nothing. 200 does not mean that the request would be accepted: the result has the verdict of each debit limit in `limits`. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["NewAddressLookupTable"];
          /** @description How the transaction is built: fee payer, compute budget, lifetime, version, and the commitment to wait for. Every member has a default. */
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description The expected result: fee, size, accounts, signers, the verdicts of limits and the simulation */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DryRun"];
        };
      };
      /** @description Success; `status` states whether the transaction is final */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Ids of the created table. */
            newAddressLookupTable: components["schemas"]["Ids"];
            /** @description The last transaction of the operation. Absent if the operation needed no transaction. */
            chainTransaction?: components["schemas"]["ChainTransactionResult"];
            /** @description All transactions of the operation that exist so far, in order. */
            chainTransactions?: components["schemas"]["ChainTransactionResult"][];
            /** @description Progress of an operation that needs several transactions. Absent if one transaction is enough. */
            chainPlan?: components["schemas"]["ChainPlan"];
          };
        };
      };
    };
  };
  patchAddressLookupTables: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
        /** @description respond-async: respond once the transaction is signed and durable. wait=N: wait N seconds at most. */
        Prefer?: components["parameters"]["prefer"];
        /** @description true: respond with 200 and the expected result, and change nothing. 200 does not mean that the request would be accepted: the result has the verdict of each debit limit in `limits`. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["AddressLookupTableChanges"];
          /** @description How the transaction is built: fee payer, compute budget, lifetime, version, and the commitment to wait for. Every member has a default. */
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Ids of the changed table. */
            updatedAddressLookupTable: components["schemas"]["Ids"];
            /** @description The last transaction of the operation. Absent if the operation needed no transaction. */
            chainTransaction?: components["schemas"]["ChainTransactionResult"];
          } | components["schemas"]["DryRun"];
        };
      };
    };
  };
  patchAddressLookupTablesExtend: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
        /** @description respond-async: respond once the transaction is signed and durable. wait=N: wait N seconds at most. */
        Prefer?: components["parameters"]["prefer"];
        /** @description true: respond with 200 and the expected result, and change nothing. 200 does not mean that the request would be accepted: the result has the verdict of each debit limit in `limits`. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["AddressLookupTableExtension"];
          /** @description How the transaction is built: fee payer, compute budget, lifetime, version, and the commitment to wait for. Every member has a default. */
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Ids of the extended table. */
            extendedAddressLookupTable: components["schemas"]["Ids"];
            /** @description The last transaction of the operation. Absent if the operation needed no transaction. */
            chainTransaction?: components["schemas"]["ChainTransactionResult"];
            /** @description All transactions of the operation that exist so far, in order. */
            chainTransactions?: components["schemas"]["ChainTransactionResult"][];
            /** @description Progress of an operation that needs several transactions. Absent if one transaction is enough. */
            chainPlan?: components["schemas"]["ChainPlan"];
          } | components["schemas"]["DryRun"];
        };
      };
    };
  };
  postAddressLookupTablesSingle: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["AccountLookup"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AddressLookupTable"];
        };
      };
    };
  };
  postAddressLookupTablesBulk: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Filter, order and page of the records. Default: all records in the default order, the first 100. */
          itemQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of managed, type, code, alId, accountNumber, externalOrganizationId, offchainReferenceName, status, privateKeyLocation, comments, tenantOrganizationId, orgsIsGlobalFeePayerFor, orgsAllowedToSignWithPrivateKey, solDebitApiKeys, tokenDebitApiKeys, lastTransactionAt, creationTransactionAt, wasAlreadyOnchain, canPayFees, sharedAccrossTenants, lamportsBalance, authorityOnchainId, authorityOffchainId, state, addressCount.
              * @example managed
              * @example type
              * @example code
              * @example alId
              * @example accountNumber
              * @example externalOrganizationId
              * @example offchainReferenceName
              * @example status
              * @example privateKeyLocation
              * @example comments
              * @example tenantOrganizationId
              * @example orgsIsGlobalFeePayerFor
              * @example orgsAllowedToSignWithPrivateKey
              * @example solDebitApiKeys
              * @example tokenDebitApiKeys
              * @example lastTransactionAt
              * @example creationTransactionAt
              * @example wasAlreadyOnchain
              * @example canPayFees
              * @example sharedAccrossTenants
              * @example lamportsBalance
              * @example authorityOnchainId
              * @example authorityOffchainId
              * @example state
              * @example addressCount
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of managed, type, code, alId, accountNumber, externalOrganizationId, offchainReferenceName, status, privateKeyLocation, comments, tenantOrganizationId, orgsIsGlobalFeePayerFor, orgsAllowedToSignWithPrivateKey, solDebitApiKeys, tokenDebitApiKeys, lastTransactionAt, creationTransactionAt, wasAlreadyOnchain, canPayFees, sharedAccrossTenants, lamportsBalance, authorityOnchainId, authorityOffchainId, state, addressCount.
              * @example managed
              * @example type
              * @example code
              * @example alId
              * @example accountNumber
              * @example externalOrganizationId
              * @example offchainReferenceName
              * @example status
              * @example privateKeyLocation
              * @example comments
              * @example tenantOrganizationId
              * @example orgsIsGlobalFeePayerFor
              * @example orgsAllowedToSignWithPrivateKey
              * @example solDebitApiKeys
              * @example tokenDebitApiKeys
              * @example lastTransactionAt
              * @example creationTransactionAt
              * @example wasAlreadyOnchain
              * @example canPayFees
              * @example sharedAccrossTenants
              * @example lamportsBalance
              * @example authorityOnchainId
              * @example authorityOffchainId
              * @example state
              * @example addressCount
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of managed, type, code, alId, accountNumber, externalOrganizationId, offchainReferenceName, status, privateKeyLocation, comments, tenantOrganizationId, orgsIsGlobalFeePayerFor, orgsAllowedToSignWithPrivateKey, solDebitApiKeys, tokenDebitApiKeys, lastTransactionAt, creationTransactionAt, wasAlreadyOnchain, canPayFees, sharedAccrossTenants, lamportsBalance, authorityOnchainId, authorityOffchainId, state, addressCount.
              * @example managed
              * @example type
              * @example code
              * @example alId
              * @example accountNumber
              * @example externalOrganizationId
              * @example offchainReferenceName
              * @example status
              * @example privateKeyLocation
              * @example comments
              * @example tenantOrganizationId
              * @example orgsIsGlobalFeePayerFor
              * @example orgsAllowedToSignWithPrivateKey
              * @example solDebitApiKeys
              * @example tokenDebitApiKeys
              * @example lastTransactionAt
              * @example creationTransactionAt
              * @example wasAlreadyOnchain
              * @example canPayFees
              * @example sharedAccrossTenants
              * @example lamportsBalance
              * @example authorityOnchainId
              * @example authorityOffchainId
              * @example state
              * @example addressCount
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of managed, type, code, alId, accountNumber, externalOrganizationId, offchainReferenceName, status, privateKeyLocation, comments, tenantOrganizationId, orgsIsGlobalFeePayerFor, orgsAllowedToSignWithPrivateKey, solDebitApiKeys, tokenDebitApiKeys, lastTransactionAt, creationTransactionAt, wasAlreadyOnchain, canPayFees, sharedAccrossTenants, lamportsBalance, authorityOnchainId, authorityOffchainId, state, addressCount.
              * @example managed
              * @example type
              * @example code
              * @example alId
              * @example accountNumber
              * @example externalOrganizationId
              * @example offchainReferenceName
              * @example status
              * @example privateKeyLocation
              * @example comments
              * @example tenantOrganizationId
              * @example orgsIsGlobalFeePayerFor
              * @example orgsAllowedToSignWithPrivateKey
              * @example solDebitApiKeys
              * @example tokenDebitApiKeys
              * @example lastTransactionAt
              * @example creationTransactionAt
              * @example wasAlreadyOnchain
              * @example canPayFees
              * @example sharedAccrossTenants
              * @example lamportsBalance
              * @example authorityOnchainId
              * @example authorityOffchainId
              * @example state
              * @example addressCount
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Number of records that match the filter, before `skip` and `limit`. */
            count: number;
            /** @description The records of this page, in the requested order. */
            items: components["schemas"]["AddressLookupTable"][];
          };
        };
      };
    };
  };
  postDurableNonceAccounts: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
        /** @description respond-async: respond once the transaction is signed and durable. wait=N: wait N seconds at most. */
        Prefer?: components["parameters"]["prefer"];
        /** @description true: respond with 200 and the expected result, and change nothing. 200 does not mean that the request would be accepted: the result has the verdict of each debit limit in `limits`. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["NewNonces"];
          /** @description How the transaction is built: fee payer, compute budget, lifetime, version, and the commitment to wait for. Every member has a default. */
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description The expected result: fee, size, accounts, signers, the verdicts of limits and the simulation */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DryRun"];
        };
      };
      /** @description Success; `status` states whether the transaction is final */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Ids of the created nonce accounts. */
            newDurableNonceAccounts: components["schemas"]["Ids"][];
            /** @description The last transaction of the operation. Absent if the operation needed no transaction. */
            chainTransaction?: components["schemas"]["ChainTransactionResult"];
            /** @description All transactions of the operation that exist so far, in order. */
            chainTransactions: components["schemas"]["ChainTransactionResult"][];
            /** @description Progress of an operation that needs several transactions. Absent if one transaction is enough. */
            chainPlan?: components["schemas"]["ChainPlan"];
          };
        };
      };
    };
  };
  postDurableNonceAccountsSingle: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Filter, order and page of the records. Default: all records in the default order, the first 100. */
          itemQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of nonceAuthorityOnchainId, nonceAccountOnchainId, nonceAuthorityOffchainId, nonceAccountOffchainId, inUseByTransactionId, nonceAccountCode, nonceHash, isInUse.
              * @example nonceAuthorityOnchainId
              * @example nonceAccountOnchainId
              * @example nonceAuthorityOffchainId
              * @example nonceAccountOffchainId
              * @example inUseByTransactionId
              * @example nonceAccountCode
              * @example nonceHash
              * @example isInUse
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of nonceAuthorityOnchainId, nonceAccountOnchainId, nonceAuthorityOffchainId, nonceAccountOffchainId, inUseByTransactionId, nonceAccountCode, nonceHash, isInUse.
              * @example nonceAuthorityOnchainId
              * @example nonceAccountOnchainId
              * @example nonceAuthorityOffchainId
              * @example nonceAccountOffchainId
              * @example inUseByTransactionId
              * @example nonceAccountCode
              * @example nonceHash
              * @example isInUse
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          /** @description What the response contains. */
          outputConfig?: {
            /**
            * @description False: the response has `privateKeyDetails` with the location of the key, never the key.
            * @default true
            */
            excludePrivateKeyDetails?: boolean;
          };
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of nonceAuthorityOnchainId, nonceAccountOnchainId, nonceAuthorityOffchainId, nonceAccountOffchainId, inUseByTransactionId, nonceAccountCode, nonceHash, isInUse.
              * @example nonceAuthorityOnchainId
              * @example nonceAccountOnchainId
              * @example nonceAuthorityOffchainId
              * @example nonceAccountOffchainId
              * @example inUseByTransactionId
              * @example nonceAccountCode
              * @example nonceHash
              * @example isInUse
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of nonceAuthorityOnchainId, nonceAccountOnchainId, nonceAuthorityOffchainId, nonceAccountOffchainId, inUseByTransactionId, nonceAccountCode, nonceHash, isInUse.
              * @example nonceAuthorityOnchainId
              * @example nonceAccountOnchainId
              * @example nonceAuthorityOffchainId
              * @example nonceAccountOffchainId
              * @example inUseByTransactionId
              * @example nonceAccountCode
              * @example nonceHash
              * @example isInUse
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Number of records that match the filter, before `skip` and `limit`. */
            count: number;
            /** @description The records of this page, in the requested order. */
            items: {
              /** @description Account record of the nonce account. */
              nonceAccount: components["schemas"]["Account"];
              /** @description Account that may advance the nonce. */
              nonceAuthority: {
                /** @description Address of the authority. */
                onchain: {
                  /** @description Address on chain: base58 of 32 bytes. */
                  id: string;
                };
                /** @description Reference to the record of the authority. */
                offchain: {
                  /** @description Id of the account record, a UUID; null: not onboarded. */
                  id: string | null;
                };
                /** @description True if the service holds the private key of the account. */
                managed: boolean;
                /** @description External id of the organization that the account belongs to; null: not onboarded. */
                tenantOrganizationId: string | null;
              };
              /** @description As the chain showed it last, finalized; null before the first look. */
              nonceHash: string | null;
              /** @description The transaction that leases the nonce; null: the nonce is free. */
              inUse: {
                /**
                * Format: uuid
                * @description Id of the transaction, a UUID.
                */
                transactionOffchainId: string;
                /**
                * Format: date-time
                * @description Start of the lease, ISO 8601 in UTC.
                */
                transactionAt: string;
              } | null;
              /** @description Where the key is stored, and the public key. Only with `excludePrivateKeyDetails: false`. */
              privateKeyDetails?: {
                /** @description Where the private key is stored: DATABASE, SECRETS, DKG or REMOTE. */
                location: string[];
                /** @description Public key, which is the address of the account: base58 of 32 bytes. */
                publickKey: string;
              };
            }[];
          };
        };
      };
    };
  };
  postDurableNonceAccountsBulk: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Filter, order and page of the records. Default: all records in the default order, the first 100. */
          itemQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of nonceAuthorityOnchainId, nonceAccountOnchainId, nonceAuthorityOffchainId, nonceAccountOffchainId, inUseByTransactionId, nonceAccountCode, nonceHash, isInUse.
              * @example nonceAuthorityOnchainId
              * @example nonceAccountOnchainId
              * @example nonceAuthorityOffchainId
              * @example nonceAccountOffchainId
              * @example inUseByTransactionId
              * @example nonceAccountCode
              * @example nonceHash
              * @example isInUse
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of nonceAuthorityOnchainId, nonceAccountOnchainId, nonceAuthorityOffchainId, nonceAccountOffchainId, inUseByTransactionId, nonceAccountCode, nonceHash, isInUse.
              * @example nonceAuthorityOnchainId
              * @example nonceAccountOnchainId
              * @example nonceAuthorityOffchainId
              * @example nonceAccountOffchainId
              * @example inUseByTransactionId
              * @example nonceAccountCode
              * @example nonceHash
              * @example isInUse
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of nonceAuthorityOnchainId, nonceAccountOnchainId, nonceAuthorityOffchainId, nonceAccountOffchainId, inUseByTransactionId, nonceAccountCode, nonceHash, isInUse.
              * @example nonceAuthorityOnchainId
              * @example nonceAccountOnchainId
              * @example nonceAuthorityOffchainId
              * @example nonceAccountOffchainId
              * @example inUseByTransactionId
              * @example nonceAccountCode
              * @example nonceHash
              * @example isInUse
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of nonceAuthorityOnchainId, nonceAccountOnchainId, nonceAuthorityOffchainId, nonceAccountOffchainId, inUseByTransactionId, nonceAccountCode, nonceHash, isInUse.
              * @example nonceAuthorityOnchainId
              * @example nonceAccountOnchainId
              * @example nonceAuthorityOffchainId
              * @example nonceAccountOffchainId
              * @example inUseByTransactionId
              * @example nonceAccountCode
              * @example nonceHash
              * @example isInUse
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Number of records that match the filter, before `skip` and `limit`. */
            count: number;
            /** @description The records of this page, in the requested order. */
            items: components["schemas"]["DurableNonceAccount"][];
          };
        };
      };
    };
  };
  postMarketDataOnchainDataSource: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
        /** @description respond-async: respond once the transaction is signed and durable. wait=N: wait N seconds at most. */
        Prefer?: components["parameters"]["prefer"];
        /** @description true: respond with 200 and the expected result, and change nothing. 200 does not mean that the request would be accepted: the result has the verdict of each debit limit in `limits`. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["NewOnchainDataSource"];
          /** @description How the transaction is built: fee payer, compute budget, lifetime, version, and the commitment to wait for. Every member has a default. */
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description The expected result: fee, size, accounts, signers, the verdicts of limits and the simulation */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DryRun"];
        };
      };
      /** @description Success; `status` states whether the transaction is final */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Ids of the created data source. */
            newOnchainDataSource: components["schemas"]["Ids"];
            /** @description The last transaction of the operation. Absent if the operation needed no transaction. */
            chainTransaction?: components["schemas"]["ChainTransactionResult"];
          };
        };
      };
    };
  };
  patchMarketDataOnchainDataSource: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
        /** @description respond-async: respond once the transaction is signed and durable. wait=N: wait N seconds at most. */
        Prefer?: components["parameters"]["prefer"];
        /** @description true: respond with 200 and the expected result, and change nothing. 200 does not mean that the request would be accepted: the result has the verdict of each debit limit in `limits`. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["OnchainDataSourceChanges"];
          /** @description How the transaction is built: fee payer, compute budget, lifetime, version, and the commitment to wait for. Every member has a default. */
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Ids of the changed data source. */
            updatedOnchainDataSource: components["schemas"]["Ids"];
            /** @description The last transaction of the operation. Absent if the operation needed no transaction. */
            chainTransaction?: components["schemas"]["ChainTransactionResult"];
          } | components["schemas"]["DryRun"];
        };
      };
    };
  };
  patchMarketDataOnchainDataSourceRefresh: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
        /** @description respond-async: respond once the transaction is signed and durable. wait=N: wait N seconds at most. */
        Prefer?: components["parameters"]["prefer"];
        /** @description true: respond with 200 and the expected result, and change nothing. 200 does not mean that the request would be accepted: the result has the verdict of each debit limit in `limits`. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["RefreshOnchainDataSource"];
          /** @description How the transaction is built: fee payer, compute budget, lifetime, version, and the commitment to wait for. Every member has a default. */
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Ids of the refreshed data source. */
            refreshedOnchainDataSource: components["schemas"]["Ids"];
            /** @description The value that was published. */
            value: string;
            /**
            * Format: date-time
            * @description Time at which the value was computed, ISO 8601 in UTC.
            */
            asOf: string;
            /** @description The result of each job, in the order of the definition. */
            jobs: {
              /** @description True if the job yielded a value. */
              succeeded: boolean;
              /** @description The value of the job. Absent: it failed. */
              value?: string;
              /** @description The job, the task and the reason. */
              error?: string;
            }[];
            /** @description The last transaction of the operation. Absent if the operation needed no transaction. */
            chainTransaction: components["schemas"]["ChainTransactionResult"];
          } | components["schemas"]["DryRun"];
        };
      };
    };
  };
  postMarketDataOnchainDataSourceSingle: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["NamedOnchainDataSource"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["OnchainDataSource"];
        };
      };
    };
  };
  postMarketDataOnchainDataSourceBulk: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Filter, order and page of the records. Default: all records in the default order, the first 100. */
          itemQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of defiProtocol, dataType, ratingAgency, onchainDataSourceOffchainId, financialInstrumentOffchainId, onchainDataSourceAuthorityOffchainId, onchainDataSourceOnchainId, financialInstrumentOnchainId, onchainDataSourceAuthorityOnchainId.
              * @example defiProtocol
              * @example dataType
              * @example ratingAgency
              * @example onchainDataSourceOffchainId
              * @example financialInstrumentOffchainId
              * @example onchainDataSourceAuthorityOffchainId
              * @example onchainDataSourceOnchainId
              * @example financialInstrumentOnchainId
              * @example onchainDataSourceAuthorityOnchainId
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of defiProtocol, dataType, ratingAgency, onchainDataSourceOffchainId, financialInstrumentOffchainId, onchainDataSourceAuthorityOffchainId, onchainDataSourceOnchainId, financialInstrumentOnchainId, onchainDataSourceAuthorityOnchainId.
              * @example defiProtocol
              * @example dataType
              * @example ratingAgency
              * @example onchainDataSourceOffchainId
              * @example financialInstrumentOffchainId
              * @example onchainDataSourceAuthorityOffchainId
              * @example onchainDataSourceOnchainId
              * @example financialInstrumentOnchainId
              * @example onchainDataSourceAuthorityOnchainId
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of defiProtocol, dataType, ratingAgency, onchainDataSourceOffchainId, financialInstrumentOffchainId, onchainDataSourceAuthorityOffchainId, onchainDataSourceOnchainId, financialInstrumentOnchainId, onchainDataSourceAuthorityOnchainId.
              * @example defiProtocol
              * @example dataType
              * @example ratingAgency
              * @example onchainDataSourceOffchainId
              * @example financialInstrumentOffchainId
              * @example onchainDataSourceAuthorityOffchainId
              * @example onchainDataSourceOnchainId
              * @example financialInstrumentOnchainId
              * @example onchainDataSourceAuthorityOnchainId
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of defiProtocol, dataType, ratingAgency, onchainDataSourceOffchainId, financialInstrumentOffchainId, onchainDataSourceAuthorityOffchainId, onchainDataSourceOnchainId, financialInstrumentOnchainId, onchainDataSourceAuthorityOnchainId.
              * @example defiProtocol
              * @example dataType
              * @example ratingAgency
              * @example onchainDataSourceOffchainId
              * @example financialInstrumentOffchainId
              * @example onchainDataSourceAuthorityOffchainId
              * @example onchainDataSourceOnchainId
              * @example financialInstrumentOnchainId
              * @example onchainDataSourceAuthorityOnchainId
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Number of records that match the filter, before `skip` and `limit`. */
            count: number;
            /** @description The records of this page, in the requested order. */
            items: components["schemas"]["OnchainDataSource"][];
          };
        };
      };
    };
  };
  postTransactionsStatus: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["TransactionReference"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ChainTransactionResult"];
        };
      };
    };
  };
  postTransactionsSingle: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["TransactionReference"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Transaction"];
        };
      };
    };
  };
  postTransactionsBulkDetailLevel: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path: {
        "detail-level": "detailed" | "compact" | "identifiers";
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Filter, order and page of the records. Default: all records in the default order, the first 100. */
          itemQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of offchainId, onchainId, status, success, fee, feePayerOffchainId, feePayerOnchainId, accountOffchainId, accountOnchainId, messageLifetimeStrategy, recentBlockhash, computeUnitsConsumed, computeUnitsLimit, computeUnitPrice, instructionType, endpoint, externalReference, memo, blockTime, preparedAt, awaitsOurSignature, awaitsApprovalBy.
              * @example offchainId
              * @example onchainId
              * @example status
              * @example success
              * @example fee
              * @example feePayerOffchainId
              * @example feePayerOnchainId
              * @example accountOffchainId
              * @example accountOnchainId
              * @example messageLifetimeStrategy
              * @example recentBlockhash
              * @example computeUnitsConsumed
              * @example computeUnitsLimit
              * @example computeUnitPrice
              * @example instructionType
              * @example endpoint
              * @example externalReference
              * @example memo
              * @example blockTime
              * @example preparedAt
              * @example awaitsOurSignature
              * @example awaitsApprovalBy
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of offchainId, onchainId, status, success, fee, feePayerOffchainId, feePayerOnchainId, accountOffchainId, accountOnchainId, messageLifetimeStrategy, recentBlockhash, computeUnitsConsumed, computeUnitsLimit, computeUnitPrice, instructionType, endpoint, externalReference, memo, blockTime, preparedAt, awaitsOurSignature, awaitsApprovalBy.
              * @example offchainId
              * @example onchainId
              * @example status
              * @example success
              * @example fee
              * @example feePayerOffchainId
              * @example feePayerOnchainId
              * @example accountOffchainId
              * @example accountOnchainId
              * @example messageLifetimeStrategy
              * @example recentBlockhash
              * @example computeUnitsConsumed
              * @example computeUnitsLimit
              * @example computeUnitPrice
              * @example instructionType
              * @example endpoint
              * @example externalReference
              * @example memo
              * @example blockTime
              * @example preparedAt
              * @example awaitsOurSignature
              * @example awaitsApprovalBy
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of offchainId, onchainId, status, success, fee, feePayerOffchainId, feePayerOnchainId, accountOffchainId, accountOnchainId, messageLifetimeStrategy, recentBlockhash, computeUnitsConsumed, computeUnitsLimit, computeUnitPrice, instructionType, endpoint, externalReference, memo, blockTime, preparedAt, awaitsOurSignature, awaitsApprovalBy.
              * @example offchainId
              * @example onchainId
              * @example status
              * @example success
              * @example fee
              * @example feePayerOffchainId
              * @example feePayerOnchainId
              * @example accountOffchainId
              * @example accountOnchainId
              * @example messageLifetimeStrategy
              * @example recentBlockhash
              * @example computeUnitsConsumed
              * @example computeUnitsLimit
              * @example computeUnitPrice
              * @example instructionType
              * @example endpoint
              * @example externalReference
              * @example memo
              * @example blockTime
              * @example preparedAt
              * @example awaitsOurSignature
              * @example awaitsApprovalBy
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of offchainId, onchainId, status, success, fee, feePayerOffchainId, feePayerOnchainId, accountOffchainId, accountOnchainId, messageLifetimeStrategy, recentBlockhash, computeUnitsConsumed, computeUnitsLimit, computeUnitPrice, instructionType, endpoint, externalReference, memo, blockTime, preparedAt, awaitsOurSignature, awaitsApprovalBy.
              * @example offchainId
              * @example onchainId
              * @example status
              * @example success
              * @example fee
              * @example feePayerOffchainId
              * @example feePayerOnchainId
              * @example accountOffchainId
              * @example accountOnchainId
              * @example messageLifetimeStrategy
              * @example recentBlockhash
              * @example computeUnitsConsumed
              * @example computeUnitsLimit
              * @example computeUnitPrice
              * @example instructionType
              * @example endpoint
              * @example externalReference
              * @example memo
              * @example blockTime
              * @example preparedAt
              * @example awaitsOurSignature
              * @example awaitsApprovalBy
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Number of records that match the filter, before `skip` and `limit`. */
            count: number;
            /** @description The records of this page, in the requested order. */
            items: (components["schemas"]["Transaction"] | components["schemas"]["TransactionCompact"] | components["schemas"]["TransactionIdentifiers"])[];
          };
        };
      };
    };
  };
  postTransactionsExplain: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["TransactionReference"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Explanation"];
        };
      };
    };
  };
  postTransactionsSign: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["SignTransaction"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SignedTransaction"];
        };
      };
    };
  };
  postTransactionsSubmit: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["SubmitTransaction"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ChainTransactionResult"];
        };
      };
    };
  };
  postTransactionsApprove: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["ApproveTransaction"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ChainTransactionResult"] | components["schemas"]["BatchResult"];
        };
      };
    };
  };
  patchTransactionsAttest: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["AttestTransaction"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ChainTransactionResult"];
        };
      };
    };
  };
  patchTransactionsCancel: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["CancelTransaction"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ChainTransactionResult"] | components["schemas"]["BatchResult"];
        };
      };
    };
  };
  postStatements: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["NewStatement"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Statement"];
          "text/csv": string;
        };
      };
    };
  };
  postWebhooks: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["NewWebhook"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Success; `status` states whether the transaction is final */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CreatedWebhook"];
        };
      };
    };
  };
  postWebhooksBulk: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Filter, order and page of the records. Default: all records in the default order, the first 100. */
          itemQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of offchainId, url, eventTypes, status, disabled, createdAt, disabledAt, lastDeliveredAt.
              * @example offchainId
              * @example url
              * @example eventTypes
              * @example status
              * @example disabled
              * @example createdAt
              * @example disabledAt
              * @example lastDeliveredAt
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of offchainId, url, eventTypes, status, disabled, createdAt, disabledAt, lastDeliveredAt.
              * @example offchainId
              * @example url
              * @example eventTypes
              * @example status
              * @example disabled
              * @example createdAt
              * @example disabledAt
              * @example lastDeliveredAt
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of offchainId, url, eventTypes, status, disabled, createdAt, disabledAt, lastDeliveredAt.
              * @example offchainId
              * @example url
              * @example eventTypes
              * @example status
              * @example disabled
              * @example createdAt
              * @example disabledAt
              * @example lastDeliveredAt
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of offchainId, url, eventTypes, status, disabled, createdAt, disabledAt, lastDeliveredAt.
              * @example offchainId
              * @example url
              * @example eventTypes
              * @example status
              * @example disabled
              * @example createdAt
              * @example disabledAt
              * @example lastDeliveredAt
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Number of records that match the filter, before `skip` and `limit`. */
            count: number;
            /** @description The records of this page, in the requested order. */
            items: components["schemas"]["Webhook"][];
          };
        };
      };
    };
  };
  patchWebhooksRotate: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["RotateWebhook"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RotatedWebhook"];
        };
      };
    };
  };
  patchWebhooksDisable: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["DisableWebhook"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Id of the disabled webhook. */
            disabledWebhook: {
              /**
              * Format: uuid
              * @description Id of the record in the service, a UUID.
              */
              offchainId: string;
            };
          };
        };
      };
    };
  };
  patchWebhooksRedeliver: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["RedeliverWebhook"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Id of the webhook, and the start of the deliveries. */
            redeliveredWebhook: {
              /**
              * Format: uuid
              * @description Id of the record in the service, a UUID.
              */
              offchainId: string;
              /** @description Sequence of the first event that is delivered again. Absent: waiting events are attempted at once. */
              fromSequence?: number;
            };
          };
        };
      };
    };
  };
  postAuditBulk: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Filter, order and page of the records. Default: all records in the default order, the first 100. */
          itemQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of sequence, at, keyId, action, outcome, resourceOffchainId, resourceOnchainId, count.
              * @example sequence
              * @example at
              * @example keyId
              * @example action
              * @example outcome
              * @example resourceOffchainId
              * @example resourceOnchainId
              * @example count
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of sequence, at, keyId, action, outcome, resourceOffchainId, resourceOnchainId, count.
              * @example sequence
              * @example at
              * @example keyId
              * @example action
              * @example outcome
              * @example resourceOffchainId
              * @example resourceOnchainId
              * @example count
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of sequence, at, keyId, action, outcome, resourceOffchainId, resourceOnchainId, count.
              * @example sequence
              * @example at
              * @example keyId
              * @example action
              * @example outcome
              * @example resourceOffchainId
              * @example resourceOnchainId
              * @example count
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of sequence, at, keyId, action, outcome, resourceOffchainId, resourceOnchainId, count.
              * @example sequence
              * @example at
              * @example keyId
              * @example action
              * @example outcome
              * @example resourceOffchainId
              * @example resourceOnchainId
              * @example count
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Number of records that match the filter, before `skip` and `limit`. */
            count: number;
            /** @description The records of this page, in the requested order. */
            items: components["schemas"]["AuditRow"][];
          };
        };
      };
    };
  };
  postAdminOrganizations: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["NewOrganization"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Success; `status` states whether the transaction is final */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Organization"];
        };
      };
    };
  };
  patchAdminOrganizations: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["OrganizationChanges"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description The changed organization. */
            updatedOrganization: {
              /** @description External id of the organization, unique in the service. */
              externalId: string;
            };
          };
        };
      };
      /** @description Approval policies cover the request: it waits for approvals as a pending change */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["HeldBack"];
        };
      };
    };
  };
  postAdminOrganizationsBulk: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Filter, order and page of the records. Default: all records in the default order, the first 100. */
          itemQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of externalId, name, parentExternalId.
              * @example externalId
              * @example name
              * @example parentExternalId
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of externalId, name, parentExternalId.
              * @example externalId
              * @example name
              * @example parentExternalId
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of externalId, name, parentExternalId.
              * @example externalId
              * @example name
              * @example parentExternalId
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of externalId, name, parentExternalId.
              * @example externalId
              * @example name
              * @example parentExternalId
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Number of records that match the filter, before `skip` and `limit`. */
            count: number;
            /** @description The records of this page, in the requested order. */
            items: components["schemas"]["Organization"][];
          };
        };
      };
    };
  };
  postAdminApiKeys: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["NewApiKey"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Success; `status` states whether the transaction is final */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ApiKey"];
        };
      };
      /** @description Approval policies cover the request: it waits for approvals as a pending change */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["HeldBack"];
        };
      };
    };
  };
  postAdminApiKeysBulk: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Filter, order and page of the records. Default: all records in the default order, the first 100. */
          itemQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of keyId, name, organizationExternalId, disabled, expiresAt, lastUsedAt.
              * @example keyId
              * @example name
              * @example organizationExternalId
              * @example disabled
              * @example expiresAt
              * @example lastUsedAt
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of keyId, name, organizationExternalId, disabled, expiresAt, lastUsedAt.
              * @example keyId
              * @example name
              * @example organizationExternalId
              * @example disabled
              * @example expiresAt
              * @example lastUsedAt
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /**
            * @description Maximum number of records in the response, 0 to 1000.
            * @default 100
            */
            limit?: number;
            /**
            * @description Number of matching records to skip before the first one in the response.
            * @default 0
            */
            skip?: number;
            /** @description Conditions that a record must meet, all of them. Default: none. */
            filter?: {
              /**
              * @description One of keyId, name, organizationExternalId, disabled, expiresAt, lastUsedAt.
              * @example keyId
              * @example name
              * @example organizationExternalId
              * @example disabled
              * @example expiresAt
              * @example lastUsedAt
              */
              fieldName: string;
              /**
              * @description Joins the `filterValues` of this entry: AND requires all of them, OR at least one.
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              /** @description Comparisons of the field with values. */
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            /** @description Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions. Default: the default order of the endpoint. */
            sort?: {
              /**
              * @description One of keyId, name, organizationExternalId, disabled, expiresAt, lastUsedAt.
              * @example keyId
              * @example name
              * @example organizationExternalId
              * @example disabled
              * @example expiresAt
              * @example lastUsedAt
              */
              fieldName: string;
              /**
              * @description ASC: ascending; DESC: descending.
              * @enum {string}
              */
              sortDirection: "ASC" | "DESC";
            }[];
          };
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Number of records that match the filter, before `skip` and `limit`. */
            count: number;
            /** @description The records of this page, in the requested order. */
            items: components["schemas"]["ApiKeyRecord"][];
          };
        };
      };
    };
  };
  patchAdminApiKeysRotate: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["RotateApiKey"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ApiKey"];
        };
      };
      /** @description Approval policies cover the request: it waits for approvals as a pending change */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["HeldBack"];
        };
      };
    };
  };
  patchAdminApiKeysDisable: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["DisableApiKey"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description Id of the API key: 12 base62 characters; of a token, `jwt:` and its subject. */
            keyId: string;
          } & {
            [key: string]: unknown;
          };
        };
      };
    };
  };
  patchAdminFreeze: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["FreezeTarget"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description What is frozen: an account, an organization, or everything. */
            frozen: {
              /** @description Address on chain: base58 of 32 bytes. */
              onchainId?: string;
              /**
              * Format: uuid
              * @description Id of the record in the service, a UUID.
              */
              offchainId?: string;
              /** @description External id of the organization. */
              organizationExternalId?: string;
              /** @description True if the target is everything. */
              everything?: boolean;
            };
          };
        };
      };
    };
  };
  patchAdminUnfreeze: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["FreezeTarget"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description What is no longer frozen: an account, an organization, or everything. */
            unfrozen: {
              /** @description Address on chain: base58 of 32 bytes. */
              onchainId?: string;
              /**
              * Format: uuid
              * @description Id of the record in the service, a UUID.
              */
              offchainId?: string;
              /** @description External id of the organization. */
              organizationExternalId?: string;
              /** @description True if the target is everything. */
              everything?: boolean;
            };
          };
        };
      };
    };
  };
  patchAdminLanesSuspend: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["LaneTarget"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description The submission lanes that are suspended. */
            suspended: {
              /** @description Id of the cluster (a setting of the service). */
              chainClusterId: string;
            } & {
              [key: string]: unknown;
            };
          };
        };
      };
    };
  };
  patchAdminLanesResume: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description A request with the same key and body is executed once; later ones return its result. */
        "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The record to create, the change to make, or the lookup of the record to fetch. */
          itemData: components["schemas"]["LaneTarget"];
          /** @description Selects the organization to act for. Default: the organization of the API key. */
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description The submission lanes that are resumed. */
            resumed: {
              /** @description Id of the cluster (a setting of the service). */
              chainClusterId: string;
            } & {
              [key: string]: unknown;
            };
          };
        };
      };
    };
  };
  getFinancialInstrumentLogo: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path: {
        offchainId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The image */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "image/png": string;
          "image/jpeg": string;
          "image/webp": string;
        };
      };
    };
  };
  getEvents: {
    parameters: {
      query?: {
        /** @description Return events with a higher sequence only. */
        after?: number;
        /** @description 0 returns the end of the log only. */
        limit?: number;
        /** @description As in tenancyConfig: the organization whose events are returned. */
        overrideOrganizationExternalId?: string;
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @description The records of this page, in the requested order. */
            items: components["schemas"]["Event"][];
            /** @description Last sequence covered by this page; use it as `after` of the next request. */
            lastSequence: number;
          };
        };
      };
    };
  };
  getEventsStream: {
    parameters: {
      query?: {
        /** @description Return events with a higher sequence only. */
        after?: number;
        /** @description As in tenancyConfig: the organization whose events are returned. */
        overrideOrganizationExternalId?: string;
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description The last id received. */
        "Last-Event-ID"?: number;
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The stream */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "text/event-stream": string;
        };
      };
    };
  };
  getWhoami: {
    parameters: {
      query?: {
        /** @description The cluster; the default cluster if absent. */
        chainClusterId?: components["parameters"]["chainClusterId"];
      };
      header?: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Identity"];
        };
      };
    };
  };
  postRemoteSignersAnswers: {
    parameters: {
      query?: never;
      header: {
        /** @description A UUID, returned in the response; generated if absent. */
        "x-request-id"?: components["parameters"]["xRequestId"];
        /** @description Id of the request, part of what is signed. */
        "webhook-id": string;
        /** @description Unix seconds, at most 300 seconds off. */
        "webhook-timestamp": string;
        /** @description `v1,` and the base64 of HMAC-SHA256 over id, timestamp and body, joined by periods. */
        "webhook-signature": string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RemoteSignerAnswer"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RemoteSignerAnswered"];
        };
      };
    };
  };
}
