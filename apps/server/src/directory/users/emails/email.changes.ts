declare module '../../../platform/changes/change.ts' {
  interface Changes {
    /** An address is to be confirmed with a token, of which only the hash is stored. */
    'email.confirmation_requested': {
      emailId: number
      ownerId: number
      /** Where the token is to be sent. */
      address: string
      /** A secret: it may be sent to the address, and must be neither logged nor stored. */
      token: string
    }
  }
}
