declare module '../../platform/changes/change.ts' {
  interface Changes {
    /** A session was opened. */
    'sign_in.succeeded': { signedInUserId: number; method: 'password' | 'two_factor' }
    /** A wrong password or code of an existing account; each counts against its limit. */
    'sign_in.failed': { failedUserId: number; method: 'password' | 'two_factor' }
  }
}

export {}
