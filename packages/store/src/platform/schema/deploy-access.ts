import type { Generated } from 'kysely'
import type { Flag } from './flag.ts'

/** Public keys of users and deploy keys: one table, since a key may not be used as both. */
export interface SshKeysTable {
  id: Generated<number>
  kind: 'user' | 'deploy'
  /** The owner; null for deploy keys. */
  userId: number | null
  /** The creator of a deploy key; pushes with it are attributed to them. */
  creatorId: number | null
  title: string
  /** OpenSSH's one-line form. */
  key: string
  /** `SHA256:…` */
  fingerprint: string
  /** `aa:bb:…`, sixteen bytes in lower-case hexadecimal digits. */
  fingerprintMd5: string
  /** A deploy key that every project may enable. */
  public: Generated<Flag>
  /** The day on which a user's key expires, at 00:00 UTC; null for never. */
  expiresOn: string | null
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

/** Tokens that read one project; only their hash is stored. */
export interface DeployTokensTable {
  id: Generated<number>
  projectId: number
  creatorId: number | null
  name: string
  /** Null to derive it from the id. */
  username: string | null
  tokenHash: string
  /** JSON array of scopes. */
  scopes: string
  expiresAt: number | null
  createdAt: number
}
