import type { TokenKind } from '@stithy/store'

/** A token of a user; its secret is left out. */
interface TokenChange {
  tokenId: number
  ownerId: number
  name: string
  tokenKind: TokenKind
}

declare module '../../platform/changes/change.ts' {
  interface Changes {
    'token.created': TokenChange
    'token.revoked': TokenChange
  }
}
