import type { ScimGroupRow, ScimUserRow } from '@stithy/store'
import type { Config } from '../../platform/config/config.ts'
import { webUrl } from '../../platform/http/urls.ts'

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'
const listSchema = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

/** A user as SCIM clients see them (RFC 7643, section 4.1). */
export function presentScimUser(config: Config, group: ScimGroupRow, row: ScimUserRow) {
  return {
    schemas: [userSchema],
    id: row.externUid,
    externalId: row.externUid,
    active: row.state === 'active',
    userName: row.userName ?? row.username,
    displayName: row.name,
    name: { formatted: row.name },
    // The flat name is that of existing servers.
    'name.formatted': row.name,
    emails: [{ type: 'work', value: row.email, primary: true }],
    meta: {
      resourceType: 'User',
      created: new Date(row.createdAt).toISOString(),
      lastModified: new Date(row.updatedAt).toISOString(),
      location: scimUserUrl(config, group, row),
    },
  }
}

/** The URL of a user. */
export function scimUserUrl(config: Config, group: ScimGroupRow, { externUid }: ScimUserRow) {
  return `${scimUrl(config, group)}/Users/${encodeURIComponent(externUid)}`
}

/** The base URL of a group. */
export function scimUrl(config: Config, { fullPath }: ScimGroupRow): string {
  return webUrl(config, `api/scim/v2/groups/${encodeURIComponent(fullPath)}`)
}

/** Users that a client asked for, and where they are in the list (RFC 7644, section 3.4.2). */
export interface ScimList {
  rows: readonly ScimUserRow[]
  total: number
  /** From 1. */
  startIndex: number
  /** How many were asked for. */
  count: number
}

/** A page of users. */
export function presentScimList(config: Config, group: ScimGroupRow, list: ScimList) {
  return {
    schemas: [listSchema],
    totalResults: list.total,
    itemsPerPage: list.count,
    startIndex: list.startIndex,
    Resources: list.rows.map((row) => presentScimUser(config, group, row)),
  }
}
