import type { CallerRow } from '@stithy/store'
import type { CallerUser } from '../../platform/http/caller.ts'

/** Drops the columns of the look-up that aren't the user's. */
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
    acceptedTermsVersion: row.acceptedTermsVersion,
    themeId: row.themeId,
  }
}
