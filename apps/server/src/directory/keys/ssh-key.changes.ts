/** A key of a user, as it was added or deleted. */
interface KeyChange {
  keyId: number
  /** In OpenSSH's one-line form. */
  key: string
  ownerId: number
}

declare module '../../platform/changes/change.ts' {
  interface Changes {
    'key.created': KeyChange
    'key.deleted': KeyChange
  }
}
