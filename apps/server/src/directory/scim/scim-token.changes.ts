declare module '../../platform/changes/change.ts' {
  interface Changes {
    'scim_token.created': { groupId: number }
    'scim_token.revoked': { groupId: number }
  }
}

export {}
