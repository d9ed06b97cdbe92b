/** A client of the OAuth2 provider. */
interface ApplicationChange {
  applicationId: number
  name: string
}

declare module '../../platform/changes/change.ts' {
  interface Changes {
    'application.created': ApplicationChange
    'application.deleted': ApplicationChange
  }
}

export {}
