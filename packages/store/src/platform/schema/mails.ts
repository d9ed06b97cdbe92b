import type { Generated } from 'kysely'

/** Mails to users: what is needed to write them when they are sent. */
export interface MailsTable {
  id: Generated<number>
  /** Unique, so that none is sent twice. */
  key: string
  kind: string
  /** Who gets it. */
  userId: number
  /** JSON: ids only, no text and no secret. */
  payload: string
  /** `dropped`: it became pointless, or the user may not read it; `refused`: by the SMTP server. */
  state: Generated<'waiting' | 'sent' | 'dropped' | 'refused'>
  createdAt: number
  finishedAt: number | null
}

/** Tokens with which users choose a new password: the latest one of each user. */
export interface PasswordResetsTable {
  userId: number
  tokenHash: string
  expiresAt: number
}
