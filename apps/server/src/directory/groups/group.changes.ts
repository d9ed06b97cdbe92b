declare module '../../platform/changes/change.ts' {
  interface Changes {
    'group.created': { userId: number; groupId: number }
  }
}

export {}
