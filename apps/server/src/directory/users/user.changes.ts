import type { AttributeChange } from '../../platform/changes/attribute-change.ts'

declare module '../../platform/changes/change.ts' {
  interface Changes {
    'user.created': { createdUserId: number }
    /** Attributes changed: names, rights, the state, the password, whose values are left out. */
    'user.updated': { updatedUserId: number; changes: readonly AttributeChange[] }
    'user.renamed': { renamedUserId: number; oldUsername: string }
    /** A blocked user tried to sign in, with the right password. */
    'user.failed_login': { failedUserId: number }
    /** Recorded just before the user is hidden from everyone; a job removes the contents. */
    'user.deleted': {
      deletedUserId: number
      /** Ids of the groups without another owner. */
      solelyOwnedGroups: readonly number[]
    }
  }
}
