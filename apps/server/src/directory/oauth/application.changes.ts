/** A client of the OAuth2 provider. */
interface ApplicationChange {
  applicationId: number
  /** The user who has registered it; null for an application of the instance. */
  ownerId: number | null
  name: string
}

declare module '../../platform/changes/change.ts' {
  interface Changes {
    'application.created': ApplicationChange
    /** `attributes`: the names of those that have another value. */
    'application.updated': ApplicationChange & { attributes: readonly string[] }
    'application.secret_renewed': ApplicationChange
    'application.deleted': ApplicationChange
  }
}

export {}
