declare module '../../platform/changes/change.ts' {
  interface Changes {
    'feature.changed': {
      name: string
      /** `true`, `false` or a percentage. */
      value: string
      /** What the switch is limited to: `User:1`, the name of a group; empty for no limit. */
      limits: readonly string[]
    }
    'feature.deleted': { name: string }
  }
}

export {}
