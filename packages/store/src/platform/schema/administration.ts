import type { AuditEntityType } from '@stithy/core'
import type { Generated } from 'kysely'
import type { Flag } from './flag.ts'

/**
 * Administrative and security-relevant acts. They outlive what they are about, so no column
 * references it.
 */
export interface AuditEventsTable {
  id: Generated<number>
  /** Null for the server itself, and for callers who were not signed in. */
  authorId: number | null
  entityType: AuditEntityType
  entityId: number
  /** Full path of the entity, or username, at that time. */
  entityPath: string
  /** JSON: what was done, by whom, and to what. */
  details: string
  createdAt: number
}

/** Messages to everyone, shown from one time until another. */
export interface BroadcastMessagesTable {
  id: Generated<number>
  message: string
  startsAt: number
  endsAt: number
  color: string
  font: string
  createdAt: number
  updatedAt: number
}

/** Switches that clients keep on the server. */
export interface FeaturesTable {
  id: Generated<number>
  name: string
  createdAt: number
}

/** The conditions under which features are on. */
export interface FeatureGatesTable {
  id: Generated<number>
  featureId: number
  key: 'boolean' | 'percentage_of_time' | 'groups' | 'actors'
  /** `true` or `false`; a percentage; the name of a group; `User:1`. */
  value: string
}

/** How the pages of the server look: at most one row, whose id is 1. */
export interface AppearancesTable {
  id: number
  title: string
  description: string
  /** The files' keys, as avatars have them. */
  logo: string | null
  headerLogo: string | null
  favicon: string | null
  newProjectGuidelines: string
  profileImageGuidelines: string
  headerMessage: string
  footerMessage: string
  messageBackgroundColor: string
  messageFontColor: string
  emailHeaderAndFooterEnabled: Flag
  updatedAt: number
}
