import type { Generated } from 'kysely'

/** A user's identity at an external provider. */
export interface IdentitiesTable {
  id: Generated<number>
  userId: number
  provider: string
  externUid: string
  /** The group whose SCIM client has added it; null for identities of the whole instance. */
  groupId: number | null
}

/** The token of a group's SCIM client; only its hash is stored. */
export interface ScimTokensTable {
  groupId: number
  tokenHash: string
  createdAt: number
}

/** An account that a group's SCIM client has created; stays when its identity is removed. */
export interface ScimAccountsTable {
  userId: number
  groupId: number
  /** As the client knows it (RFC 7643, section 4.1.1), which need not be a valid username. */
  userName: string
  userNameLower: string
}
