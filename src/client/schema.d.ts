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
    * @description Requires the role ACCOUNTS_WRITE. Creates a transaction: if requested.
    */
    post: operations["postAccounts"];
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Update an account
    * @description Requires the role ACCOUNTS_WRITE. Creates a transaction: never.
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
    * @description Requires the role ACCOUNTS_WRITE. Creates a transaction: if requested.
    */
    patch: operations["patchAccountsInactivate"];
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
    * @description Requires the role ACCOUNTS_READ.
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
    * @description Requires the role ACCOUNTS_READ.
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
    * @description Requires the role ACCOUNTS_READ.
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
    * @description Requires the role PRIVATE_KEY_EXPORT.
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
    * @description Requires the role INSTRUMENTS_WRITE. Creates a transaction: if requested.
    */
    post: operations["postFinancialInstruments"];
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Update a financial instrument
    * @description Requires the role INSTRUMENTS_WRITE. Creates a transaction: if requested.
    */
    patch: operations["patchFinancialInstruments"];
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
    * @description Requires the role INSTRUMENTS_WRITE. Creates a transaction: always.
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
    * @description Requires the role INSTRUMENTS_WRITE. Creates a transaction: always.
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
    * @description Requires the role INSTRUMENTS_WRITE. Creates a transaction: always.
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
    * @description Requires the role INSTRUMENTS_READ.
    */
    post: operations["postFinancialInstrumentsSingleCirculatingSupply"];
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
    * @description Requires the role INSTRUMENTS_READ.
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
    * @description Requires the role INSTRUMENTS_READ.
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
    * @description Requires the role INSTRUMENTS_READ.
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
    * @description Requires the role POSITIONS_WRITE. Creates a transaction: if requested.
    */
    post: operations["postPositions"];
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Update a position
    * @description Requires the role POSITIONS_WRITE. Creates a transaction: never.
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
    * @description Requires the role POSITIONS_WRITE. Creates a transaction: always.
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
    * @description Requires the role POSITIONS_WRITE. Creates a transaction: always.
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
    * @description Requires the role POSITIONS_WRITE. Creates a transaction: always.
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
    * @description Requires the role POSITIONS_WRITE. Creates a transaction: always.
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
    * @description Requires the role POSITIONS_WRITE. Creates a transaction: always.
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
    * @description Requires the role POSITIONS_WRITE. Creates a transaction: always.
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
    * @description Requires the role POSITIONS_WRITE. Creates a transaction: always.
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
    * @description Requires the role POSITIONS_WRITE. Creates a transaction: always.
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
    * @description Requires the role POSITIONS_READ.
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
    * @description Requires the role POSITIONS_READ.
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
    * @description Requires the role POSITIONS_READ.
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
    * @description Requires the role POSITIONS_WRITE or ACCOUNTS_WRITE. Creates a transaction: always.
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
    * @description Requires the role TRANSACTIONS_READ.
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
    * @description Requires the role TRANSACTIONS_READ.
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
    * @description Requires the role TRANSACTIONS_READ.
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
    * @description Requires the role POSITIONS_WRITE or ACCOUNTS_WRITE. Creates a transaction: never.
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
    * @description Requires the role POSITIONS_WRITE or ACCOUNTS_WRITE. Creates a transaction: never.
    */
    patch: operations["patchBatchesRetry"];
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
    * @description Requires the role LOANS_WRITE. Creates a transaction: always.
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
    * @description Requires the role LOANS_READ.
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
    * @description Requires the role LOANS_READ.
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
    * @description Requires the role LOANS_WRITE. Creates a transaction: if requested.
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
    * @description Requires the role LOANS_WRITE. Creates a transaction: if requested.
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
    * @description Requires the role LOANS_WRITE. Creates a transaction: always.
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
    * @description Requires the role LOANS_WRITE. Creates a transaction: if requested.
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
    * @description Requires the role LOANS_WRITE. Creates a transaction: always.
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
    * @description Requires the role LOANS_WRITE. Creates a transaction: never.
    */
    post: operations["postLoansStrategies"];
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Update a lending strategy
    * @description Requires the role LOANS_WRITE. Creates a transaction: never.
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
    * @description Requires the role LOANS_READ.
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
    * @description Requires the role LOANS_READ.
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
    * @description Requires the role LOOKUP_TABLES_WRITE. Creates a transaction: if requested.
    */
    post: operations["postAddressLookupTables"];
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Update, freeze, deactivate or close an address lookup table
    * @description Requires the role LOOKUP_TABLES_WRITE. Creates a transaction: if requested.
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
    * @description Requires the role LOOKUP_TABLES_WRITE. Creates a transaction: always.
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
    * @description Requires the role LOOKUP_TABLES_READ.
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
    * @description Requires the role LOOKUP_TABLES_READ.
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
    * @description Requires the role NONCES_WRITE. Creates a transaction: if requested.
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
    * @description Requires the role NONCES_READ.
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
    * @description Requires the role NONCES_READ.
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
    * @description Requires the role MARKET_DATA_WRITE. Creates a transaction: always.
    */
    post: operations["postMarketDataOnchainDataSource"];
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Update the definition of a data source
    * @description Requires the role MARKET_DATA_WRITE. Creates a transaction: if requested.
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
    * @description Requires the role MARKET_DATA_WRITE. Creates a transaction: always.
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
    * @description Requires the role MARKET_DATA_READ.
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
    * @description Requires the role MARKET_DATA_READ.
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
    * @description Requires the role TRANSACTIONS_READ.
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
    * @description Requires the role TRANSACTIONS_READ.
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
    * @description Requires the role TRANSACTIONS_READ.
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
    * @description Requires the role TRANSACTIONS_READ.
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
    * @description Requires the role TRANSACTIONS_WRITE. Creates a transaction: never.
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
    * @description Requires the role TRANSACTIONS_WRITE. Creates a transaction: never.
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
    * Approve a transaction that exceeds debit limits
    * @description Requires the role DEBIT_LIMIT_APPROVE. Creates a transaction: never.
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
    * Cancel a transaction
    * @description Requires the role TRANSACTIONS_WRITE or DEBIT_LIMIT_APPROVE. Creates a transaction: never.
    */
    patch: operations["patchTransactionsCancel"];
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
    * @description Requires the role EVENTS_WRITE. Creates a transaction: never.
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
    * @description Requires the role EVENTS_READ.
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
    * @description Requires the role EVENTS_WRITE. Creates a transaction: never.
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
    * @description Requires the role EVENTS_WRITE. Creates a transaction: never.
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
    * @description Requires the role EVENTS_WRITE. Creates a transaction: never.
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
    * @description Requires the role AUDIT_READ.
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
    * @description Requires the role PLATFORM_ADMIN or TENANT_ADMIN. Creates a transaction: never.
    */
    post: operations["postAdminOrganizations"];
    delete?: never;
    options?: never;
    head?: never;
    /**
    * Update an organization
    * @description Requires the role PLATFORM_ADMIN or TENANT_ADMIN. Creates a transaction: never.
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
    * @description Requires the role PLATFORM_ADMIN or TENANT_ADMIN.
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
    * @description Requires the role PLATFORM_ADMIN or TENANT_ADMIN. Creates a transaction: never.
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
    * @description Requires the role PLATFORM_ADMIN or TENANT_ADMIN.
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
    * @description Requires the role PLATFORM_ADMIN or TENANT_ADMIN. Creates a transaction: never.
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
    * @description Requires the role PLATFORM_ADMIN or TENANT_ADMIN. Creates a transaction: never.
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
    * @description Requires the role PLATFORM_ADMIN or TENANT_ADMIN. Creates a transaction: never.
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
    * @description Requires the role PLATFORM_ADMIN or TENANT_ADMIN. Creates a transaction: never.
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
    * @description Requires the role PLATFORM_ADMIN or TENANT_ADMIN. Creates a transaction: never.
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
    * @description Requires the role PLATFORM_ADMIN or TENANT_ADMIN. Creates a transaction: never.
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
    * @description Requires the role INSTRUMENTS_READ.
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
    * @description Requires the role EVENTS_READ. Repeat with after=lastSequence for the next page.
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
    * @description Requires the role EVENTS_READ. Server-sent events: `id` is the sequence, `event` the type, `data` the event. Starts after Last-Event-ID, else after the parameter `after`, else with the next event.
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
    * @description Requires a valid API key, and no role.
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
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    CreateAccount: {
      managed?: boolean;
      alreadyOnchain?: boolean;
      /** @example 11111111111111111111111111111111 */
      onchainId?: string;
      offchainReferences?: components["schemas"]["OffchainReferences"];
      privateKeyDetails?: components["schemas"]["PrivateKeyDetails"];
      solDebitApiKeys?: string[];
      tokenDebitApiKeys?: string[];
      networkCurrencyDebitLimits?: components["schemas"]["NetworkCurrencyDebitLimit"][] | null;
      tokenDebitLimits?: components["schemas"]["TokenDebitLimit"][] | null;
      /** @description Bytes reserved on chain. */
      dataLength?: number;
      /** @description Display units: a JSON number of at most 15 significant digits, or a decimal string. */
      seedAmount?: number | string | bigint;
      /** @description Raw integer units: a JSON number or a decimal string. */
      seedLamports?: number | string | bigint;
      subscribeToNetworkEvents?: boolean;
      canPayFees?: boolean;
      globalFeePayerForOrgs?: string[];
      orgsAllowedToSignWithPrivateKey?: string[];
      shareAcrossTenants?: boolean;
      /** @enum {string} */
      tokenVersion?: "SPL" | "TOKEN_2022";
      comments?: string;
      isDerived?: boolean;
      isGenesis?: boolean;
      domain?: string;
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
      alId?: string;
      organizationExternalId?: string;
      accountNumber?: string;
      code?: string;
      /** @enum {string} */
      type?: "WALLET" | "ASSETS_WALLET" | "CURRENCIES_WALLET" | "DEFI_SETTLEMENT_WALLET" | "FUNDS_TOKEN_ACCOUNT" | "ASSET_TOKEN_ACCOUNT" | "FUNDS_TOKEN" | "ASSET_TOKEN" | "ADDRESS_LOOKUP_TABLE" | "NONCE" | "TOKEN_MANAGEMENT_AUTHORITY";
      name?: string;
    };
    PrivateKeyDetails: {
      location?: ("DATABASE" | "SECRETS" | "DKG")[];
      /** @example 11111111111111111111111111111111 */
      publickKey?: string;
      privateKey?: string;
      dkgKeys?: {
        keyUsage?: string;
        useBackendPlayersCodes?: string[];
        isDefault?: boolean;
        session?: {
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
      * @default ANY
      * @enum {string}
      */
      destination?: "ANY" | "OFF_PLATFORM" | "NON_MANAGED" | "MANAGED" | "FEES" | "PRIORITY_FEES" | "RENT";
      /** @description Of FEES and PRIORITY_FEES: the organization that they are paid for; absent: every organization, each by itself. */
      organizationExternalId?: string;
      maxAllowedDebit?: components["schemas"]["MaxAllowedDebit"] | null;
    };
    MaxAllowedDebit: {
      /** @enum {string} */
      limitType: "PER_TRANSACTION" | "DURATION";
      /** @description Absent or null: unlimited. */
      limitAmount?: number | string | bigint | null;
      duration?: {
        /** @enum {string} */
        code: "MINUTES" | "HOURS" | "DAYS" | "WEEKS";
        unit: number;
      } | null;
      approversForOverride?: string[];
      requiredApproversCount?: number;
    };
    /** @description maxAllowedDebit absent: unlimited; mintAuthority absent: all mints. */
    TokenDebitLimit: {
      /**
      * @default ANY
      * @enum {string}
      */
      operationType?: "ANY" | "TRANSFER" | "BURN";
      /**
      * @default ANY
      * @enum {string}
      */
      destination?: "ANY" | "OFF_PLATFORM" | "NON_MANAGED" | "MANAGED";
      mintAuthority?: components["schemas"]["AccountLookup"];
      maxAllowedDebit?: components["schemas"]["MaxAllowedDebit"] | null;
    };
    /** @description One of onchainId, offchainId and offchainReferences is needed; all that are given must agree. */
    AccountLookup: {
      /** @example 11111111111111111111111111111111 */
      onchainId?: string;
      /** Format: uuid */
      offchainId?: string;
      offchainReferences?: components["schemas"]["OffchainReferences"];
      /**
      * @description false: do not sign with this account now.
      * @default true
      */
      autoSign?: boolean;
      otherTenantOrganizationExternalId?: string;
      /** @description The account is not onboarded; needs onchainId. */
      offPlatform?: boolean;
    };
    ChainTransactionConfig: {
      feePayer?: components["schemas"]["AccountLookup"];
      computeUnitConfig?: {
        enable?: boolean;
        limit?: number;
        /** @description Micro-lamports per compute unit. */
        price?: number;
        priceEstimate?: {
          /** @enum {string} */
          provider?: "NETWORK";
          /** @enum {string} */
          calculationStrategy?: "DEFAULT";
          /** @enum {string} */
          priorityLevel?: "MIN" | "LOW" | "MEDIUM" | "RECOMMENDED" | "HIGH" | "VERY_HIGH";
        };
      };
      commitmentConfig?: {
        /**
        * @default confirmed
        * @enum {string}
        */
        commitmentLevel?: "processed" | "confirmed" | "finalized";
      };
      /**
      * @default RECENT_BLOCKHASH
      * @enum {string}
      */
      messageLifetimeStrategy?: "RECENT_BLOCKHASH" | "DURABLE_NONCE";
      /**
      * @default V0
      * @enum {string}
      */
      transactionVersion?: "V0" | "LEGACY";
    };
    TenancyConfig: {
      overrideOrganizationExternalId?: string;
    };
    Ids: {
      onchainId: string;
      /** Format: uuid */
      offchainId: string;
    };
    ChainTransactionResult: {
      success: boolean;
      /** Format: uuid */
      offchainId: string;
      /** @enum {string} */
      status: "PREPARED" | "PARTIALLY_SIGNED" | "SIGNED" | "SUBMITTED" | "PROCESSED" | "CONFIRMED" | "FINALIZED" | "BLOCKCHAIN_ERROR" | "NON_BLOCKCHAIN_ERROR" | "CANCELLED" | "EXPIRED";
      /** @description The first signature; null while there is none. */
      onchainId: string | null;
      confirmationsCount: number | null;
      /** @description Base64 of the message. */
      serializedMessage: string | null;
      errorMessage?: string;
      /** @description It goes on only once others have approved it. */
      approval?: {
        /** @description The debit limits that are exceeded. */
        entries: components["schemas"]["DebitLimitVerdict"][];
        /** @description How many keys have to approve it at least. */
        required: number;
        given: number;
        /** Format: date-time */
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
      /** @enum {string} */
      destination: "ANY" | "OFF_PLATFORM" | "NON_MANAGED" | "MANAGED" | "FEES" | "PRIORITY_FEES" | "RENT";
      /** @description Of fees: the organization they are paid for. */
      organizationExternalId?: string;
      /** @description null: unlimited. */
      maxAllowedDebit: {
        /** @enum {string} */
        limitType: "PER_TRANSACTION" | "DURATION";
        /** @description A decimal string. */
        limitAmount: string | null;
        duration: {
          /** @enum {string} */
          code: "MINUTES" | "HOURS" | "DAYS" | "WEEKS";
          unit: number;
        } | null;
        approversForOverride: string[];
        requiredApproversCount: number;
      } | null;
      account: {
        onchainId: string;
        /** Format: uuid */
        offchainId: string;
      };
      /** @enum {string} */
      operationType: "ANY" | "TRANSFER" | "BURN";
      financialInstrument?: {
        onchainId: string;
      };
      /** @description A decimal string. */
      debit: string;
      /** @description A decimal string. */
      used: string;
      verdict: string;
    };
    AccountChanges: {
      account: components["schemas"]["AccountLookup"];
      offchainReferences?: components["schemas"]["ReferenceChanges"] | null;
      comments?: string | null;
      domain?: string | null;
      canPayFees?: boolean | null;
      globalFeePayerForOrgs?: string[] | null;
      orgsAllowedToSignWithPrivateKey?: string[] | null;
      solDebitApiKeys?: string[] | null;
      tokenDebitApiKeys?: string[] | null;
      networkCurrencyDebitLimits?: components["schemas"]["NetworkCurrencyDebitLimit"][] | null;
      tokenDebitLimits?: components["schemas"]["TokenDebitLimit"][] | null;
      subscribeToNetworkEvents?: boolean | null;
      /**
      * @deprecated
      * @description Another spelling of solDebitApiKeys.
      */
      networkCurrencyDebitApiKeys?: string[] | null;
    };
    ReferenceChanges: {
      alId?: string | null;
      organizationExternalId?: string;
      accountNumber?: string | null;
      code?: string | null;
      /** @enum {string} */
      type?: "WALLET" | "ASSETS_WALLET" | "CURRENCIES_WALLET" | "DEFI_SETTLEMENT_WALLET" | "FUNDS_TOKEN_ACCOUNT" | "ASSET_TOKEN_ACCOUNT" | "FUNDS_TOKEN" | "ASSET_TOKEN" | "ADDRESS_LOOKUP_TABLE" | "NONCE" | "TOKEN_MANAGEMENT_AUTHORITY";
      name?: string | null;
    };
    InactivateAccount: {
      account: components["schemas"]["AccountLookup"];
      refundDestination?: components["schemas"]["AccountLookup"];
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    /** @description What would happen. */
    DryRun: {
      dryRun: {
        /** @description A decimal string. */
        feeLamports: string;
        sizeBytes: number;
        accounts: string[];
        signers: {
          onchainId: string;
          managed: boolean;
        }[];
        /** @description The verdict of each debit limit that applies. */
        limits: components["schemas"]["DebitLimitVerdict"][];
        simulation: {
          error: string | null;
          computeUnits: number | null;
          logs: string[];
        } | null;
      };
    };
    /** @description Of an account that another tenant shares only the ids, type, code, managed, status and canPayFees are shown, and the own organizations among its lists; all other members are null or empty lists. */
    Account: {
      onchain: {
        id: string;
        lastTransactionId: string | null;
        lastTransactionAt: string | null;
        creationTransactionId: string | null;
        creationTransactionAt: string | null;
      };
      offchain: {
        /** Format: uuid */
        id: string;
        /** @enum {string} */
        type: "WALLET" | "ASSETS_WALLET" | "CURRENCIES_WALLET" | "DEFI_SETTLEMENT_WALLET" | "FUNDS_TOKEN_ACCOUNT" | "ASSET_TOKEN_ACCOUNT" | "FUNDS_TOKEN" | "ASSET_TOKEN" | "ADDRESS_LOOKUP_TABLE" | "NONCE" | "TOKEN_MANAGEMENT_AUTHORITY";
        code: string | null;
        alId: string | null;
        organizationExternalId: string;
        accountNumber: string | null;
        name: string | null;
        lamportsBalance: string | null;
        tokenBalance: string | null;
        tokenDecimals: number | null;
        lastTransactionId: string | null;
        creationTransactionId: string | null;
      };
      managed: boolean;
      /** @enum {string} */
      status: "ACTIVE" | "CLOSED";
      privateKeyLocation: string[];
      isDerived: boolean | null;
      subscribeToNetworkEvents: boolean | null;
      sharedAcrossTenants: boolean;
      wasOnchainAlready: boolean | null;
      canPayFees: boolean;
      comments: string | null;
      domain: string | null;
      tenantOrganizationId: string;
      globalFeePayerForOrgs: string[];
      orgsAllowedToSignWithPrivateKey: string[];
      solDebitApiKeys: string[];
      tokenDebitApiKeys: string[];
      /** @description null: the defaults hold; an empty list: no limits. */
      networkCurrencyDebitLimits: {
        /** @enum {string} */
        destination: "ANY" | "OFF_PLATFORM" | "NON_MANAGED" | "MANAGED" | "FEES" | "PRIORITY_FEES" | "RENT";
        /** @description Of fees: the organization they are paid for. */
        organizationExternalId?: string;
        /** @description null: unlimited. */
        maxAllowedDebit: {
          /** @enum {string} */
          limitType: "PER_TRANSACTION" | "DURATION";
          /** @description A decimal string. */
          limitAmount: string | null;
          duration: {
            /** @enum {string} */
            code: "MINUTES" | "HOURS" | "DAYS" | "WEEKS";
            unit: number;
          } | null;
          approversForOverride: string[];
          requiredApproversCount: number;
        } | null;
      }[] | null;
      /** @description null: the defaults hold; an empty list: no limits. */
      tokenDebitLimits: {
        /** @enum {string} */
        destination: "ANY" | "OFF_PLATFORM" | "NON_MANAGED" | "MANAGED" | "FEES" | "PRIORITY_FEES" | "RENT";
        /** @description Of fees: the organization they are paid for. */
        organizationExternalId?: string;
        /** @description null: unlimited. */
        maxAllowedDebit: {
          /** @enum {string} */
          limitType: "PER_TRANSACTION" | "DURATION";
          /** @description A decimal string. */
          limitAmount: string | null;
          duration: {
            /** @enum {string} */
            code: "MINUTES" | "HOURS" | "DAYS" | "WEEKS";
            unit: number;
          } | null;
          approversForOverride: string[];
          requiredApproversCount: number;
        } | null;
        /** @enum {string} */
        operationType: "ANY" | "TRANSFER" | "BURN";
        mintAuthority?: {
          onchainId: string;
          /** Format: uuid */
          offchainId?: string;
        };
      }[] | null;
    };
    Balance: {
      onchain: components["schemas"]["AmountPair"];
      offchain: components["schemas"]["AmountPair"];
      reserved: components["schemas"]["AmountPair"];
      available: components["schemas"]["AmountPair"];
      outOfBalance: boolean;
    };
    /** @description Display units, and raw integer units. */
    AmountPair: {
      /** @description A decimal string. */
      amount: string;
      /** @description A decimal string. */
      lamports: string;
    };
    FilterValue: {
      /** @enum {string} */
      dataType?: "TEXT" | "NUMBER" | "INTEGER" | "DECIMAL" | "BOOLEAN" | "TIMESTAMP" | "OFFCHAIN_REFERENCE_TYPE" | "OFFCHAIN_REFRENCE_TYPE" | "ONCHAIN_ADDRESS_ID" | "ADDRESS_ONCHAIN_ID" | "OFFCHAIN_ID";
      /** @enum {string} */
      filterType: "EQUALS" | "NOT_EQUALS" | "CONTAINS" | "NOT_CONTAINS" | "IS_NULL" | "IS_NOT_NULL" | "STARTS_WITH" | "ENDS_WITH" | "IN" | "IN_RANGE" | "GREATER_THAN" | "GREATER_THAN_OR_EQUAL" | "LESS_THAN" | "LESS_THAN_OR_EQUAL";
      valueString?: string;
      /** @description A JSON number or a decimal string. */
      valueNumber?: number | string | bigint;
      valueBoolean?: boolean;
      valuesString?: string[];
      valueFromString?: string;
      valueToString?: string;
      /** @description A JSON number or a decimal string. */
      valueFromNumber?: number | string | bigint;
      /** @description A JSON number or a decimal string. */
      valueToNumber?: number | string | bigint;
    };
    AccountCompact: {
      onchain: {
        id: string;
        lastTransactionId: string | null;
        lastTransactionAt: string | null;
      };
      offchain: {
        /** Format: uuid */
        id: string;
        /** @enum {string} */
        type: "WALLET" | "ASSETS_WALLET" | "CURRENCIES_WALLET" | "DEFI_SETTLEMENT_WALLET" | "FUNDS_TOKEN_ACCOUNT" | "ASSET_TOKEN_ACCOUNT" | "FUNDS_TOKEN" | "ASSET_TOKEN" | "ADDRESS_LOOKUP_TABLE" | "NONCE" | "TOKEN_MANAGEMENT_AUTHORITY";
        code: string | null;
        alId: string | null;
        organizationExternalId: string;
        accountNumber: string | null;
        lastTransactionId: string | null;
      };
      managed: boolean;
      /** @enum {string} */
      status: "ACTIVE" | "CLOSED";
      tenantOrganizationId: string;
    };
    AccountIdentifiers: {
      onchain: {
        id: string;
      };
      offchain: {
        /** Format: uuid */
        id: string;
      };
      managed: boolean;
      tenantOrganizationId: string;
    };
    /** @description encryptTo: a public key as JWK; the answer is then a compact JWE. */
    PrivateKeyLookup: {
      /** @example 11111111111111111111111111111111 */
      onchainId?: string;
      /** Format: uuid */
      offchainId?: string;
      offchainReferences?: components["schemas"]["OffchainReferences"];
      /**
      * @description false: do not sign with this account now.
      * @default true
      */
      autoSign?: boolean;
      otherTenantOrganizationExternalId?: string;
      /** @description The account is not onboarded; needs onchainId. */
      offPlatform?: boolean;
      encryptTo?: {
        /** @enum {string} */
        kty: "OKP" | "EC";
        /** @enum {string} */
        crv: "X25519" | "P-256";
        x: string;
        y?: string;
        kid?: string;
        use?: string;
        alg?: string;
        key_ops?: string[];
        ext?: boolean;
      };
    };
    NewFinancialInstrument: {
      mintAccount?: components["schemas"]["NewAccount"];
      existingMintAccount?: components["schemas"]["AccountLookup"];
      /** @description Needed unless the token is on chain already. */
      mintAuthority?: components["schemas"]["AccountLookup"];
      updateAuthority?: components["schemas"]["AccountLookup"];
      freezeAuthority?: components["schemas"]["AccountLookup"];
      permanentDelegateAuthority?: components["schemas"]["AccountLookup"];
      closingAuthority?: components["schemas"]["AccountLookup"];
      pausableAuthority?: components["schemas"]["AccountLookup"];
      scaledUiAmountAuthority?: components["schemas"]["AccountLookup"];
      transferHookAuthority?: components["schemas"]["AccountLookup"];
      transferHookProgram?: components["schemas"]["AccountLookup"];
      confidentialTransferAuthority?: components["schemas"]["AccountLookup"];
      confidentialMintBurnAuthority?: components["schemas"]["AccountLookup"];
      /** @enum {string} */
      version?: "SPL" | "TOKEN_2022";
      alreadyOnchain?: boolean;
      onchainData?: components["schemas"]["OnchainData"];
      offchainData?: components["schemas"]["OffchainData"];
      /** @enum {string} */
      defaultPositionState?: "INITIALIZED" | "FROZEN";
      paused?: boolean;
      /** @description Display units: a JSON number of at most 15 significant digits, or a decimal string. */
      scaledUiAmountMultiplier?: number | string | bigint;
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
      managed?: boolean;
      alreadyOnchain?: boolean;
      /** @example 11111111111111111111111111111111 */
      onchainId?: string;
      offchainReferences?: components["schemas"]["OffchainReferences"];
      privateKeyDetails?: components["schemas"]["PrivateKeyDetails"];
      solDebitApiKeys?: string[];
      tokenDebitApiKeys?: string[];
      networkCurrencyDebitLimits?: components["schemas"]["NetworkCurrencyDebitLimit"][] | null;
      tokenDebitLimits?: components["schemas"]["TokenDebitLimit"][] | null;
      /** @description Bytes reserved on chain. */
      dataLength?: number;
      /** @description Display units: a JSON number of at most 15 significant digits, or a decimal string. */
      seedAmount?: number | string | bigint;
      /** @description Raw integer units: a JSON number or a decimal string. */
      seedLamports?: number | string | bigint;
      subscribeToNetworkEvents?: boolean;
      canPayFees?: boolean;
      globalFeePayerForOrgs?: string[];
      orgsAllowedToSignWithPrivateKey?: string[];
      shareAcrossTenants?: boolean;
      /** @enum {string} */
      tokenVersion?: "SPL" | "TOKEN_2022";
      comments?: string;
      isDerived?: boolean;
      isGenesis?: boolean;
      domain?: string;
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
      symbol?: string;
      name?: string;
      uri?: string;
      simpleCustomMetadata?: {
        [key: string]: string;
      };
      /** @default 0 */
      decimals?: number;
    };
    OffchainData: {
      description?: string;
      simpleCustomMetadata?: {
        [key: string]: unknown;
      };
      complexCustomMetadata?: {
        [key: string]: unknown;
      };
      logo?: {
        copyFromUri?: string;
        fileName?: string;
        contentType?: string;
        /** @enum {string} */
        type?: "LOGO";
      };
    };
    /** @description Authorities that sign are found when they are not named. A new authority of null gives it up. */
    FinancialInstrumentChanges: {
      mintAccount: components["schemas"]["AccountLookup"];
      mintAccountOffchainReferences?: components["schemas"]["ReferenceChanges"] | null;
      onchainData?: {
        symbol?: string;
        name?: string;
        uri?: string;
        simpleCustomMetadata?: {
          [key: string]: string | null;
        } | null;
      };
      offchainData?: {
        description?: string | null;
        simpleCustomMetadata?: {
          [key: string]: unknown;
        } | null;
        complexCustomMetadata?: {
          [key: string]: unknown;
        } | null;
        logo?: {
          copyFromUri?: string;
          fileName?: string;
          contentType?: string;
          /** @enum {string} */
          type?: "LOGO";
        } | null;
      };
      /** @enum {string} */
      defaultPositionState?: "INITIALIZED" | "FROZEN";
      paused?: boolean;
      /** @description Display units: a JSON number of at most 15 significant digits, or a decimal string. */
      scaledUiAmountMultiplier?: number | string | bigint;
      transferHookProgram?: components["schemas"]["AccountLookup"] | null;
      newClosingAuthority?: components["schemas"]["AccountLookup"] | null;
      newPausableAuthority?: components["schemas"]["AccountLookup"] | null;
      newScaledUiAmountAuthority?: components["schemas"]["AccountLookup"] | null;
      newTransferHookAuthority?: components["schemas"]["AccountLookup"] | null;
      updateAuthority?: components["schemas"]["AccountLookup"];
      freezeAuthority?: components["schemas"]["AccountLookup"];
      currentClosingAuthority?: components["schemas"]["AccountLookup"];
      currentPausableAuthority?: components["schemas"]["AccountLookup"];
      currentScaledUiAmountAuthority?: components["schemas"]["AccountLookup"];
      currentTransferHookAuthority?: components["schemas"]["AccountLookup"];
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    /** @description Of a request that takes more than one transaction: each is made, or sent, when the one before is settled. */
    ChainPlan: {
      /** Format: uuid */
      offchainId: string;
      /** @enum {string} */
      status: "RUNNING" | "FINISHED" | "FAILED";
      /** @description Transactions in all. */
      steps: number;
      confirmed: number;
      /** @description Why the rest was not sent. */
      errorMessage?: string;
    };
    SwitchFinancialInstrument: {
      financialInstrument: components["schemas"]["AccountLookup"];
      pausableAuthority?: components["schemas"]["AccountLookup"];
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    CloseFinancialInstrument: {
      financialInstrumentToClose: components["schemas"]["AccountLookup"];
      refundDestination?: components["schemas"]["AccountLookup"];
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
      financialInstrument: components["schemas"]["AccountLookup"];
    };
    FinancialInstrument: {
      mintAccount: components["schemas"]["Account"];
      /** @enum {string} */
      version: "SPL" | "TOKEN_2022";
      mintAuthority: components["schemas"]["Account"] | components["schemas"]["AddressOnly"] | null;
      updateAuthority: components["schemas"]["Account"] | components["schemas"]["AddressOnly"] | null;
      freezeAuthority: components["schemas"]["Account"] | components["schemas"]["AddressOnly"] | null;
      permanentDelegateAuthority: components["schemas"]["Account"] | components["schemas"]["AddressOnly"] | null;
      closingAuthority: components["schemas"]["Account"] | components["schemas"]["AddressOnly"] | null;
      pausableAuthority: components["schemas"]["Account"] | components["schemas"]["AddressOnly"] | null;
      scaledUiAmountAuthority: components["schemas"]["Account"] | components["schemas"]["AddressOnly"] | null;
      transferHookProgram: components["schemas"]["Account"] | components["schemas"]["AddressOnly"] | null;
      transferHookAuthority: components["schemas"]["Account"] | components["schemas"]["AddressOnly"] | null;
      confidentialTransferAuthority: components["schemas"]["Account"] | components["schemas"]["AddressOnly"] | null;
      confidentialMintBurnAuthority: components["schemas"]["Account"] | components["schemas"]["AddressOnly"] | null;
      onchainData: {
        symbol: string | null;
        name: string | null;
        uri: string | null;
        simpleCustomMetadata: {
          [key: string]: unknown;
        } | null;
        decimals: number;
      };
      offchainData: {
        description: string | null;
        simpleCustomMetadata: {
          [key: string]: unknown;
        } | null;
        complexCustomMetadata: {
          [key: string]: unknown;
        } | null;
        logo: {
          [key: string]: unknown;
        } | null;
      };
      defaultPositionState: string | null;
      paused: boolean | null;
      scaledUiAmountMultiplier: number | null;
      supply: components["schemas"]["AmountPair"];
      extensions: string[];
      /** @enum {string} */
      status: "ACTIVE" | "CLOSED";
    };
    AddressOnly: {
      onchain: {
        id: string;
      };
    };
    FinancialInstrumentCompact: {
      mintAccount: components["schemas"]["AccountCompact"];
      /** @enum {string} */
      version: "SPL" | "TOKEN_2022";
      mintAuthority: components["schemas"]["AccountCompact"] | components["schemas"]["AddressOnly"] | null;
      updateAuthority: components["schemas"]["AccountCompact"] | components["schemas"]["AddressOnly"] | null;
      freezeAuthority: components["schemas"]["AccountCompact"] | components["schemas"]["AddressOnly"] | null;
      permanentDelegateAuthority: components["schemas"]["AccountCompact"] | components["schemas"]["AddressOnly"] | null;
      closingAuthority: components["schemas"]["AccountCompact"] | components["schemas"]["AddressOnly"] | null;
      pausableAuthority: components["schemas"]["AccountCompact"] | components["schemas"]["AddressOnly"] | null;
      scaledUiAmountAuthority: components["schemas"]["AccountCompact"] | components["schemas"]["AddressOnly"] | null;
      transferHookProgram: components["schemas"]["AccountCompact"] | components["schemas"]["AddressOnly"] | null;
      transferHookAuthority: components["schemas"]["AccountCompact"] | components["schemas"]["AddressOnly"] | null;
      confidentialTransferAuthority: components["schemas"]["AccountCompact"] | components["schemas"]["AddressOnly"] | null;
      confidentialMintBurnAuthority: components["schemas"]["AccountCompact"] | components["schemas"]["AddressOnly"] | null;
      onchainData: {
        symbol: string | null;
        name: string | null;
        uri: string | null;
        simpleCustomMetadata: {
          [key: string]: unknown;
        } | null;
        decimals: number;
      };
      offchainData: {
        description: string | null;
        simpleCustomMetadata: {
          [key: string]: unknown;
        } | null;
        complexCustomMetadata: {
          [key: string]: unknown;
        } | null;
        logo: {
          [key: string]: unknown;
        } | null;
      };
      defaultPositionState: string | null;
      paused: boolean | null;
      scaledUiAmountMultiplier: number | null;
      supply: components["schemas"]["AmountPair"];
      extensions: string[];
      /** @enum {string} */
      status: "ACTIVE" | "CLOSED";
    };
    FinancialInstrumentIdentifiers: {
      /** @enum {string} */
      version: "SPL" | "TOKEN_2022";
      mintAccount: components["schemas"]["AccountIdentifiers"];
    };
    NewPosition: {
      position?: components["schemas"]["NewAccount"];
      owner: components["schemas"]["AccountLookup"];
      financialInstrument: components["schemas"]["AccountLookup"];
      tokenDebitLimits?: components["schemas"]["TokenDebitLimit"][] | null;
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    PositionChanges: {
      position: components["schemas"]["PositionLookup"];
      offchainReferences?: components["schemas"]["ReferenceChanges"] | null;
      comments?: string | null;
      tokenDebitApiKeys?: string[] | null;
      tokenDebitLimits?: components["schemas"]["TokenDebitLimit"][] | null;
    };
    /** @description Found by position, else by owner and financialInstrument. */
    PositionLookup: {
      position?: components["schemas"]["AccountLookup"];
      owner?: components["schemas"]["AccountLookup"];
      financialInstrument?: components["schemas"]["AccountLookup"];
      mintAuthority?: components["schemas"]["AccountLookup"];
      freezeAuthority?: components["schemas"]["AccountLookup"];
    };
    SwitchPosition: {
      position: components["schemas"]["PositionLookup"];
      freezeAuthority?: components["schemas"]["AccountLookup"];
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    Mint: {
      destination: components["schemas"]["PositionLookup"];
      /** @description Display units: a JSON number of at most 15 significant digits, or a decimal string. */
      amount?: number | string | bigint;
      /** @description Raw integer units: a JSON number or a decimal string. */
      lamports?: number | string | bigint;
      /** @description At most 4096 bytes of UTF-8. */
      memo?: string;
      /** Format: uuid */
      idempotencyId?: string;
      mintAuthority?: components["schemas"]["AccountLookup"];
      initializeDestinationPositionIfNeeded?: boolean;
      unfreezeDestination?: boolean;
      freezeDestination?: boolean;
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    Burn: {
      source: components["schemas"]["PositionLookup"];
      /** @description Display units: a JSON number of at most 15 significant digits, or a decimal string. */
      amount?: number | string | bigint;
      /** @description Raw integer units: a JSON number or a decimal string. */
      lamports?: number | string | bigint;
      /** @description At most 4096 bytes of UTF-8. */
      memo?: string;
      /** Format: uuid */
      idempotencyId?: string;
      burnEntireBalance?: boolean;
      unfreezeSource?: boolean;
      freezeSource?: boolean;
      permanentDelegate?: boolean;
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    Transfer: {
      source: components["schemas"]["PositionLookup"];
      destination: components["schemas"]["PositionLookup"];
      /** @description Display units: a JSON number of at most 15 significant digits, or a decimal string. */
      amount?: number | string | bigint;
      /** @description Raw integer units: a JSON number or a decimal string. */
      lamports?: number | string | bigint;
      /** @description At most 4096 bytes of UTF-8. */
      memo?: string;
      /** Format: uuid */
      idempotencyId?: string;
      transferEntireBalance?: boolean;
      permanentDelegate?: boolean;
      unfreezeSource?: boolean;
      freezeSource?: boolean;
      unfreezeDestination?: boolean;
      freezeDestination?: boolean;
      offchainBalanceAvailabilityPrecheck?: boolean;
      initializeDestinationPositionIfNeeded?: boolean;
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    TransferNetworkCurrency: {
      source: components["schemas"]["AccountLookup"];
      destination: components["schemas"]["AccountLookup"];
      /** @description Display units: a JSON number of at most 15 significant digits, or a decimal string. */
      amount?: number | string | bigint;
      /** @description Raw integer units: a JSON number or a decimal string. */
      lamports?: number | string | bigint;
      /** @description At most 4096 bytes of UTF-8. */
      memo?: string;
      /** Format: uuid */
      idempotencyId?: string;
      transferEntireBalance?: boolean;
      offchainBalanceAvailabilityPrecheck?: boolean;
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    Trade: {
      legs: components["schemas"]["TradeLeg"][];
      /** @description At most 4096 bytes of UTF-8. */
      memo?: string;
      /** Format: uuid */
      idempotencyId?: string;
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    TradeLeg: {
      source: components["schemas"]["TradeSide"];
      destination: components["schemas"]["TradeSide"];
      /** @description Display units: a JSON number of at most 15 significant digits, or a decimal string. */
      amount?: number | string | bigint;
      /** @description Raw integer units: a JSON number or a decimal string. */
      lamports?: number | string | bigint;
      initializeDestinationPositionIfNeeded?: boolean;
    };
    /** @description A position lookup; or, where the leg moves network currency, an account lookup, or owner alone. */
    TradeSide: {
      position?: components["schemas"]["AccountLookup"];
      owner?: components["schemas"]["AccountLookup"];
      financialInstrument?: components["schemas"]["AccountLookup"];
      mintAuthority?: components["schemas"]["AccountLookup"];
      freezeAuthority?: components["schemas"]["AccountLookup"];
      /** @example 11111111111111111111111111111111 */
      onchainId?: string;
      /** Format: uuid */
      offchainId?: string;
      offchainReferences?: components["schemas"]["OffchainReferences"];
      /**
      * @description false: do not sign with this account now.
      * @default true
      */
      autoSign?: boolean;
      otherTenantOrganizationExternalId?: string;
      /** @description The account is not onboarded; needs onchainId. */
      offPlatform?: boolean;
    };
    ClosePosition: {
      position: components["schemas"]["PositionLookup"];
      refundSolToFeePayer?: boolean;
      refundSolDestination?: components["schemas"]["AccountLookup"];
      burnRemainingTokenBalance?: boolean;
      transferRemainingTokenBalanceTo?: components["schemas"]["PositionLookup"];
      initializeDestinationPositionIfNeeded?: boolean;
      unfreezeIfNeeded?: boolean;
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
      onchain: {
        id: string;
        lastTransactionId: string | null;
        lastTransactionAt: string | null;
        creationTransactionId: string | null;
        creationTransactionAt: string | null;
      };
      offchain: {
        /** Format: uuid */
        id: string;
        /** @enum {string} */
        type: "WALLET" | "ASSETS_WALLET" | "CURRENCIES_WALLET" | "DEFI_SETTLEMENT_WALLET" | "FUNDS_TOKEN_ACCOUNT" | "ASSET_TOKEN_ACCOUNT" | "FUNDS_TOKEN" | "ASSET_TOKEN" | "ADDRESS_LOOKUP_TABLE" | "NONCE" | "TOKEN_MANAGEMENT_AUTHORITY";
        code: string | null;
        alId: string | null;
        organizationExternalId: string;
        accountNumber: string | null;
        name: string | null;
        lamportsBalance: string | null;
        tokenBalance: string | null;
        tokenDecimals: number | null;
        lastTransactionId: string | null;
        creationTransactionId: string | null;
      };
      managed: boolean;
      /** @enum {string} */
      status: "ACTIVE" | "CLOSED";
      privateKeyLocation: string[];
      isDerived: boolean | null;
      subscribeToNetworkEvents: boolean | null;
      sharedAcrossTenants: boolean;
      wasOnchainAlready: boolean | null;
      canPayFees: boolean;
      comments: string | null;
      domain: string | null;
      tenantOrganizationId: string;
      globalFeePayerForOrgs: string[];
      orgsAllowedToSignWithPrivateKey: string[];
      solDebitApiKeys: string[];
      tokenDebitApiKeys: string[];
      /** @description null: the defaults hold; an empty list: no limits. */
      networkCurrencyDebitLimits: {
        /** @enum {string} */
        destination: "ANY" | "OFF_PLATFORM" | "NON_MANAGED" | "MANAGED" | "FEES" | "PRIORITY_FEES" | "RENT";
        /** @description Of fees: the organization they are paid for. */
        organizationExternalId?: string;
        /** @description null: unlimited. */
        maxAllowedDebit: {
          /** @enum {string} */
          limitType: "PER_TRANSACTION" | "DURATION";
          /** @description A decimal string. */
          limitAmount: string | null;
          duration: {
            /** @enum {string} */
            code: "MINUTES" | "HOURS" | "DAYS" | "WEEKS";
            unit: number;
          } | null;
          approversForOverride: string[];
          requiredApproversCount: number;
        } | null;
      }[] | null;
      /** @description null: the defaults hold; an empty list: no limits. */
      tokenDebitLimits: {
        /** @enum {string} */
        destination: "ANY" | "OFF_PLATFORM" | "NON_MANAGED" | "MANAGED" | "FEES" | "PRIORITY_FEES" | "RENT";
        /** @description Of fees: the organization they are paid for. */
        organizationExternalId?: string;
        /** @description null: unlimited. */
        maxAllowedDebit: {
          /** @enum {string} */
          limitType: "PER_TRANSACTION" | "DURATION";
          /** @description A decimal string. */
          limitAmount: string | null;
          duration: {
            /** @enum {string} */
            code: "MINUTES" | "HOURS" | "DAYS" | "WEEKS";
            unit: number;
          } | null;
          approversForOverride: string[];
          requiredApproversCount: number;
        } | null;
        /** @enum {string} */
        operationType: "ANY" | "TRANSFER" | "BURN";
        mintAuthority?: {
          onchainId: string;
          /** Format: uuid */
          offchainId?: string;
        };
      }[] | null;
      owner: components["schemas"]["Account"] | components["schemas"]["AddressOnly"];
      /** @description Who may close it, where that is not the owner. */
      closeAuthority: components["schemas"]["Account"] | components["schemas"]["AddressOnly"] | null;
      /** @description Who may move tokens of it, where that is not the owner. */
      delegate: components["schemas"]["Account"] | components["schemas"]["AddressOnly"] | null;
      financialInstrument: components["schemas"]["Account"] | components["schemas"]["AddressOnly"];
      /** @enum {string} */
      state: "INITIALIZED" | "FROZEN" | "CLOSED";
      balance: {
        amount: string | null;
        lamports: string | null;
      };
      reserved: {
        amount: string | null;
        lamports: string | null;
      };
      available: {
        amount: string | null;
        lamports: string | null;
      };
    };
    PositionCompact: {
      onchain: {
        id: string;
        lastTransactionId: string | null;
        lastTransactionAt: string | null;
      };
      offchain: {
        /** Format: uuid */
        id: string;
        /** @enum {string} */
        type: "WALLET" | "ASSETS_WALLET" | "CURRENCIES_WALLET" | "DEFI_SETTLEMENT_WALLET" | "FUNDS_TOKEN_ACCOUNT" | "ASSET_TOKEN_ACCOUNT" | "FUNDS_TOKEN" | "ASSET_TOKEN" | "ADDRESS_LOOKUP_TABLE" | "NONCE" | "TOKEN_MANAGEMENT_AUTHORITY";
        code: string | null;
        alId: string | null;
        organizationExternalId: string;
        accountNumber: string | null;
        lastTransactionId: string | null;
      };
      managed: boolean;
      /** @enum {string} */
      status: "ACTIVE" | "CLOSED";
      tenantOrganizationId: string;
      owner: components["schemas"]["AccountCompact"] | components["schemas"]["AddressOnly"];
      closeAuthority: (components["schemas"]["AccountCompact"] | components["schemas"]["AddressOnly"]) | null;
      delegate: (components["schemas"]["AccountCompact"] | components["schemas"]["AddressOnly"]) | null;
      financialInstrument: components["schemas"]["AccountCompact"] | components["schemas"]["AddressOnly"];
      /** @enum {string} */
      state: "INITIALIZED" | "FROZEN" | "CLOSED";
      balance: {
        amount: string | null;
        lamports: string | null;
      };
      reserved: {
        amount: string | null;
        lamports: string | null;
      };
      available: {
        amount: string | null;
        lamports: string | null;
      };
      /** @description null: the defaults hold; an empty list: no limits. */
      tokenDebitLimits: {
        /** @enum {string} */
        destination: "ANY" | "OFF_PLATFORM" | "NON_MANAGED" | "MANAGED" | "FEES" | "PRIORITY_FEES" | "RENT";
        /** @description Of fees: the organization they are paid for. */
        organizationExternalId?: string;
        /** @description null: unlimited. */
        maxAllowedDebit: {
          /** @enum {string} */
          limitType: "PER_TRANSACTION" | "DURATION";
          /** @description A decimal string. */
          limitAmount: string | null;
          duration: {
            /** @enum {string} */
            code: "MINUTES" | "HOURS" | "DAYS" | "WEEKS";
            unit: number;
          } | null;
          approversForOverride: string[];
          requiredApproversCount: number;
        } | null;
        /** @enum {string} */
        operationType: "ANY" | "TRANSFER" | "BURN";
        mintAuthority?: {
          onchainId: string;
          /** Format: uuid */
          offchainId?: string;
        };
      }[] | null;
    };
    PositionIdentifiers: {
      onchain: {
        id: string;
      };
      offchain: {
        /** Format: uuid */
        id: string;
      };
      managed: boolean;
      tenantOrganizationId: string;
      owner: components["schemas"]["AccountIdentifiers"] | components["schemas"]["AddressOnly"];
      closeAuthority: (components["schemas"]["AccountIdentifiers"] | components["schemas"]["AddressOnly"]) | null;
      delegate: (components["schemas"]["AccountIdentifiers"] | components["schemas"]["AddressOnly"]) | null;
      financialInstrument: components["schemas"]["AccountIdentifiers"] | components["schemas"]["AddressOnly"];
      /** @enum {string} */
      state: "INITIALIZED" | "FROZEN" | "CLOSED";
      balance: {
        amount: string | null;
        lamports: string | null;
      };
      reserved: {
        amount: string | null;
        lamports: string | null;
      };
      available: {
        amount: string | null;
        lamports: string | null;
      };
      /** @description null: the defaults hold; an empty list: no limits. */
      tokenDebitLimits: {
        /** @enum {string} */
        destination: "ANY" | "OFF_PLATFORM" | "NON_MANAGED" | "MANAGED" | "FEES" | "PRIORITY_FEES" | "RENT";
        /** @description Of fees: the organization they are paid for. */
        organizationExternalId?: string;
        /** @description null: unlimited. */
        maxAllowedDebit: {
          /** @enum {string} */
          limitType: "PER_TRANSACTION" | "DURATION";
          /** @description A decimal string. */
          limitAmount: string | null;
          duration: {
            /** @enum {string} */
            code: "MINUTES" | "HOURS" | "DAYS" | "WEEKS";
            unit: number;
          } | null;
          approversForOverride: string[];
          requiredApproversCount: number;
        } | null;
        /** @enum {string} */
        operationType: "ANY" | "TRANSFER" | "BURN";
        mintAuthority?: {
          onchainId: string;
          /** Format: uuid */
          offchainId?: string;
        };
      }[] | null;
    };
    /** @description Items have neither an idempotencyId nor a private key. */
    NewBatch: {
      /** @enum {string} */
      operation: "TRANSFER";
      items: components["schemas"]["Transfer"][];
      /**
      * @description When an item fails, those that wait are cancelled.
      * @default false
      */
      stopOnFailure?: boolean;
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    } | {
      /** @enum {string} */
      operation: "TRANSFER_NETWORK_CURRENCY";
      items: components["schemas"]["TransferNetworkCurrency"][];
      /**
      * @description When an item fails, those that wait are cancelled.
      * @default false
      */
      stopOnFailure?: boolean;
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    } | {
      /** @enum {string} */
      operation: "MINT";
      items: components["schemas"]["Mint"][];
      /**
      * @description When an item fails, those that wait are cancelled.
      * @default false
      */
      stopOnFailure?: boolean;
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    } | {
      /** @enum {string} */
      operation: "BURN";
      items: components["schemas"]["Burn"][];
      /**
      * @description When an item fails, those that wait are cancelled.
      * @default false
      */
      stopOnFailure?: boolean;
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    } | {
      /** @enum {string} */
      operation: "FREEZE";
      items: components["schemas"]["SwitchPosition"][];
      /**
      * @description When an item fails, those that wait are cancelled.
      * @default false
      */
      stopOnFailure?: boolean;
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    } | {
      /** @enum {string} */
      operation: "UNFREEZE";
      items: components["schemas"]["SwitchPosition"][];
      /**
      * @description When an item fails, those that wait are cancelled.
      * @default false
      */
      stopOnFailure?: boolean;
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    } | {
      /** @enum {string} */
      operation: "CREATE_ACCOUNT";
      items: components["schemas"]["CreateAccount"][];
      /**
      * @description When an item fails, those that wait are cancelled.
      * @default false
      */
      stopOnFailure?: boolean;
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    } | {
      /** @enum {string} */
      operation: "INITIALIZE_POSITION";
      items: components["schemas"]["NewPosition"][];
      /**
      * @description When an item fails, those that wait are cancelled.
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
      dryRun: {
        itemsCount: number;
        transactionsCount: number;
        feeLamports: string;
        rentLamports: string;
        /** @description The verdict of each debit limit on the whole batch. */
        limits: components["schemas"]["DebitLimitVerdict"][];
      };
    };
    BatchReference: {
      /** Format: uuid */
      offchainId: string;
    };
    Batch: {
      /** Format: uuid */
      offchainId: string;
      /** @enum {string} */
      operation: "TRANSFER" | "TRANSFER_NETWORK_CURRENCY" | "MINT" | "BURN" | "FREEZE" | "UNFREEZE" | "CREATE_ACCOUNT" | "INITIALIZE_POSITION";
      /**
      * @description PREPARED: it waits for approval. FAILED: every item has ended, and some failed.
      * @enum {string}
      */
      status: "WAITING" | "PREPARED" | "UNDER_WAY" | "DONE" | "FAILED" | "CANCELLED";
      stopOnFailure: boolean;
      externalReference: string | null;
      itemsCount: number;
      waitingCount: number;
      underWayCount: number;
      doneCount: number;
      failedCount: number;
      cancelledCount: number;
      /** @description It goes on only once others have approved it. */
      approval?: {
        /** @description The debit limits that are exceeded. */
        entries: components["schemas"]["DebitLimitVerdict"][];
        /** @description How many keys have to approve it at least. */
        required: number;
        given: number;
        /** Format: date-time */
        expiresAt: string;
      };
      tenantOrganizationId: string;
      /** Format: date-time */
      createdAt: string;
      endedAt: string | null;
    };
    BatchItem: {
      /** Format: uuid */
      offchainId: string;
      /** Format: uuid */
      batchOffchainId: string;
      /** @description Place in the request, from 0. */
      index: number;
      /** @enum {string} */
      status: "WAITING" | "UNDER_WAY" | "DONE" | "FAILED" | "CANCELLED";
      externalReference: string | null;
      itemData: {
        [key: string]: unknown;
      };
      /** @description Of the latest attempt; other items may share it. */
      chainTransaction: {
        /** Format: uuid */
        offchainId: string;
        onchainId: string | null;
        status: string | null;
      } | null;
      newAccount?: components["schemas"]["Ids"];
      newPosition?: components["schemas"]["Ids"];
      errorCode?: string;
      errorMessage?: string;
      /** @enum {string} */
      cancelledBecause?: "REQUESTED" | "FAILURE";
      tenantOrganizationId: string;
      endedAt: string | null;
    };
    NewLoan: {
      /**
      * @description ESCROW_VAULT, or another lending protocol that this service has an adapter for.
      * @example ESCROW_VAULT
      */
      defiProtocol: string;
      lendingDetails: {
        /** @example 11111111111111111111111111111111 */
        loanStrategyAddress: string;
        expectedLoanValues?: {
          /** @description Every rate is at most this; 0: not checked. */
          expectedApy?: number;
          /** @description By itemsToPledge: the liquidation ratio is at least this; 0: not checked. */
          expectedLqt?: number[];
        };
      };
      itemsToBorrow: components["schemas"]["ItemToBorrow"][];
      itemsToPledge: components["schemas"]["LoanItem"][];
      escrow?: components["schemas"]["NewAccount"];
      duration?: components["schemas"]["LoanDuration"];
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    ItemToBorrow: {
      positionLookup: components["schemas"]["PositionLookup"];
      /** @description Display units: a JSON number of at most 15 significant digits, or a decimal string. */
      amount?: number | string | bigint;
      /** @description Raw integer units: a JSON number or a decimal string. */
      lamports?: number | string | bigint;
      transferTo?: components["schemas"]["PositionLookup"];
    };
    LoanItem: {
      positionLookup: components["schemas"]["PositionLookup"];
      /** @description Display units: a JSON number of at most 15 significant digits, or a decimal string. */
      amount?: number | string | bigint;
      /** @description Raw integer units: a JSON number or a decimal string. */
      lamports?: number | string | bigint;
      transferFrom?: components["schemas"]["PositionLookup"];
      mintAsset?: boolean;
    };
    /** @description A month is 30 days, a year 365. */
    LoanDuration: {
      /** @enum {string} */
      code: "MINUTES" | "DAYS" | "WEEKS" | "MONTHS" | "YEARS";
      unit: number;
    };
    LoanDetails: {
      escrow: components["schemas"]["AccountLookup"];
      /** Format: date-time */
      computeEstimatedInterestUntil?: string;
    };
    Loan: {
      /** @enum {string} */
      status: "OPEN" | "CLOSED";
      /** @enum {string} */
      lifecycleState: "PENDING" | "ACTIVE" | "OVERDUE" | "LIQUIDATABLE" | "REPAID" | "CLOSED";
      defiProtocol: string;
      /** @description How far the latest change is, where it takes several transactions. */
      chainPlan?: components["schemas"]["ChainPlan"];
      escrow: components["schemas"]["Account"];
      /** @description Of another tenant no more than the address. */
      borrower: components["schemas"]["Account"] | components["schemas"]["AddressOnly"];
      /** @description Of another tenant no more than the address. */
      lender: components["schemas"]["Account"] | components["schemas"]["AddressOnly"];
      pledgedItems: {
        pledgedAmount: string;
        accountDetails: components["schemas"]["Account"];
      }[];
      borrowedItems: {
        apy: number;
        loanToValueRatio: number;
        liquidationRatio: number;
        principalDue: string;
        principalRepaid: string;
        interestPerSecond: string;
        /** @description A decimal string. */
        interestOutstanding: string;
        /** @description A decimal string. */
        estimatedInterest: string;
        duration: components["schemas"]["LoanDuration"];
        /** Format: date-time */
        lastInterestUpdateTime: string;
        /** Format: date-time */
        startTime: string;
        /** Format: date-time */
        endTime: string;
        accountDetails: components["schemas"]["Account"] | components["schemas"]["AddressOnly"];
      }[];
      marketData: {
        financialInstrument: {
          onchain: {
            id: string;
          } & {
            [key: string]: unknown;
          };
        } & {
          [key: string]: unknown;
        };
        oracle: {
          onchain: {
            id: string;
          } & {
            [key: string]: unknown;
          };
        } & {
          [key: string]: unknown;
        };
        price: string | null;
        priceAt: string | null;
        stale: boolean;
      }[];
      /** @description 1000000 without debt, 0 where it becomes liquidatable; null without prices. */
      health: number | null;
      currentLoanToValue: number | null;
    };
    SwapCollateral: {
      /**
      * @description ESCROW_VAULT, or another lending protocol that this service has an adapter for.
      * @example ESCROW_VAULT
      */
      defiProtocol: string;
      escrow: components["schemas"]["AccountLookup"];
      itemsToDeposit?: components["schemas"]["LoanItem"][];
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
      escrow: components["schemas"]["AccountLookup"];
      itemsToRepay?: components["schemas"]["ItemToRepay"][];
      itemsToRelease?: components["schemas"]["LoanItem"][];
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    ItemToRepay: {
      positionLookup: components["schemas"]["PositionLookup"];
      /** @description Display units: a JSON number of at most 15 significant digits, or a decimal string. */
      amount?: number | string | bigint;
      /** @description Raw integer units: a JSON number or a decimal string. */
      lamports?: number | string | bigint;
      transferFrom?: components["schemas"]["PositionLookup"];
      mintAsset?: boolean;
      repayAll?: boolean;
    };
    LoanReference: {
      /**
      * @description ESCROW_VAULT, or another lending protocol that this service has an adapter for.
      * @example ESCROW_VAULT
      */
      defiProtocol: string;
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
      escrow: components["schemas"]["AccountLookup"];
      lendingDetails: {
        /** @example 11111111111111111111111111111111 */
        loanStrategyAddress: string;
        expectedLoanValues?: {
          /** @description Every rate is at most this; 0: not checked. */
          expectedApy?: number;
          /** @description By itemsToPledge: the liquidation ratio is at least this; 0: not checked. */
          expectedLqt?: number[];
        };
      };
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
      strategyAccount: components["schemas"]["AccountLookup"];
      financialInstrument: components["schemas"]["AccountLookup"];
      collateral: {
        financialInstrument: components["schemas"]["AccountLookup"];
        apy: number;
        loanToValueRatio: number;
        liquidationRatio: number;
        maxPriceAgeSeconds: number;
        onchainDataSource?: components["schemas"]["AccountLookup"];
      }[];
      duration: components["schemas"]["LoanDuration"];
      onchainDataSource?: components["schemas"]["AccountLookup"];
      borrowers?: components["schemas"]["StrategyBorrower"][] | null;
      /**
      * @description What is lent counts against no debit limit of the vault.
      * @default false
      */
      exemptFromDebitLimits?: boolean;
      /** @default true */
      originationsEnabled?: boolean;
      originationCap?: number | string | bigint | null;
      liquidityBuffer?: number | null;
    };
    /** @description An organization, with the most outstanding principal it may owe the strategy (display units). Its external id alone, or no `cap`: no such bound, for organizations of the same tenant only. */
    StrategyBorrower: string | {
      organizationExternalId: string;
      cap?: number | string | bigint | null;
    };
    /** @description Absent members keep their value; null lifts a limit. */
    LoanStrategyChanges: {
      strategy: {
        /** Format: uuid */
        offchainId: string;
      };
      collateral?: {
        financialInstrument: components["schemas"]["AccountLookup"];
        apy: number;
        loanToValueRatio: number;
        liquidationRatio: number;
        maxPriceAgeSeconds: number;
        onchainDataSource?: components["schemas"]["AccountLookup"];
      }[];
      duration?: components["schemas"]["LoanDuration"];
      onchainDataSource?: components["schemas"]["AccountLookup"];
      borrowers?: components["schemas"]["StrategyBorrower"][] | null;
      /**
      * @description What is lent counts against no debit limit of the vault.
      * @default false
      */
      exemptFromDebitLimits?: boolean;
      /** @default true */
      originationsEnabled?: boolean;
      originationCap?: number | string | bigint | null;
      liquidityBuffer?: number | null;
    };
    LoanStrategyReference: {
      strategy: {
        /** Format: uuid */
        offchainId: string;
      };
    };
    LoanStrategy: {
      /** Format: uuid */
      offchainId: string;
      /** @description The vault. */
      onchainId: string;
      defiProtocol: string;
      strategyAccount: {
        onchain: {
          id: string;
        } & {
          [key: string]: unknown;
        };
      } & {
        [key: string]: unknown;
      };
      financialInstrument: {
        onchain: {
          id: string;
        } & {
          [key: string]: unknown;
        };
      } & {
        [key: string]: unknown;
      };
      onchainDataSource: {
        onchain: {
          id: string;
        } & {
          [key: string]: unknown;
        };
      } & {
        [key: string]: unknown;
      };
      collateral: {
        financialInstrument: {
          onchain: {
            id: string;
          } & {
            [key: string]: unknown;
          };
        } & {
          [key: string]: unknown;
        };
        apy: number;
        loanToValueRatio: number;
        liquidationRatio: number;
        maxPriceAgeSeconds: number;
        onchainDataSource: {
          onchain: {
            id: string;
          } & {
            [key: string]: unknown;
          };
        } & {
          [key: string]: unknown;
        };
      }[];
      duration: components["schemas"]["LoanDuration"];
      /** @description Where none were named: the organizations of its own tenant, as they are now. */
      borrowers: {
        organizationExternalId: string;
        cap: string | null;
      }[];
      exemptFromDebitLimits: boolean;
      originationsEnabled: boolean;
      originationCap: string | null;
      liquidityBuffer: number | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
      tenantOrganizationId: string;
    };
    /** @description authority is needed unless the table is on chain already. */
    NewAddressLookupTable: {
      addressLookupTable?: components["schemas"]["NewAccount"];
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
      addressLookupTable: components["schemas"]["AccountLookup"];
      componentAddresses: components["schemas"]["AccountLookup"][];
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    AddressLookupTableChanges: {
      addressLookupTable: components["schemas"]["AccountLookup"];
      offchainReferences?: components["schemas"]["ReferenceChanges"] | null;
      comments?: string | null;
      /** @enum {string} */
      action?: "FREEZE" | "DEACTIVATE" | "CLOSE";
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    AddressLookupTable: {
      addressLookupTable: components["schemas"]["Account"];
      /** @description null once the table is frozen. */
      authority: components["schemas"]["Account"] | components["schemas"]["AddressOnly"] | null;
      addresses: {
        onchainId: string;
        /** Format: uuid */
        offchainId?: string;
      }[];
      /** @enum {string} */
      state: "ACTIVE" | "DEACTIVATING" | "CLOSED" | "FROZEN";
    };
    NewNonces: {
      nonceAuthority: components["schemas"]["AccountLookup"];
      nonceAccounts?: components["schemas"]["NewAccount"][];
      count?: number;
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    DurableNonceAccount: {
      nonceAccount: components["schemas"]["Account"];
      nonceAuthority: {
        onchain: {
          id: string;
        };
        offchain: {
          id: string | null;
        };
        managed: boolean;
        tenantOrganizationId: string | null;
      };
      /** @description As the chain showed it last, finalized; null before the first look. */
      nonceHash: string | null;
      inUse: {
        /** Format: uuid */
        transactionOffchainId: string;
        /** Format: date-time */
        transactionAt: string;
      } | null;
    };
    NewOnchainDataSource: {
      /** @enum {string} */
      defiProtocol: "PUBLISHED_FEED";
      onchainDataSource?: components["schemas"]["NewAccount"];
      financialInstrument: components["schemas"]["AccountLookup"];
      onchainDataSourceAuthority: components["schemas"]["AccountLookup"];
      dataDetails: {
        /** @enum {string} */
        kind: "PRICE" | "RATING";
        ratingProvider?: string | null;
      };
      oracleProviderDetails: {
        /** @enum {string} */
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
      onchainDataSource: components["schemas"]["AccountLookup"];
      financialInstrument?: components["schemas"]["AccountLookup"];
      onchainDataSourceAuthority?: components["schemas"]["AccountLookup"];
      dataDetails?: {
        /** @enum {string} */
        kind?: "PRICE" | "RATING";
        ratingProvider?: string | null;
      };
      oracleProviderDetails?: {
        /** @enum {string} */
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
      onchainDataSource: components["schemas"]["AccountLookup"];
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
    };
    NamedOnchainDataSource: {
      onchainDataSource: components["schemas"]["AccountLookup"];
    };
    OnchainDataSource: {
      /** @enum {string} */
      defiProtocol: "PUBLISHED_FEED";
      onchainDataSource: components["schemas"]["Account"];
      financialInstrument: components["schemas"]["Account"] | components["schemas"]["AddressOnly"];
      onchainDataSourceAuthority: components["schemas"]["Account"] | components["schemas"]["AddressOnly"];
      dataDetails: {
        /** @enum {string} */
        kind: "PRICE" | "RATING";
        ratingProvider: string | null;
      };
      oracleProviderDetails: {
        kind: string;
        /** @description null: of another tenant. */
        jobDefinition: string | null;
      };
      /** @description What stands on chain. */
      latest: {
        value: string;
        /** Format: date-time */
        asOf: string;
        slot: number;
        sequence: number;
      } | null;
      stale: boolean;
      /** @description The jobs when they were executed last, whatever came of it. */
      lastRun: {
        /** Format: date-time */
        at: string;
        value: string | null;
        jobs: {
          succeeded: boolean;
          value?: string;
          /** @description The job, the task and the reason. */
          error?: string;
        }[];
      } | null;
    };
    /** @description offchainId or onchainId (the first signature); both must agree. */
    TransactionReference: {
      /** Format: uuid */
      offchainId?: string;
      onchainId?: string;
    };
    Transaction: {
      success: boolean;
      /** Format: uuid */
      offchainId: string;
      /** @enum {string} */
      status: "PREPARED" | "PARTIALLY_SIGNED" | "SIGNED" | "SUBMITTED" | "PROCESSED" | "CONFIRMED" | "FINALIZED" | "BLOCKCHAIN_ERROR" | "NON_BLOCKCHAIN_ERROR" | "CANCELLED" | "EXPIRED";
      /** @description The first signature; null while there is none. */
      onchainId: string | null;
      confirmationsCount: number | null;
      /** @description Base64 of the message. */
      serializedMessage: string | null;
      errorMessage?: string;
      /** @description It goes on only once others have approved it. */
      approval?: {
        /** @description The debit limits that are exceeded. */
        entries: components["schemas"]["DebitLimitVerdict"][];
        /** @description How many keys have to approve it at least. */
        required: number;
        given: number;
        /** Format: date-time */
        expiresAt: string;
      };
      /**
      * Format: date-time
      * @description With microseconds.
      */
      txnTimestamp: string;
      /** @description A decimal string. */
      fee: string;
      feePayer: {
        onchainId: string;
        offchainId: string | null;
      };
      accounts: {
        onchainId: string;
        offchainId: string | null;
      }[];
      messageLifetimeStrategy: string;
      recentBlockhash: string | null;
      lastValidBlockHeight: number | null;
      nonceAccount: {
        onchainId: string;
        offchainId: string | null;
      } | null;
      transactionVersion: string;
      computeUnitsConsumed: number | null;
      computeUnitsLimit: number | null;
      computeUnitPrice: string | null;
      instructions: {
        type: string;
        programId: string;
      }[];
      endpoint: string | null;
      /** @description As the request gave it. */
      externalReference: string | null;
      blockTime: string | null;
      slot: number | null;
      /** Format: date-time */
      preparedAt: string;
      tenantOrganizationId: string;
      history: {
        status: string;
        /** Format: date-time */
        at: string;
        detail?: string | null;
      }[];
    };
    TransactionCompact: {
      success: boolean;
      /** Format: uuid */
      offchainId: string;
      /** @enum {string} */
      status: "PREPARED" | "PARTIALLY_SIGNED" | "SIGNED" | "SUBMITTED" | "PROCESSED" | "CONFIRMED" | "FINALIZED" | "BLOCKCHAIN_ERROR" | "NON_BLOCKCHAIN_ERROR" | "CANCELLED" | "EXPIRED";
      /** @description The first signature; null while there is none. */
      onchainId: string | null;
      confirmationsCount: number | null;
      /** @description Base64 of the message. */
      serializedMessage: string | null;
      errorMessage?: string;
      /** @description It goes on only once others have approved it. */
      approval?: {
        /** @description The debit limits that are exceeded. */
        entries: components["schemas"]["DebitLimitVerdict"][];
        /** @description How many keys have to approve it at least. */
        required: number;
        given: number;
        /** Format: date-time */
        expiresAt: string;
      };
      /**
      * Format: date-time
      * @description With microseconds.
      */
      txnTimestamp: string;
      tenantOrganizationId: string;
      /** @description As the request gave it. */
      externalReference: string | null;
    };
    TransactionIdentifiers: {
      tenantOrganizationId: string;
      /** Format: uuid */
      offchainId: string;
      /** @description The first signature; null while there is none. */
      onchainId: string | null;
    };
    Explanation: {
      transaction: {
        success: boolean;
        /** Format: uuid */
        offchainId: string;
        /** @enum {string} */
        status: "PREPARED" | "PARTIALLY_SIGNED" | "SIGNED" | "SUBMITTED" | "PROCESSED" | "CONFIRMED" | "FINALIZED" | "BLOCKCHAIN_ERROR" | "NON_BLOCKCHAIN_ERROR" | "CANCELLED" | "EXPIRED";
        /** @description The first signature; null while there is none. */
        onchainId: string | null;
        confirmationsCount: number | null;
        /** @description Base64 of the message. */
        serializedMessage: string | null;
        errorMessage?: string;
        /** @description It goes on only once others have approved it. */
        approval?: {
          /** @description The debit limits that are exceeded. */
          entries: components["schemas"]["DebitLimitVerdict"][];
          /** @description How many keys have to approve it at least. */
          required: number;
          given: number;
          /** Format: date-time */
          expiresAt: string;
        };
        /**
        * Format: date-time
        * @description With microseconds.
        */
        txnTimestamp: string;
        externalReference: string | null;
      };
      checks: {
        rule: string;
        /**
        * @description PENDING: judged with the first signature of ours.
        * @enum {string}
        */
        verdict: "PASSED" | "PENDING" | "LEFT_TO_CHAIN";
        detail: string;
        judgedOn: {
          [key: string]: unknown;
        };
      }[];
      attempts: {
        status: string;
        /** Format: date-time */
        at: string;
        detail: string | null;
        attempt: number;
        /** @description Equal to attempt, or the first of those that the entry counts. */
        since: number;
        endpoint: string | null;
        answer: string | null;
      }[];
      signatures: {
        onchainId: string;
        offchainId: string | null;
        signed: boolean;
        ours: boolean;
        /** @description A remote signer was asked, and may have signed. */
        asked: boolean;
        /** @description Base58. Ours is shown once it has left the service. */
        signature: string | null;
      }[];
      reservations: {
        /** Format: uuid */
        offchainId: string;
        asset: string;
        /** @description A decimal string. */
        amount: string;
      }[];
      history: {
        status: string;
        /** Format: date-time */
        at: string;
        detail: string | null;
      }[];
      attestation?: {
        outcome: string;
        keyId: string;
      } & {
        [key: string]: unknown;
      };
      /** @description While it is under way; unproven: why it is not known to have expired. */
      watch?: {
        attempts: number;
        unproven: string | null;
      } & {
        [key: string]: unknown;
      };
      expiryProof?: {
        [key: string]: unknown;
      };
    };
    /** @description Signatures brought from outside, and managed signers that sign now. */
    SignTransaction: {
      transaction?: {
        /** Format: uuid */
        offchainId: string;
      };
      serializedTransaction?: string;
      signers?: components["schemas"]["AccountLookup"][];
      signatures?: {
        /** @example 11111111111111111111111111111111 */
        onchainId: string;
        signature: string;
      }[];
      returnSerialized?: boolean;
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
      /** Format: uuid */
      idempotencyId?: string;
    };
    SubmitTransaction: {
      transaction?: {
        /** Format: uuid */
        offchainId: string;
      };
      serializedTransaction?: string;
      /**
      * @description A reference of your own, kept on the transaction. Several transactions may have the same one.
      * @example INV-2026-0042
      */
      externalReference?: string;
      /** Format: uuid */
      idempotencyId?: string;
    };
    /** @description Whose debit may exceed its limits. */
    ApproveTransaction: {
      /** Format: uuid */
      offchainId: string;
    };
    /** @description What became of it, when nothing can prove it any more. */
    AttestTransaction: {
      /** Format: uuid */
      offchainId: string;
      /** @enum {string} */
      outcome: "FINALIZED" | "BLOCKCHAIN_ERROR" | "EXPIRED";
      /** @description What the word of this key rests on. Kept for ever. */
      evidence: string;
    };
    CancelTransaction: {
      /** Format: uuid */
      offchainId: string;
    };
    NewWebhook: {
      /**
      * Format: uri
      * @example https://example.org/hooks/holdfast
      */
      url: string;
      eventTypes?: string[];
    };
    CreatedWebhook: {
      newWebhook: {
        /** Format: uuid */
        offchainId: string;
      };
      /** @description Shown once; absent in a replay. */
      secret?: string;
    };
    /** @description Never holds a secret. */
    Webhook: {
      /** Format: uuid */
      offchainId: string;
      tenantOrganizationId: string;
      url: string;
      eventTypes: string[];
      /** @enum {string} */
      status: "ENABLED" | "DISABLED";
      disabled: boolean;
      disabledAt: string | null;
      disabledBecause: ("REQUESTED" | "GONE" | "EXHAUSTED") | null;
      /** Format: date-time */
      createdAt: string;
      createdBy: string;
      rotatedAt: string | null;
      previousSecretValidUntil: string | null;
      /** @description Events up to this one are delivered, but for those of what waits. */
      lastSequence: number;
      lastDeliveredAt: string | null;
      waiting: {
        /** Format: uuid */
        resourceOffchainId: string;
        sequence: number;
        failures: number;
        /** Format: date-time */
        nextAttemptAt: string;
      }[];
      /** @description The latest tries, newest first. */
      deliveries: {
        /** Format: uuid */
        eventId: string;
        sequence: number;
        type: string;
        attempt: number;
        /** Format: date-time */
        at: string;
        httpStatus: number | null;
        delivered: boolean;
        errorMessage: string | null;
      }[];
    };
    RotateWebhook: {
      /** Format: uuid */
      offchainId: string;
      /** @default 86400 */
      graceSeconds?: number;
    };
    RotatedWebhook: {
      rotatedWebhook: {
        /** Format: uuid */
        offchainId: string;
      };
      previousSecretValidUntil: string | null;
      /** @description Shown once; absent in a replay. */
      secret?: string;
    };
    DisableWebhook: {
      /** Format: uuid */
      offchainId: string;
    };
    /** @description The event from which on everything is delivered again; neither: what failed is tried at once. */
    RedeliverWebhook: {
      /** Format: uuid */
      offchainId: string;
      /** Format: uuid */
      eventId?: string;
      sequence?: number;
    };
    AuditRow: {
      /** @description Counts the rows of a tenant, from 1, without gaps. */
      sequence: number;
      /** Format: date-time */
      at: string;
      keyId: string;
      /**
      * @description The endpoint.
      * @example POST /api/v1/accounts
      */
      action: string;
      /** @enum {string} */
      outcome: "DONE" | "REFUSED";
      resource: {
        kind: string | null;
        onchainId: string | null;
        offchainId: string | null;
      };
      requestId: string;
      /** @description Of a row that stands for repeats of a refusal (same key, endpoint and resource, within a minute of the first): how many. */
      count?: number;
      /** @description 64 zeros before the first row. */
      previousHash: string;
      /** @description SHA-256 (hex) of the RFC 8785 canonical JSON of all other members. */
      hash: string;
    };
    NewOrganization: {
      externalId: string;
      name: string;
      parentExternalId?: string;
    };
    Organization: {
      externalId: string;
      name: string;
      parentExternalId: string | null;
      /** @description Programs that transactions made elsewhere may call. */
      allowedPrograms: string[];
      /** @description Other tenants' accounts that may pay its fees. */
      acceptedFeePayers: string[];
      /** @description Other tenants may ask its keys to sign without a grant. */
      acceptsSigningRequests: boolean;
      /** @enum {string} */
      status: "ACTIVE" | "FROZEN";
    };
    OrganizationChanges: {
      externalId: string;
      name?: string;
      allowedPrograms?: string[];
      /** @description Accounts of other tenants that may pay fees of this organization; the system tenant's need not be listed. */
      acceptedFeePayers?: string[];
      acceptsSigningRequests?: boolean;
    };
    NewApiKey: {
      organizationExternalId: string;
      name: string;
      roles?: ("ACCOUNTS_READ" | "ACCOUNTS_WRITE" | "INSTRUMENTS_READ" | "INSTRUMENTS_WRITE" | "POSITIONS_READ" | "POSITIONS_WRITE" | "LOANS_READ" | "LOANS_WRITE" | "NONCES_READ" | "NONCES_WRITE" | "LOOKUP_TABLES_READ" | "LOOKUP_TABLES_WRITE" | "MARKET_DATA_READ" | "MARKET_DATA_WRITE" | "TRANSACTIONS_READ" | "TRANSACTIONS_WRITE" | "ACCOUNT_POLICY_WRITE" | "PRIVATE_KEY_EXPORT" | "PLATFORM_UPDATE_DEBIT_API_KEYS" | "DEBIT_LIMIT_APPROVE" | "ORGANIZATION_OVERRIDE" | "TENANT_ADMIN" | "PLATFORM_ADMIN" | "AUDIT_READ" | "EVENTS_READ" | "EVENTS_WRITE")[];
      /** @enum {string} */
      bundle?: "OPERATOR" | "VIEWER" | "ADMIN";
      /** Format: date-time */
      expiresAt?: string;
      clusters?: ("CHAIN_DEVNET" | "CHAIN_DEVNET_1" | "CHAIN_MAINNET_TESTING" | "CHAIN_MAINNET" | "CHAIN_PERMISSIONED")[];
    };
    ApiKey: {
      keyId: string;
      /** @description Shown once; absent in a replay. */
      apiKey?: string;
    };
    /** @description Never holds a secret. */
    ApiKeyRecord: {
      keyId: string;
      name: string;
      organizationExternalId: string;
      roles: string[];
      /** @description None listed: all. */
      clusters: string[];
      disabled: boolean;
      expiresAt: string | null;
      lastUsedAt: string | null;
      /** Format: date-time */
      createdAt: string;
      createdBy: string;
      rotatedAt: string | null;
      previousSecretValidUntil: string | null;
      approvalsSuspendedUntil: string | null;
    };
    RotateApiKey: {
      keyId: string;
      graceSeconds?: number;
    };
    DisableApiKey: {
      keyId: string;
    };
    /** @description An organization or an account; neither: everything. */
    FreezeTarget: {
      organizationExternalId?: string;
      account?: components["schemas"]["AccountLookup"];
    };
    /** @description An organization, or the account of a fee payer or nonce; neither: the whole cluster. */
    LaneTarget: {
      organizationExternalId?: string;
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
      * @example account.created
      * @example position.updated
      * @example transaction.confirmed
      * @example account.network_activity
      */
      type: string;
      /** Format: date-time */
      at: string;
      tenantOrganizationId: string;
      chainClusterId: string;
      resource: {
        kind: string;
        onchainId: string | null;
        /** Format: uuid */
        offchainId: string;
      };
      /** @description The changed members, in the form of the read model of the record. */
      data: {
        [key: string]: unknown;
      };
    };
    /** @description The organization and the rights of the API key. */
    Identity: {
      keyId: string;
      organizationExternalId: string;
      /** @description The root organization of its tenant. */
      tenantOrganizationId: string;
      roles: string[];
      /** @description null: all. */
      clusters: string[] | null;
    };
    Problem: {
      type: string;
      title: string;
      status: number;
      detail?: string;
      /** Format: uuid */
      requestId: string;
      errors: {
        /** @description Stable. */
        code: string;
        message: string;
        /** @description JSON Pointer into the request body. */
        pointer?: string;
        /** @description True only if nothing was signed or sent. */
        retryable: boolean;
        /** @description The debit limits that are exceeded. */
        entries?: components["schemas"]["DebitLimitVerdict"][];
      }[];
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
      * @example account.created
      * @example position.updated
      * @example transaction.confirmed
      * @example account.network_activity
      */
      type: string;
      /** Format: date-time */
      at: string;
      tenantOrganizationId: string;
      chainClusterId: string;
      resource: {
        kind: string;
        onchainId: string | null;
        /** Format: uuid */
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
    /** @description true: respond with 200 and the expected result, and change nothing. */
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
        /** @description true: respond with 200 and the expected result, and change nothing. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          itemData: components["schemas"]["CreateAccount"];
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description The expected result: fee, size, accounts, signers, limits and the simulation */
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
            newAccount: components["schemas"]["Ids"];
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
          itemData: components["schemas"]["AccountChanges"];
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
            updatedAccount: components["schemas"]["Ids"];
          };
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
        /** @description true: respond with 200 and the expected result, and change nothing. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          itemData: components["schemas"]["InactivateAccount"];
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
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
            inactivatedAccount: components["schemas"]["Ids"];
            chainTransaction?: components["schemas"]["ChainTransactionResult"];
          } | components["schemas"]["DryRun"];
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
          itemData: components["schemas"]["AccountLookup"];
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
          itemData: components["schemas"]["AccountLookup"];
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
          itemQuery?: {
            /** @default 100 */
            limit?: number;
            /** @default 0 */
            skip?: number;
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
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              filterValues: components["schemas"]["FilterValue"][];
            }[];
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
              /** @enum {string} */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /** @default 100 */
            limit?: number;
            /** @default 0 */
            skip?: number;
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
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              filterValues: components["schemas"]["FilterValue"][];
            }[];
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
              /** @enum {string} */
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
            count: number;
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
          itemData: components["schemas"]["PrivateKeyLookup"];
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
            privateKeyDetails: {
              location: string[];
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
        /** @description true: respond with 200 and the expected result, and change nothing. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          itemData: components["schemas"]["NewFinancialInstrument"];
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description The expected result: fee, size, accounts, signers, limits and the simulation */
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
            newFinancialInstrument: {
              onchainId: string;
              /** Format: uuid */
              offchainId: string;
              alId?: string;
            };
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
        /** @description true: respond with 200 and the expected result, and change nothing. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          itemData: components["schemas"]["FinancialInstrumentChanges"];
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
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
            updatedFinancialInstrument: components["schemas"]["Ids"];
            chainTransaction?: components["schemas"]["ChainTransactionResult"];
            chainTransactions?: components["schemas"]["ChainTransactionResult"][];
            chainPlan?: components["schemas"]["ChainPlan"];
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
        /** @description true: respond with 200 and the expected result, and change nothing. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          itemData: components["schemas"]["SwitchFinancialInstrument"];
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
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
        /** @description true: respond with 200 and the expected result, and change nothing. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          itemData: components["schemas"]["SwitchFinancialInstrument"];
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
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
        /** @description true: respond with 200 and the expected result, and change nothing. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          itemData: components["schemas"]["CloseFinancialInstrument"];
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
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
            closedFinancialInstrument: components["schemas"]["Ids"];
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
          itemData: components["schemas"]["CirculatingSupplyLookup"];
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
            onchainCirculatingSupply: components["schemas"]["AmountPair"];
            /** @description By the books. */
            offchainCirculatingSupply: components["schemas"]["AmountPair"];
            outOfBalance: boolean;
          };
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
          itemData: components["schemas"]["AccountLookup"];
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
          extensions?: ("PERMANENT_DELEGATE" | "MINT_CLOSE" | "DEFAULT_ACCOUNT_STATE" | "SCALED_UI_AMOUNT" | "PAUSABLE" | "TRANSFER_HOOK" | "CONFIDENTIAL_TRANSFER" | "CONFIDENTIAL_MINT_BURN" | "METADATA_POINTER" | "TOKEN_METADATA")[];
          /** @description Implies METADATA_POINTER and TOKEN_METADATA. Members of any other name are keys of the metadata. */
          metadata?: {
            name?: string;
            symbol?: string;
            uri?: string;
            additionalMetadata?: {
              [key: string]: string;
            };
            simpleCustomMetadata?: {
              [key: string]: string;
            };
          } & {
            [key: string]: string;
          };
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
            /** @description A decimal string. */
            estimatedRentAmount: string;
            /** @description A decimal string. */
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
          itemQuery?: {
            /** @default 100 */
            limit?: number;
            /** @default 0 */
            skip?: number;
            filter?: {
              /**
              * @description One of managed, alId, offchainReferenceName, comments, tenantOrganizationId, lastTransactionAt, creationTransactionAt, wasAlreadyOnchain, sharedAccrossTenants, version, defaultPositionState, paused, mintAuthorityOnchainId, mintAuthorityOffchainId, updateAuthorityOnchainId, udpateAuthorityOffchainId, freezeAuthorityOnchainId, freezeAuthorityOffchainId, permanentDelegateAuthorityOnchainId, permanentDelegateAuthorityOffchainId, closingAuthorityOnchainId, closingAuthorityOffchainId, pausableAuthorityOnchainId, pausableAuthorityOffchainId, scaledUiAmountAuthorityOnchainId, scaledUiAmountAuthorityOffchainId, transferHookProgramOnchainId, transferHookProgramOffchainId, transferHookAuthorityOnchainId, transferHookAuthorityOffchainId, confidentialTransferAuthorityOnchainId, confidentialTransferAuthorityOffchainId, confidentialMintBurnAuthorityOnchainId, confidentialMintBurnAuthorityOffchainId.
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
              */
              fieldName: string;
              /**
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            sort?: {
              /**
              * @description One of managed, alId, offchainReferenceName, comments, tenantOrganizationId, lastTransactionAt, creationTransactionAt, wasAlreadyOnchain, sharedAccrossTenants, version, defaultPositionState, paused, mintAuthorityOnchainId, mintAuthorityOffchainId, updateAuthorityOnchainId, udpateAuthorityOffchainId, freezeAuthorityOnchainId, freezeAuthorityOffchainId, permanentDelegateAuthorityOnchainId, permanentDelegateAuthorityOffchainId, closingAuthorityOnchainId, closingAuthorityOffchainId, pausableAuthorityOnchainId, pausableAuthorityOffchainId, scaledUiAmountAuthorityOnchainId, scaledUiAmountAuthorityOffchainId, transferHookProgramOnchainId, transferHookProgramOffchainId, transferHookAuthorityOnchainId, transferHookAuthorityOffchainId, confidentialTransferAuthorityOnchainId, confidentialTransferAuthorityOffchainId, confidentialMintBurnAuthorityOnchainId, confidentialMintBurnAuthorityOffchainId.
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
              */
              fieldName: string;
              /** @enum {string} */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /** @default 100 */
            limit?: number;
            /** @default 0 */
            skip?: number;
            filter?: {
              /**
              * @description One of managed, alId, offchainReferenceName, comments, tenantOrganizationId, lastTransactionAt, creationTransactionAt, wasAlreadyOnchain, sharedAccrossTenants, version, defaultPositionState, paused, mintAuthorityOnchainId, mintAuthorityOffchainId, updateAuthorityOnchainId, udpateAuthorityOffchainId, freezeAuthorityOnchainId, freezeAuthorityOffchainId, permanentDelegateAuthorityOnchainId, permanentDelegateAuthorityOffchainId, closingAuthorityOnchainId, closingAuthorityOffchainId, pausableAuthorityOnchainId, pausableAuthorityOffchainId, scaledUiAmountAuthorityOnchainId, scaledUiAmountAuthorityOffchainId, transferHookProgramOnchainId, transferHookProgramOffchainId, transferHookAuthorityOnchainId, transferHookAuthorityOffchainId, confidentialTransferAuthorityOnchainId, confidentialTransferAuthorityOffchainId, confidentialMintBurnAuthorityOnchainId, confidentialMintBurnAuthorityOffchainId.
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
              */
              fieldName: string;
              /**
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            sort?: {
              /**
              * @description One of managed, alId, offchainReferenceName, comments, tenantOrganizationId, lastTransactionAt, creationTransactionAt, wasAlreadyOnchain, sharedAccrossTenants, version, defaultPositionState, paused, mintAuthorityOnchainId, mintAuthorityOffchainId, updateAuthorityOnchainId, udpateAuthorityOffchainId, freezeAuthorityOnchainId, freezeAuthorityOffchainId, permanentDelegateAuthorityOnchainId, permanentDelegateAuthorityOffchainId, closingAuthorityOnchainId, closingAuthorityOffchainId, pausableAuthorityOnchainId, pausableAuthorityOffchainId, scaledUiAmountAuthorityOnchainId, scaledUiAmountAuthorityOffchainId, transferHookProgramOnchainId, transferHookProgramOffchainId, transferHookAuthorityOnchainId, transferHookAuthorityOffchainId, confidentialTransferAuthorityOnchainId, confidentialTransferAuthorityOffchainId, confidentialMintBurnAuthorityOnchainId, confidentialMintBurnAuthorityOffchainId.
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
              */
              fieldName: string;
              /** @enum {string} */
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
            count: number;
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
        /** @description true: respond with 200 and the expected result, and change nothing. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          itemData: components["schemas"]["NewPosition"];
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description The expected result: fee, size, accounts, signers, limits and the simulation */
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
            newPosition: components["schemas"]["Ids"];
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
          itemData: components["schemas"]["PositionChanges"];
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
            updatedPosition: components["schemas"]["Ids"];
          };
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
        /** @description true: respond with 200 and the expected result, and change nothing. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          itemData: components["schemas"]["SwitchPosition"];
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
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
        /** @description true: respond with 200 and the expected result, and change nothing. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          itemData: components["schemas"]["SwitchPosition"];
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
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
        /** @description true: respond with 200 and the expected result, and change nothing. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          itemData: components["schemas"]["Mint"];
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description The expected result: fee, size, accounts, signers, limits and the simulation */
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
        /** @description true: respond with 200 and the expected result, and change nothing. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          itemData: components["schemas"]["Burn"];
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description The expected result: fee, size, accounts, signers, limits and the simulation */
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
        /** @description true: respond with 200 and the expected result, and change nothing. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          itemData: components["schemas"]["Transfer"];
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description The expected result: fee, size, accounts, signers, limits and the simulation */
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
        /** @description true: respond with 200 and the expected result, and change nothing. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          itemData: components["schemas"]["TransferNetworkCurrency"];
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description The expected result: fee, size, accounts, signers, limits and the simulation */
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
        /** @description true: respond with 200 and the expected result, and change nothing. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          itemData: components["schemas"]["Trade"];
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description The expected result: fee, size, accounts, signers, limits and the simulation */
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
        /** @description true: respond with 200 and the expected result, and change nothing. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          itemData: components["schemas"]["ClosePosition"];
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
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
          itemData: components["schemas"]["PositionLookup"];
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
          itemData: components["schemas"]["PositionLookup"];
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
          itemQuery?: {
            /** @default 100 */
            limit?: number;
            /** @default 0 */
            skip?: number;
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
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              filterValues: components["schemas"]["FilterValue"][];
            }[];
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
              /** @enum {string} */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /** @default 100 */
            limit?: number;
            /** @default 0 */
            skip?: number;
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
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              filterValues: components["schemas"]["FilterValue"][];
            }[];
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
              /** @enum {string} */
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
            count: number;
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
        /** @description true: respond with 200 and the expected result, and change nothing. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          itemData: components["schemas"]["NewBatch"];
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description The expected result: fee, size, accounts, signers, limits and the simulation */
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
            newBatch: {
              /** Format: uuid */
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
          itemData: components["schemas"]["BatchReference"];
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
          itemQuery?: {
            /** @default 100 */
            limit?: number;
            /** @default 0 */
            skip?: number;
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
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              filterValues: components["schemas"]["FilterValue"][];
            }[];
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
              /** @enum {string} */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /** @default 100 */
            limit?: number;
            /** @default 0 */
            skip?: number;
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
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              filterValues: components["schemas"]["FilterValue"][];
            }[];
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
              /** @enum {string} */
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
            count: number;
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
          itemQuery?: {
            /** @default 100 */
            limit?: number;
            /** @default 0 */
            skip?: number;
            filter?: {
              /**
              * @description One of offchainId, operation, status, stopOnFailure, externalReference, itemsCount, failedCount, createdAt, endedAt.
              * @example offchainId
              * @example operation
              * @example status
              * @example stopOnFailure
              * @example externalReference
              * @example itemsCount
              * @example failedCount
              * @example createdAt
              * @example endedAt
              */
              fieldName: string;
              /**
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            sort?: {
              /**
              * @description One of offchainId, operation, status, stopOnFailure, externalReference, itemsCount, failedCount, createdAt, endedAt.
              * @example offchainId
              * @example operation
              * @example status
              * @example stopOnFailure
              * @example externalReference
              * @example itemsCount
              * @example failedCount
              * @example createdAt
              * @example endedAt
              */
              fieldName: string;
              /** @enum {string} */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /** @default 100 */
            limit?: number;
            /** @default 0 */
            skip?: number;
            filter?: {
              /**
              * @description One of offchainId, operation, status, stopOnFailure, externalReference, itemsCount, failedCount, createdAt, endedAt.
              * @example offchainId
              * @example operation
              * @example status
              * @example stopOnFailure
              * @example externalReference
              * @example itemsCount
              * @example failedCount
              * @example createdAt
              * @example endedAt
              */
              fieldName: string;
              /**
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            sort?: {
              /**
              * @description One of offchainId, operation, status, stopOnFailure, externalReference, itemsCount, failedCount, createdAt, endedAt.
              * @example offchainId
              * @example operation
              * @example status
              * @example stopOnFailure
              * @example externalReference
              * @example itemsCount
              * @example failedCount
              * @example createdAt
              * @example endedAt
              */
              fieldName: string;
              /** @enum {string} */
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
            count: number;
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
          itemData: components["schemas"]["BatchReference"];
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
            cancelledBatch: {
              /** Format: uuid */
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
          itemData: components["schemas"]["BatchReference"];
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
            retriedBatch: {
              /** Format: uuid */
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
        /** @description true: respond with 200 and the expected result, and change nothing. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          itemData: components["schemas"]["NewLoan"];
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description The expected result: fee, size, accounts, signers, limits and the simulation */
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
            newLoan: components["schemas"]["Ids"];
            chainTransaction?: components["schemas"]["ChainTransactionResult"];
            chainTransactions?: components["schemas"]["ChainTransactionResult"][];
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
          itemData: components["schemas"]["LoanDetails"];
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
          itemQuery?: {
            /** @default 100 */
            limit?: number;
            /** @default 0 */
            skip?: number;
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
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              filterValues: components["schemas"]["FilterValue"][];
            }[];
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
              /** @enum {string} */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /** @default 100 */
            limit?: number;
            /** @default 0 */
            skip?: number;
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
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              filterValues: components["schemas"]["FilterValue"][];
            }[];
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
              /** @enum {string} */
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
            count: number;
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
        /** @description true: respond with 200 and the expected result, and change nothing. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          itemData: components["schemas"]["SwapCollateral"];
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
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
            updatedLoan: components["schemas"]["Ids"];
            chainTransaction?: components["schemas"]["ChainTransactionResult"];
            chainTransactions?: components["schemas"]["ChainTransactionResult"][];
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
        /** @description true: respond with 200 and the expected result, and change nothing. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          itemData: components["schemas"]["RepayLoan"];
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
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
            updatedLoan: components["schemas"]["Ids"];
            chainTransaction?: components["schemas"]["ChainTransactionResult"];
            chainTransactions?: components["schemas"]["ChainTransactionResult"][];
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
        /** @description true: respond with 200 and the expected result, and change nothing. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          itemData: components["schemas"]["LoanReference"];
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
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
            closedLoan: components["schemas"]["Ids"];
            chainTransaction?: components["schemas"]["ChainTransactionResult"];
            chainTransactions?: components["schemas"]["ChainTransactionResult"][];
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
        /** @description true: respond with 200 and the expected result, and change nothing. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          itemData: components["schemas"]["RefinanceLoan"];
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
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
            updatedLoan: components["schemas"]["Ids"];
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
        /** @description true: respond with 200 and the expected result, and change nothing. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          itemData: components["schemas"]["LoanReference"];
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
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
            updatedLoan: components["schemas"]["Ids"];
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
          itemData: components["schemas"]["NewLoanStrategy"];
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
            newStrategy: components["schemas"]["Ids"];
          };
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
          itemData: components["schemas"]["LoanStrategyChanges"];
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
            updatedStrategy: components["schemas"]["Ids"];
          };
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
          itemData: components["schemas"]["LoanStrategyReference"];
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
          itemQuery?: {
            /** @default 100 */
            limit?: number;
            /** @default 0 */
            skip?: number;
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
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              filterValues: components["schemas"]["FilterValue"][];
            }[];
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
              /** @enum {string} */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /** @default 100 */
            limit?: number;
            /** @default 0 */
            skip?: number;
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
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              filterValues: components["schemas"]["FilterValue"][];
            }[];
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
              /** @enum {string} */
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
            count: number;
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
        /** @description true: respond with 200 and the expected result, and change nothing. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          itemData: components["schemas"]["NewAddressLookupTable"];
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description The expected result: fee, size, accounts, signers, limits and the simulation */
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
            newAddressLookupTable: components["schemas"]["Ids"];
            chainTransaction?: components["schemas"]["ChainTransactionResult"];
            chainTransactions?: components["schemas"]["ChainTransactionResult"][];
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
        /** @description true: respond with 200 and the expected result, and change nothing. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          itemData: components["schemas"]["AddressLookupTableChanges"];
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
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
            updatedAddressLookupTable: components["schemas"]["Ids"];
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
        /** @description true: respond with 200 and the expected result, and change nothing. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          itemData: components["schemas"]["AddressLookupTableExtension"];
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
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
            extendedAddressLookupTable: components["schemas"]["Ids"];
            chainTransaction?: components["schemas"]["ChainTransactionResult"];
            chainTransactions?: components["schemas"]["ChainTransactionResult"][];
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
          itemData: components["schemas"]["AccountLookup"];
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
          itemQuery?: {
            /** @default 100 */
            limit?: number;
            /** @default 0 */
            skip?: number;
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
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              filterValues: components["schemas"]["FilterValue"][];
            }[];
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
              /** @enum {string} */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /** @default 100 */
            limit?: number;
            /** @default 0 */
            skip?: number;
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
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              filterValues: components["schemas"]["FilterValue"][];
            }[];
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
              /** @enum {string} */
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
            count: number;
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
        /** @description true: respond with 200 and the expected result, and change nothing. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          itemData: components["schemas"]["NewNonces"];
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description The expected result: fee, size, accounts, signers, limits and the simulation */
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
            newDurableNonceAccounts: components["schemas"]["Ids"][];
            chainTransaction?: components["schemas"]["ChainTransactionResult"];
            chainTransactions: components["schemas"]["ChainTransactionResult"][];
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
          itemQuery?: {
            /** @default 100 */
            limit?: number;
            /** @default 0 */
            skip?: number;
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
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              filterValues: components["schemas"]["FilterValue"][];
            }[];
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
              /** @enum {string} */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          outputConfig?: {
            /** @default true */
            excludePrivateKeyDetails?: boolean;
          };
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /** @default 100 */
            limit?: number;
            /** @default 0 */
            skip?: number;
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
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              filterValues: components["schemas"]["FilterValue"][];
            }[];
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
              /** @enum {string} */
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
            count: number;
            items: {
              nonceAccount: components["schemas"]["Account"];
              nonceAuthority: {
                onchain: {
                  id: string;
                };
                offchain: {
                  id: string | null;
                };
                managed: boolean;
                tenantOrganizationId: string | null;
              };
              /** @description As the chain showed it last, finalized; null before the first look. */
              nonceHash: string | null;
              inUse: {
                /** Format: uuid */
                transactionOffchainId: string;
                /** Format: date-time */
                transactionAt: string;
              } | null;
              privateKeyDetails?: {
                location: string[];
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
          itemQuery?: {
            /** @default 100 */
            limit?: number;
            /** @default 0 */
            skip?: number;
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
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              filterValues: components["schemas"]["FilterValue"][];
            }[];
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
              /** @enum {string} */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /** @default 100 */
            limit?: number;
            /** @default 0 */
            skip?: number;
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
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              filterValues: components["schemas"]["FilterValue"][];
            }[];
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
              /** @enum {string} */
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
            count: number;
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
        /** @description true: respond with 200 and the expected result, and change nothing. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          itemData: components["schemas"]["NewOnchainDataSource"];
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
          tenancyConfig?: components["schemas"]["TenancyConfig"];
        };
      };
    };
    responses: {
      /** @description The expected result: fee, size, accounts, signers, limits and the simulation */
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
            newOnchainDataSource: components["schemas"]["Ids"];
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
        /** @description true: respond with 200 and the expected result, and change nothing. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          itemData: components["schemas"]["OnchainDataSourceChanges"];
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
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
            updatedOnchainDataSource: components["schemas"]["Ids"];
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
        /** @description true: respond with 200 and the expected result, and change nothing. */
        "Holdfast-Dry-Run"?: components["parameters"]["dryRun"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          itemData: components["schemas"]["RefreshOnchainDataSource"];
          chainTransactionConfig?: components["schemas"]["ChainTransactionConfig"];
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
            refreshedOnchainDataSource: components["schemas"]["Ids"];
            value: string;
            /** Format: date-time */
            asOf: string;
            jobs: {
              succeeded: boolean;
              value?: string;
              /** @description The job, the task and the reason. */
              error?: string;
            }[];
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
          itemData: components["schemas"]["NamedOnchainDataSource"];
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
          itemQuery?: {
            /** @default 100 */
            limit?: number;
            /** @default 0 */
            skip?: number;
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
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              filterValues: components["schemas"]["FilterValue"][];
            }[];
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
              /** @enum {string} */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /** @default 100 */
            limit?: number;
            /** @default 0 */
            skip?: number;
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
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              filterValues: components["schemas"]["FilterValue"][];
            }[];
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
              /** @enum {string} */
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
            count: number;
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
          itemData: components["schemas"]["TransactionReference"];
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
          itemData: components["schemas"]["TransactionReference"];
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
          itemQuery?: {
            /** @default 100 */
            limit?: number;
            /** @default 0 */
            skip?: number;
            filter?: {
              /**
              * @description One of offchainId, onchainId, status, success, fee, feePayerOffchainId, feePayerOnchainId, accountOffchainId, accountOnchainId, messageLifetimeStrategy, recentBlockhash, computeUnitsConsumed, computeUnitsLimit, computeUnitPrice, instructionType, endpoint, externalReference, blockTime, preparedAt, awaitsOurSignature.
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
              * @example blockTime
              * @example preparedAt
              * @example awaitsOurSignature
              */
              fieldName: string;
              /**
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            sort?: {
              /**
              * @description One of offchainId, onchainId, status, success, fee, feePayerOffchainId, feePayerOnchainId, accountOffchainId, accountOnchainId, messageLifetimeStrategy, recentBlockhash, computeUnitsConsumed, computeUnitsLimit, computeUnitPrice, instructionType, endpoint, externalReference, blockTime, preparedAt, awaitsOurSignature.
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
              * @example blockTime
              * @example preparedAt
              * @example awaitsOurSignature
              */
              fieldName: string;
              /** @enum {string} */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /** @default 100 */
            limit?: number;
            /** @default 0 */
            skip?: number;
            filter?: {
              /**
              * @description One of offchainId, onchainId, status, success, fee, feePayerOffchainId, feePayerOnchainId, accountOffchainId, accountOnchainId, messageLifetimeStrategy, recentBlockhash, computeUnitsConsumed, computeUnitsLimit, computeUnitPrice, instructionType, endpoint, externalReference, blockTime, preparedAt, awaitsOurSignature.
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
              * @example blockTime
              * @example preparedAt
              * @example awaitsOurSignature
              */
              fieldName: string;
              /**
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            sort?: {
              /**
              * @description One of offchainId, onchainId, status, success, fee, feePayerOffchainId, feePayerOnchainId, accountOffchainId, accountOnchainId, messageLifetimeStrategy, recentBlockhash, computeUnitsConsumed, computeUnitsLimit, computeUnitPrice, instructionType, endpoint, externalReference, blockTime, preparedAt, awaitsOurSignature.
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
              * @example blockTime
              * @example preparedAt
              * @example awaitsOurSignature
              */
              fieldName: string;
              /** @enum {string} */
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
            count: number;
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
          itemData: components["schemas"]["TransactionReference"];
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
          itemData: components["schemas"]["SignTransaction"];
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
          itemData: components["schemas"]["SubmitTransaction"];
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
          itemData: components["schemas"]["ApproveTransaction"];
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
          itemData: components["schemas"]["AttestTransaction"];
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
          itemData: components["schemas"]["CancelTransaction"];
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
          itemData: components["schemas"]["NewWebhook"];
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
          itemQuery?: {
            /** @default 100 */
            limit?: number;
            /** @default 0 */
            skip?: number;
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
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              filterValues: components["schemas"]["FilterValue"][];
            }[];
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
              /** @enum {string} */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /** @default 100 */
            limit?: number;
            /** @default 0 */
            skip?: number;
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
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              filterValues: components["schemas"]["FilterValue"][];
            }[];
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
              /** @enum {string} */
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
            count: number;
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
          itemData: components["schemas"]["RotateWebhook"];
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
          itemData: components["schemas"]["DisableWebhook"];
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
            disabledWebhook: {
              /** Format: uuid */
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
          itemData: components["schemas"]["RedeliverWebhook"];
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
            redeliveredWebhook: {
              /** Format: uuid */
              offchainId: string;
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
          itemQuery?: {
            /** @default 100 */
            limit?: number;
            /** @default 0 */
            skip?: number;
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
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              filterValues: components["schemas"]["FilterValue"][];
            }[];
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
              /** @enum {string} */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /** @default 100 */
            limit?: number;
            /** @default 0 */
            skip?: number;
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
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              filterValues: components["schemas"]["FilterValue"][];
            }[];
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
              /** @enum {string} */
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
            count: number;
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
          itemData: components["schemas"]["NewOrganization"];
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
          itemData: components["schemas"]["OrganizationChanges"];
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
            updatedOrganization: {
              externalId: string;
            };
          };
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
          itemQuery?: {
            /** @default 100 */
            limit?: number;
            /** @default 0 */
            skip?: number;
            filter?: {
              /**
              * @description One of externalId, name, parentExternalId.
              * @example externalId
              * @example name
              * @example parentExternalId
              */
              fieldName: string;
              /**
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            sort?: {
              /**
              * @description One of externalId, name, parentExternalId.
              * @example externalId
              * @example name
              * @example parentExternalId
              */
              fieldName: string;
              /** @enum {string} */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /** @default 100 */
            limit?: number;
            /** @default 0 */
            skip?: number;
            filter?: {
              /**
              * @description One of externalId, name, parentExternalId.
              * @example externalId
              * @example name
              * @example parentExternalId
              */
              fieldName: string;
              /**
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              filterValues: components["schemas"]["FilterValue"][];
            }[];
            sort?: {
              /**
              * @description One of externalId, name, parentExternalId.
              * @example externalId
              * @example name
              * @example parentExternalId
              */
              fieldName: string;
              /** @enum {string} */
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
            count: number;
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
          itemData: components["schemas"]["NewApiKey"];
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
          itemQuery?: {
            /** @default 100 */
            limit?: number;
            /** @default 0 */
            skip?: number;
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
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              filterValues: components["schemas"]["FilterValue"][];
            }[];
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
              /** @enum {string} */
              sortDirection: "ASC" | "DESC";
            }[];
          };
          tenancyConfig?: components["schemas"]["TenancyConfig"];
          /**
          * @deprecated
          * @description Another spelling of itemQuery.
          */
          itemsQuery?: {
            /** @default 100 */
            limit?: number;
            /** @default 0 */
            skip?: number;
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
              * @default AND
              * @enum {string}
              */
              operator?: "AND" | "OR";
              filterValues: components["schemas"]["FilterValue"][];
            }[];
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
              /** @enum {string} */
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
            count: number;
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
          itemData: components["schemas"]["RotateApiKey"];
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
          itemData: components["schemas"]["DisableApiKey"];
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
          itemData: components["schemas"]["FreezeTarget"];
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
            frozen: {
              onchainId?: string;
              /** Format: uuid */
              offchainId?: string;
              organizationExternalId?: string;
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
          itemData: components["schemas"]["FreezeTarget"];
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
            unfrozen: {
              onchainId?: string;
              /** Format: uuid */
              offchainId?: string;
              organizationExternalId?: string;
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
          itemData: components["schemas"]["LaneTarget"];
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
            suspended: {
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
          itemData: components["schemas"]["LaneTarget"];
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
            resumed: {
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
      query?: never;
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
}
