declare module '../../platform/changes/change.ts' {
  interface Changes {
    /** A user protected or unprotected branches or tags, or changed who may do what to them. */
    'ref_protection.changed': {
      projectId: number
      refKind: 'branch' | 'tag'
      /** Also a wildcard. */
      name: string
      action: 'add' | 'change' | 'remove'
    }
  }
}

export {}
