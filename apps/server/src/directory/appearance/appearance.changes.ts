declare module '../../platform/changes/change.ts' {
  interface Changes {
    /** The names of the settings that were sent. */
    'appearance.updated': { names: readonly string[] }
  }
}

export {}
