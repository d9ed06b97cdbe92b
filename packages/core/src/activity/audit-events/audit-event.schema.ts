import { z } from 'zod'
import { timestamp } from '../../platform/contract/fields.ts'

/** What an audit event is filed under. */
export const auditEntityTypes = ['User', 'Group', 'Project'] as const
export type AuditEntityType = (typeof auditEntityTypes)[number]

/**
 * What was done: exactly one of `add`, `change` and `remove` names it. Secrets are never part of it.
 */
export const AuditDetails = z.object({
  /** What was added: `ssh_key`, `user_access`. */
  add: z.string().optional(),
  /** What was changed: `visibility`, `access_level`. */
  change: z.string().optional(),
  /** What was removed. */
  remove: z.string().optional(),
  /** The value before a change. */
  from: z.string().nullable().optional(),
  /** The value after a change. */
  to: z.string().nullable().optional(),
  /** The access level of a new member or share: `Developer`; how a sign-in failed: `password`. */
  as: z.string().optional(),
  /** Name of the author at that time. */
  author_name: z.string(),
  /** Username of the administrator who acted as the author, by `sudo`. */
  impersonated_by: z.string().optional(),
  /** Type of what was changed: `User`, `Key`. */
  target_type: z.string(),
  /** ID of what was changed; null for what has none. */
  target_id: z.int().nullable(),
  /** Name of what was changed. */
  target_details: z.string(),
  /** Full path of the entity, or username, at that time. */
  entity_path: z.string(),
  /** IP address of the client; null for what the server did itself. */
  ip_address: z.string().nullable(),
})
export type AuditDetails = z.output<typeof AuditDetails>

/** An administrative or security-relevant act. */
export const AuditEvent = z.object({
  id: z.int(),
  /** Null for what the server did itself, and for callers who were not signed in. */
  author_id: z.int().nullable(),
  entity_id: z.int(),
  entity_type: z.enum(auditEntityTypes),
  details: AuditDetails,
  created_at: timestamp,
})
export type AuditEvent = z.output<typeof AuditEvent>
