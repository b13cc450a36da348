// The tenant of a server's operator. Its external id is settled by the interface.
export const SYSTEM_TENANT = 'SYSTEM'
