// The tenant of the operator of a server. The interface defines its external id.
export const SYSTEM_TENANT = 'SYSTEM'
