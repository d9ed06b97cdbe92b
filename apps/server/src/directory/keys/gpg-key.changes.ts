/** An OpenPGP key of a user. */
interface GpgKeyChange {
  keyId: number
  ownerId: number
  fingerprint: string
}

declare module '../../platform/changes/change.ts' {
  interface Changes {
    'gpg_key.created': GpgKeyChange
    'gpg_key.deleted': GpgKeyChange
  }
}

export {}
