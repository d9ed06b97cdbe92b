declare module '../../platform/changes/change.ts' {
  interface Changes {
    'deployment.succeeded': { deploymentId: number; projectId: number; environmentId: number }
  }
}
