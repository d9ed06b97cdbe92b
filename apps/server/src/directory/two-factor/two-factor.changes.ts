declare module '../../platform/changes/change.ts' {
  interface Changes {
    'two_factor.enabled': { ownerId: number }
    'two_factor.disabled': { ownerId: number }
    'two_factor.recovery_codes_replaced': { ownerId: number }
  }
}

export {}
