import type { CallerRow } from '@stithy/store'

/** What a request needs to know of its user; one row of the token look-up. */
export interface CallerUser {
  id: number
  username: string
  name: string
  email: string
  admin: boolean
  external: boolean
  canCreateGroup: boolean
  projectsLimit: number
  mustChangePassword: boolean
}

/** The row without what else was looked up with it. */
export function callerUser(row: CallerRow): CallerUser {
  return {
    id: row.id,
    username: row.username,
    name: row.name,
    email: row.email,
    admin: row.admin === 1,
    external: row.external === 1,
    canCreateGroup: row.canCreateGroup === 1,
    projectsLimit: row.projectsLimit,
    mustChangePassword: row.mustChangePassword === 1,
  }
}
