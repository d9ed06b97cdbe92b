import type { Generated } from 'kysely'
import type { Flag } from './flag.ts'

/** The e-mail addresses of users: each belongs to one user, whatever its kind. */
export interface EmailsTable {
  id: Generated<number>
  userId: number
  /** The primary one is a column of its user, too; a pending one replaces it once confirmed. */
  kind: 'primary' | 'secondary' | 'pending'
  email: string
  emailLower: string
  confirmedAt: number | null
  /** Hash of the token that confirms the address. */
  tokenHash: string | null
  tokenExpiresAt: number | null
  /** Whether notifications are sent to it, instead of to the primary one. */
  notified: Generated<Flag>
  createdAt: number
}
