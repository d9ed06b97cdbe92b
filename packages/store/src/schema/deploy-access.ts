import type { Generated } from 'kysely'
import type { Flag } from './flag.ts'

/** Public keys of people and of machines: one table, since no key may belong to two of them. */
export interface SshKeysTable {
  id: Generated<number>
  kind: 'user' | 'deploy'
  /** Whose key it is; null for deploy keys. */
  userId: number | null
  /** Who made a deploy key; pushes with it are theirs. */
  creatorId: number | null
  title: string
  /** OpenSSH's one-line form. */
  key: string
  /** `SHA256:…` */
  fingerprint: string
  /** A deploy key that every project may enable. */
  public: Generated<Flag>
  createdAt: number
  updatedAt: number
}

/** The projects that deploy keys are enabled on. */
export interface DeployKeyProjectsTable {
  projectId: number
  keyId: number
  canPush: Flag
  createdAt: number
}

/** Tokens that read one project; only their hash is kept. */
export interface DeployTokensTable {
  id: Generated<number>
  projectId: number
  creatorId: number | null
  name: string
  /** Null for the one that is made from the id. */
  username: string | null
  tokenHash: string
  /** JSON array of scopes. */
  scopes: string
  expiresAt: number | null
  createdAt: number
}
